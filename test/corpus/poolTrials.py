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
WANTED = ("handle_max_mamba_cache", "resolve_max_num_reqs")


class Open:
    """An object whose attributes are given, and nothing else."""

    def __init__(self, **values):
        self.__dict__.update(values)


class Quiet:
    def __getattr__(self, _):
        return lambda *a, **k: None


def code_of(root):
    """The functions of a release, without annotations and decorators, compiled once."""
    found = {}
    for name in FILES:
        path = Path(root) / "sglang" / name
        for node in ast.walk(ast.parse(path.read_text())) if path.exists() else []:
            if isinstance(node, ast.FunctionDef) and node.name.lstrip("_") in WANTED:
                node.name = node.name.lstrip("_")
                node.returns, node.decorator_list = None, []
                for argument in node.args.args:
                    argument.annotation = None
                found[node.name] = node
    module = ast.Module(body=[*found.values()], type_ignores=[])
    return compile(ast.fix_missing_locations(module), "release", "exec"), set(found)


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
        left = space["handle_max_mamba_cache"](runner, case["rest"])
        slots = state.max_mamba_cache_size
        requests = None
        if "resolve_max_num_reqs" in names:
            requests = space["resolve_max_num_reqs"](runner, case["tokens"])
    except RuntimeError:
        return None
    return {"left": left, "slots": slots, "requests": requests}


def random_case(rng, minor):
    def some(share, make):
        return make() if rng.random() < share else None

    cache = rng.random() < 0.6
    drafts = some(0.4, lambda: rng.choice([2, 4, 8]))
    # Drafting servers have a limit of requests since 0.5.7, as one is set where none is given.
    needs = drafts is not None and minor >= 7
    return {
        "rest": rng.uniform(2, 120),
        "slot": rng.randrange(1 << 20, 1 << 28),
        "ratio": rng.choice([0.2, 0.5, 0.9, 1.7]),
        "slots": some(0.3, lambda: rng.choice([16, 100, 512])),
        "requests": rng.choice([4, 48, 100, 257]) if needs or rng.random() < 0.5 else None,
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
        for _ in range(count):
            case = random_case(rng, int(version.split(".")[2]))
            print(json.dumps({"release": version, **case, "expected": solve(code, names, case)}))


main()
