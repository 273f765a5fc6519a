"""What the releases' own functions make of random budgets: prints one JSON object a line.

`poolTrials.py SEED COUNT ROOT=VERSION...`: for each release, COUNT random settings of a model with state:
the slots that a budget gives, what it leaves for keys and values, and the running requests that tokens
and slots allow. Nothing of a release is imported: its functions are compiled apart, and what they reach
outside is a stub. A name that no stub knows ends the script.
"""

import ast
import functools
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
SKIPS = "_pd_prefill_skips_mamba_spec_state"


class Open:
    """An object whose attributes are given, and nothing else."""

    def __init__(self, **values):
        self.__dict__.update(values)


class Quiet:
    def __getattr__(self, _):
        return lambda *a, **k: None


@functools.cache
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
            if isinstance(node, ast.FunctionDef) and (node.name.lstrip("_") in WANTED or node.name == SKIPS):
                node.name = node.name if node.name == SKIPS else node.name.lstrip("_")
                node.returns, node.decorator_list = None, []
                for argument in node.args.args:
                    argument.annotation = None
                found[node.name] = node
    if early:
        found["choose_slots"] = ast.parse("def choose_slots(self): pass").body[0]
        found["choose_slots"].body = early
    module = ast.Module(body=[*found.values()], type_ignores=[])
    return compile(ast.fix_missing_locations(module), "release", "exec"), set(found)


@functools.cache
def decode_pool_of(root):
    """How a decode server makes its pool of states."""
    found = []
    for node in ast.parse((Path(root) / "sglang/srt/disaggregation/decode.py").read_text()).body:
        if getattr(node, "name", None) in ("DecodeReqToTokenPool", "HybridMambaDecodeReqToTokenPool"):
            node.bases = []
            node.body = [one for one in node.body if getattr(one, "name", "") == "__init__"]
            for part in ast.walk(node):
                if isinstance(part, ast.arg):
                    part.annotation = None
            if node.name == "DecodeReqToTokenPool":
                node.body[0].body = [ast.Pass()]
            found.append(node)
    return compile(ast.fix_missing_locations(ast.Module(body=found, type_ignores=[])), "release", "exec")


def held_of(root, version, case, slots, asked):
    """Slots that a decode server allocates, and requests whose draft states it keeps."""
    each = case["requests"] and case["requests"] // case["copies"]
    least = 1 if since(version, "0.5.23") else 0
    if not since(version, "0.5.14"):
        ahead = asked * 2 if asked <= 32 else 0
    else:
        ahead = max(least, each) * 2 if each is not None and max(least, each) <= 32 else 0
    space = {
        "logger": Quiet(),
        "Optional": {int: None},
        "get_mamba_tracking_slots": lambda extra_buffer, overlap, lazy=False: 2 if extra_buffer else 0,
    }
    exec(decode_pool_of(root), space)
    made = {}
    pool = space["HybridMambaDecodeReqToTokenPool"]
    pool._init_mamba_pool = lambda self, *plain, **named: made.update(named, plain=plain)
    names = pool.__init__.__code__.co_varnames[1 : pool.__init__.__code__.co_argcount]
    given = {name: None for name in names}
    given |= {"size": asked, "pre_alloc_size": ahead, "mamba_size": slots}
    given |= {"enable_mamba_extra_buffer": False, "enable_overlap_schedule": True}
    pool(**{name: given[name] for name in names})
    size = made.get("mamba_size", made.get("size", made["plain"] and made["plain"][0]))
    return {"slots": size, "rows": made.get("mamba_spec_state_size", size)}


def since(version, first):
    """Of releases without a suffix."""
    return [int(part) for part in version.split(".")[:3]] >= [int(part) for part in first.split(".")]


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


def solve(root, version, case):
    code, names = code_of(root)
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
        disaggregation_mode=case["mode"],
        enable_pd_role_switch=case["switches"],
        enable_unified_memory=False,
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
        "get_disagg": lambda: state,
        "_is_npu": False,
        "get_pp_indices": lambda count, rank, size: stages_of(count, size)[rank],
        "kimi_linear_config": lambda _: None,
        "max_speculative_num_draft_tokens": lambda: drafts,
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
    held = None
    if case["mode"] == "decode" and requests and requests > 0:
        held = held_of(root, version, case, slots, requests)
    return {"left": left, "slots": slots, "requests": requests, "held": held}


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

    mode = rng.choice(["null", "null", "decode", "prefill"])
    cache = mode != "decode" and rng.random() < 0.6
    dp = rng.choice([1, 1, 2, 8])
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
        "mode": mode,
        "switches": rng.random() < 0.2,
        "dp": dp,
        # Groups of attention, or else copies of the server.
        "copies": dp,
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
        own = default_requests(root)
        for _ in range(count):
            case = random_case(rng, int(version.split(".")[2]))
            # Drafting servers set a limit of requests before anything is sized.
            is_open = case["drafts"] is not None and case["requests"] is None
            expected = solve(root, version, {**case, "requests": own} if is_open else case)
            print(json.dumps({"release": version, **case, "expected": expected}))


main()
