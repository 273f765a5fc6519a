"""What the releases' own functions make of random budgets: prints one JSON object a line.

`poolTrials.py SEED COUNT ROOT=VERSION...`: for each release, COUNT random settings of a model with state:
the slots that a budget gives, what it leaves for keys and values, and the running requests that tokens
and slots allow. Nothing of a release is imported: its functions are compiled apart, and what they reach
outside is a stub. A name that no stub knows ends the script.
"""

import ast
import json
import random
import sys
from pathlib import Path

FILES = [
    "srt/model_executor/model_runner.py",
    "srt/model_executor/model_runner_kv_cache_mixin.py",
    "srt/mem_cache/kv_cache_configurator.py",
]
DEFAULTS = ["srt/server_args.py", "srt/arg_groups/speculative_hook.py"]
WANTED = ("handle_max_mamba_cache", "resolve_max_num_reqs", "profile_max_num_token")


class Open:
    """An object whose attributes are given, and nothing else."""

    def __init__(self, **values):
        self.__dict__.update(values)


class Quiet:
    def __getattr__(self, _):
        return lambda *a, **k: None


def code_of(root):
    """The functions of a release, without annotations and decorators, compiled once.

    Early releases choose slots at their start, outside of any of them: that becomes a function too.
    """
    found, early = {}, []
    for name in FILES:
        path = Path(root) / "sglang" / name
        for node in ast.walk(ast.parse(path.read_text())) if path.exists() else []:
            if isinstance(node, ast.FunctionDef) and node.name == "initialize":
                early += [one for one in node.body if is_choice(one)]
            if isinstance(node, ast.FunctionDef) and node.name.lstrip("_") in WANTED:
                node.name = node.name.lstrip("_")
                node.returns, node.decorator_list = None, []
                for argument in node.args.args:
                    argument.annotation = None
                found[node.name] = node
    if early:
        found["choose_slots"] = ast.parse("def choose_slots(self): pass").body[0]
        found["choose_slots"].body = early
    module = ast.Module(body=[*found.values()], type_ignores=[])
    return compile(ast.fix_missing_locations(module), "release", "exec"), set(found)


def default_requests(root):
    """What a release sets as limit of requests with speculation, where none is given."""
    found = set()
    for name in DEFAULTS:
        path = Path(root) / "sglang" / name
        for node in ast.walk(ast.parse(path.read_text())) if path.exists() else []:
            if isinstance(node, ast.If) and ast.unparse(node.test).endswith("max_running_requests is None"):
                arguments = Open(max_running_requests=None)
                declare = lambda _, __, **values: arguments.__dict__.update(values)
                names = {key: arguments for key in ("self", "server_args", "cfg")}
                names |= {"logger": Quiet(), "declare_resolution": declare}
                module = ast.Module(body=[node], type_ignores=[])
                try:
                    exec(compile(ast.fix_missing_locations(module), "release", "exec"), names)
                except NameError:
                    continue
                if isinstance(arguments.max_running_requests, int):
                    found.add(arguments.max_running_requests)
    (only,) = found
    return only


def is_choice(node):
    return isinstance(node, ast.If) and "max_mamba_cache_size" in ast.unparse(node)


def stages_of(layers, size):
    """The last stages take the layers that do not divide, one each."""
    sizes = [layers // size + (at >= size - layers % size) for at in range(size)]
    return [(sum(sizes[:at]), sum(sizes[: at + 1])) for at in range(size)]


def solve(code, names, case):
    drafts = case["drafts"]
    state = Open(
        max_mamba_cache_size=case["slots"],
        max_running_requests=case["requests"],
        mamba_full_memory_ratio=case["ratio"],
        disable_radix_cache=not case["cache"],
        speculative_num_draft_tokens=drafts,
        enable_dp_attention=case["dp"] > 1,
        dp_size=case["dp"],
        enable_linear_replayssm_spec=False,
        disaggregation_mode="null",
    )
    state.override = lambda _, **values: state.__dict__.update(values)
    layers = [at for at in range(case["layers"]) if (at + 1) % case["step"] != 0]
    parameters = Open(mamba_cache_per_req=case["slot"], layers=layers)
    space = {
        "logger": Quiet(),
        "get_schedule": lambda: state,
        "get_memory": lambda: state,
        "get_spec": lambda: state,
        "get_exec": lambda: Open(mamba=state),
        "get_context": lambda: state,
        "get_pp_indices": lambda count, rank, size: stages_of(count, size)[rank],
        "kimi_linear_config": lambda _: None,
        "max_speculative_num_draft_tokens": lambda: drafts,
        "_pd_prefill_skips_mamba_spec_state": lambda: False,
    }
    exec(code, space)
    runner = Open(
        server_args=state,
        mambaish_config=Open(mamba2_cache_params=parameters),
        spec_algorithm=Open(is_none=lambda: drafts is None),
        hybrid_gdn_config=Open(),
        hybrid_kda_config=None,
        model_config=Open(num_hidden_layers=case["layers"], context_len=case["context"]),
        ps=Open(pp_size=case["pp"], attn_dp_size=case["dp"]),
        pp_size=case["pp"],
        dp_size=case["dp"],
        attn_dp_size=case["dp"],
        extra_mamba_cache_bytes_per_req=0,
        fused_entry_bytes=lambda _: None,
        _calculate_mamba_ratio=lambda: case["each"],
    )
    try:
        left = left_of(space, names, runner, state, case)
        slots = state.max_mamba_cache_size
        requests = None
        if "resolve_max_num_reqs" in names:
            requests = space["resolve_max_num_reqs"](runner, case["tokens"])
    except RuntimeError:
        return None
    return {"left": left, "slots": slots, "requests": requests}


def left_of(space, names, runner, state, case):
    if "handle_max_mamba_cache" in names:
        return space["handle_max_mamba_cache"](runner, case["rest"])
    # Early releases: one token takes the 64th part of a byte, so that tokens tell what is left.
    size = 1 / 128
    full = Open(mamba_cache_per_req=case["slot"], full_attention_layer_ids=[0], mamba2_cache_params=Open())
    full.mamba2_cache_params.mamba_cache_per_req = case["slot"]
    runner.__dict__.update(
        is_hybrid_gdn=True,
        hybrid_gdn_config=full,
        mambaish_config=full,
        is_draft_worker=False,
        use_mla_backend=False,
        device="cuda",
        gpu_id=0,
        kv_cache_dtype=None,
        mem_fraction_static=1,
    )
    runner.model_config.__dict__.update(hf_config=full, head_dim=1, get_num_kv_heads=lambda _: 1)
    space.update(
        get_available_gpu_memory=lambda *_, **__: case["rest"],
        get_world_group=lambda: Open(world_size=1, cpu_group=None),
        get_attention_tp_size=lambda: 1,
        torch=Open(_utils=Open(_element_size=lambda _: size)),
        is_deepseek_nsa=lambda _: False,
    )
    space["choose_slots"](runner)
    return space["profile_max_num_token"](runner, 0) * 2 * size / (1 << 30)


def random_case(rng, minor):
    def some(share, make):
        return make() if rng.random() < share else None

    cache = rng.random() < 0.6
    drafts = some(0.4, lambda: rng.choice([2, 4, 8]))
    return {
        "rest": rng.uniform(2, 120),
        "slot": rng.randrange(1 << 20, 1 << 28),
        "ratio": rng.choice([0.2, 0.5, 0.9, 1.7]),
        "slots": some(0.3, lambda: rng.choice([16, 100, 512])),
        "requests": some(0.5, lambda: rng.choice([4, 48, 100, 257])),
        "cache": cache,
        "each": rng.choice([3, 4, 5]) if cache else 1,
        "drafts": drafts,
        "dp": rng.choice([1, 1, 2, 8]),
        "pp": rng.choice([1, 1, 2, 3]) if minor >= 17 else 1,
        "layers": rng.randrange(12, 60),
        "step": rng.choice([3, 4, 8]),
        "tokens": rng.randrange(1000, 4_000_000),
        "context": rng.choice([4096, 32768, 262144]),
    }


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    for argument in sys.argv[3:]:
        root, version = argument.rsplit("=", 1)
        rng = random.Random(f"{seed} {version}")
        code, names = code_of(root)
        own = default_requests(root)
        for _ in range(count):
            case = random_case(rng, int(version.split(".")[2]))
            # Drafting servers set a limit of requests before anything is sized.
            is_open = case["drafts"] is not None and case["requests"] is None
            expected = solve(code, names, {**case, "requests": own} if is_open else case)
            print(json.dumps({"release": version, **case, "expected": expected}))


main()
