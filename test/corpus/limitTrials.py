"""What the releases' own functions make of limits: prints one JSON object a line.

`limitTrials.py SEED COUNT ROOT=VERSION...`: for each release, COUNT launches with random limits of tokens
and requests, pages, groups, roles and drafts: tokens of the pools, running requests, and rows and width
of the table of requests. Nothing of a release is imported: its functions are compiled apart, and what
they reach outside is a stub. A name that no stub knows ends the script.
"""

import ast
import contextlib
import functools
import json
import random
import sys
from pathlib import Path

import cellTrials
from cellTrials import Open

FILES = [
    "model_executor/model_runner.py",
    "model_executor/model_runner_kv_cache_mixin.py",
    "mem_cache/kv_cache_configurator.py",
]
SIZING = {
    "init_memory_pool",
    "profile_max_num_token",
    "get_cell_size_per_token",
    "set_num_token_hybrid",
    "set_num_tokens_hybrid_swa",
    "_resolve_memory_pool_config",
    "_resolve_token_capacity",
    "_resolve_hybrid_swa_tokens",
    "_resolve_max_num_reqs",
    "resolve_max_num_reqs",
    "_apply_token_constraints",
    "config_from_budget",
    "_build_req_to_token_pool",
    "_build_default_req_pool",
    "_build_decode_req_pool",
    "handle_max_mamba_cache",
}
CALLED = {
    "get_req_to_token_extra_context_len",
    "get_alloc_reserve_per_decode",
    "get_alloc_len_per_decode",
    "create_memory_pool_configurator",
}
TABLES = ("ReqToTokenPool", "DecodeReqToTokenPool", "HybridMambaDecodeReqToTokenPool")
TABLE = "self.req_to_token_pool is None"


def since(version, first):
    def key(text):
        base, _, post = text.partition(".post")
        return [int(part) for part in base.split(".")], int(post or -1)

    return key(version) >= key(first)


class Quiet:
    def __getattr__(self, _):
        return lambda *a, **k: None


def parse(path):
    return ast.parse(path.read_text()).body if path.exists() else []


def bare(node):
    """Without annotations, decorators, and imports inside."""
    for part in ast.walk(cellTrials.without_imports(node)):
        if isinstance(part, ast.FunctionDef):
            part.returns, part.decorator_list = None, []
            for argument in [*part.args.args, *part.args.kwonlyargs]:
                argument.annotation = None
    return node


def function(name, parameters, body):
    made = ast.parse(f"def {name}({parameters}): pass").body[0]
    made.body = body
    return made


def table_of(folder):
    """The classes of the table: only how they are made."""
    found = []
    for name in ("mem_cache/memory_pool.py", "disaggregation/decode.py"):
        for node in parse(folder / name):
            if getattr(node, "name", None) in TABLES:
                node.body = [n for n in node.body if getattr(n, "name", "") == "__init__"]
                node.bases = []
                found.append(bare(node))
    return found


@functools.cache
def code_of(root):
    folder = Path(root) / "sglang/srt"
    nodes = table_of(folder)
    for name in FILES:
        for owner in parse(folder / name):
            for node in getattr(owner, "body", []):
                if not isinstance(node, ast.FunctionDef):
                    continue
                tables = [n for n in node.body if isinstance(n, ast.If) and ast.unparse(n.test) == TABLE]
                if tables:
                    nodes.append(bare(function("build_table", "self, max_num_reqs", tables[:1])))
                if node.name == "init_memory_pool" and tables:
                    # Sizes come first; pools are made from the table on.
                    keep = ast.parse("self.rows = max_num_reqs").body
                    node.body = [*node.body[: node.body.index(tables[0])], *keep]
                if node.name in SIZING and (node.name != "init_memory_pool" or tables):
                    nodes.append(bare(node))
    for path in (folder / "mem_cache").glob("*.py"):
        nodes += map(bare, cellTrials.functions_of(path, CALLED))
    nodes += map(bare, cellTrials.functions_of(folder / "managers/utils.py", CALLED))
    pools = folder / "model_executor/pool_configurator.py"
    if pools.exists():
        nodes += map(bare, cellTrials.functions_of(pools, CALLED))
    for path in ("managers/tp_worker.py", "model_executor/model_runner.py"):
        for node in ast.walk(ast.Module(body=parse(folder / path), type_ignores=[])):
            if isinstance(node, ast.Assign) and "self.max_running_requests" in map(ast.unparse, node.targets):
                if "req_to_token_pool.size" in ast.unparse(node.value):
                    nodes.append(function("running_requests", "self, server_args", [node]))
    module = ast.Module(body=nodes, type_ignores=[])
    return compile(ast.fix_missing_locations(module), "release", "exec")


class Config(Open):
    """Sizes of pools; absent ones are none. A pool of no tokens stops a launch."""

    full_max_total_num_tokens = swa_max_total_num_tokens = max_running_requests = None

    def __init__(self, **values):
        super().__init__(**values)
        if self.max_total_num_tokens <= 0:
            raise RuntimeError


def space_of(root, case, settings):
    space = cellTrials.space_of(root, case)
    shapes = []
    space["torch"].zeros = lambda shape, **_: shapes.append(shape)
    space["torch"].int64 = None
    space["torch"].int32 = None
    heads = {"fp8_e4m3": "float8_e4m3fn", "fp8_e5m2": "float8_e5m2"}
    for given, name in heads.items():
        setattr(space["torch"], name, given)
    saver = Open(region=lambda *_, **__: contextlib.nullcontext())
    algorithm = Open(has_draft_kv=lambda: case["draft"]["kind"] != "none", is_uno=lambda: False)
    space |= {
        "logger": Quiet(),
        "logging": Quiet(),
        "log_info_on_rank0": lambda *_: None,
        "MemoryPoolConfig": Config,
        "TorchMemorySaverAdapter": Open(create=lambda **_: saver),
        "GPU_MEMORY_TYPE_KV_CACHE": None,
        "SGLANG_CI_SMALL_KV_SIZE": None,
        "get_available_gpu_memory": lambda *_, **__: case["rest"],
        "get_world_group": lambda: Open(world_size=1, cpu_group=None),
        "get_schedule": lambda: settings,
        "get_memory": lambda: settings,
        "get_spec": lambda: settings,
        "get_disagg": lambda: settings,
        "get_server_args": lambda: settings,
        "get_global_server_args": lambda: settings,
        "get_exec": lambda: settings,
        "_is_npu": False,
        "get_alloc_page_size": lambda: case["page"],
        "max_speculative_num_draft_tokens": lambda: settings.speculative_num_draft_tokens,
        "SpeculativeAlgorithm": Open(from_string=lambda _: algorithm),
        "configured_pp_size": lambda: 1,
        "is_cuda": lambda: True,
        "_dsv4_pool_config_fields": lambda *_: {},
        "HybridReqToTokenPool": lambda size, max_context_len, **_: space["ReqToTokenPool"](
            size, max_context_len, None, False
        ),
        "MAMBA_CACHE_SIZE_MAX_RUNNING_REQUESTS_RATIO": 3,
        "MAMBA_CACHE_V2_ADDITIONAL_RATIO_OVERLAP": 2,
        "MAMBA_CACHE_V2_ADDITIONAL_RATIO_NO_OVERLAP": 1,
    }
    # Decode servers of some releases read how many requests are allocated ahead.
    space["envs"].SGLANG_DISAGGREGATION_NUM_PRE_ALLOCATE_REQS = Open(get=lambda: 0)
    vars(space["get_parallel"]()).update(pp_size=1)
    space["__annotations__"] = {}
    space["shapes"] = shapes
    return space


def groups_of(case):
    """Groups of attention; without them copies of a server have their own requests."""
    return case["dp"] if case["attention_groups"] else 1


def settings_of(case):
    draft = case["draft"]
    is_draft = draft["kind"] != "none"
    requests = case["requests"]
    # On decode servers, rows for requests whose keys and values are still under way.
    least = 1 if since(case["release"], "0.5.23") else 0
    each = max(least, requests // case["dp"]) if requests else None
    groups = groups_of(case)
    extra = each * 2 if case["mode"] == "decode" and each is not None and each <= 32 else 0
    settings = Open(
        kv_cache_dtype="auto",
        max_running_requests=requests,
        max_total_tokens=case["limit"],
        page_size=case["page"],
        mem_fraction_static=1,
        swa_full_tokens_ratio=case["ratio"],
        chunked_prefill_size=case["chunk"],
        disable_radix_cache=case["no_cache"] or case["mode"] == "decode",
        disable_overlap_schedule=case["no_overlap"],
        enable_dp_attention=groups > 1,
        dp_size=case["dp"],
        attn_dp_size=groups,
        disaggregation_mode=case["mode"],
        disaggregation_decode_extra_slots=extra,
        enable_memory_saver=False,
        enable_pd_role_switch=False,
        features=Open(enable_memory_saver=False),
        tp_size=case["tp"],
        pp_size=1,
        enable_unified_memory=False,
        enable_hisparse=False,
        enable_mamba_extra_buffer=lambda: False,
        max_mamba_cache_size=case["slots"],
        mamba_full_memory_ratio=0.9,
        speculative_algorithm="EAGLE" if is_draft else None,
        speculative_num_steps=case["steps"] if is_draft else None,
        speculative_eagle_topk=case["branches"] if is_draft else None,
        speculative_num_draft_tokens=case["drafts"] if is_draft else None,
        max_speculative_num_draft_tokens=case["drafts"] if is_draft else None,
    )
    settings.override = lambda _, **values: settings.__dict__.update(values)
    return settings


def solve(root, version, case):
    settings = settings_of(case)
    space = space_of(root, case, settings)
    if since(version, "0.5.11"):
        exec(cellTrials.code_of(root), space)
    exec(code_of(root), space)
    states = []
    if "HybridMambaDecodeReqToTokenPool" in space:
        pool = space["HybridMambaDecodeReqToTokenPool"]
        pool._init_mamba_pool = lambda _, *plain, **named: states.append(named["size"] if "size" in named else plain[0])
    settings.states = states
    runner = cellTrials.model_of(case, space)
    windows = runner.model_config.swa_attention_layer_ids
    is_window = case["layout"] == "windows"
    hf, config = runner.model_config.hf_text_config, case["config"]
    hf.swa_num_key_value_heads = config.get("swa_num_key_value_heads", config["num_key_value_heads"])
    hf.swa_head_dim = runner.model_config.swa_head_dim
    hf.swa_v_head_dim = runner.model_config.swa_v_head_dim
    groups = groups_of(case)
    layers = [
        Open(
            layer_id=at,
            self_attn=Open(attn=Open(sliding_window_size=128 if at in windows else -1)),
        )
        for at in range(case["config"]["num_hidden_layers"])
    ]
    runner.model_config.__dict__.update(
        context_len=case["context"], num_hidden_layers=len(layers), is_hybrid_swa=is_window
    )
    runner.__dict__.update(
        server_args=settings,
        dtype="bfloat16",
        model=Open(quant_config=None, model=Open(layers=layers)),
        device="cuda",
        gpu_id=0,
        mem_fraction_static=1,
        is_hybrid=is_window,
        is_hybrid_swa=is_window,
        req_to_token_pool=None,
        dp_size=groups,
        tp_size=case["tp"],
        attn_dp_size=groups,
        ps=Open(pp_size=1, attn_dp_size=groups),
        page_size=case["page"],
        swa_attention_layer_ids=windows,
        full_attention_layer_ids=runner.model_config.full_attention_layer_ids,
        post_model_load_memory=case["rest"],
        _profile_available_bytes=lambda _: int(case["rest"] * (1 << 30)),
        loc_space_scale=1,
    )
    if case["layout"] == "states":
        config = runner.mambaish_config
        config.mamba2_cache_params = Open(mamba_cache_per_req=case["slot"])
        runner.hybrid_gdn_config = config
    for name in SIZING:
        if name in space:
            bound = functools.partial(space[name], runner)
            setattr(runner, name, bound)
    try:
        return sizes_of(space, runner, settings, case)
    except (RuntimeError, ValueError):
        return None


def sizes_of(space, runner, settings, case):
    is_early = "running_requests" in space and "init_memory_pool" in space
    if is_early:
        start = space["init_memory_pool"]
        given = {"server_args": settings, "max_num_reqs": case["requests"], "max_total_tokens": case["limit"]}
        names = start.__code__.co_varnames[: start.__code__.co_argcount]
        start(runner, 0, **{name: given[name] for name in names[2:]})
        sizes, rows = runner, runner.rows
    else:
        sizes = runner._resolve_memory_pool_config(0)
        rows = sizes.max_running_requests
    if "_build_req_to_token_pool" in space:
        runner._build_req_to_token_pool(max_num_reqs=rows)
    else:
        space["build_table"](runner, rows)
    if is_early:
        runner.model_runner = runner
        space["running_requests"](runner, settings)
    height, width = space["shapes"][0]
    return {
        "full": sizes.max_total_num_tokens,
        "window": sizes.swa_max_total_num_tokens if case["layout"] == "windows" else None,
        "requests": sizes.max_running_requests,
        "rows": height,
        "entries": width,
        "slots": settings.states[0] if settings.states else None,
    }


def random_case(rng, version):
    def some(share, values, otherwise=None):
        return rng.choice(values) if rng.random() < share else otherwise

    is_early = not since(version, "0.5.7")
    # Window pools of their own begin with one class of models, whose split is another.
    layout = rng.choice(["heads", "windows"] if since(version, "0.4.9.post3") else ["heads"])
    # Later releases split states in functions of their own, which other trials run.
    if since(version, "0.5.3.post3") and not since(version, "0.5.10") and rng.random() < 0.4:
        layout = "states"
    pages = [1, 16, 64, 128] if since(version, "0.4.4") else [1]
    case = cellTrials.random_case(rng, layout, 15)
    if layout == "windows" and is_early:
        # Early releases know one kind of heads.
        for name in ("swa_num_key_value_heads", "swa_head_dim", "swa_v_head_dim", "v_head_dim"):
            case["config"].pop(name, None)
    if is_early:
        case["config"].pop("v_head_dim", None)
    if layout == "windows" and since(version, "0.5.7") and not since(version, "0.5.9"):
        # Two releases count the class of these layouts as one with window heads of its own.
        case["config"] |= {"swa_num_key_value_heads": 8, "swa_head_dim": 192, "swa_v_head_dim": 128}
    drafts = rng.choice([2, 4, 8])
    is_windowed = layout == "windows" and since(version, "0.5.3.post3") and is_early
    is_draft = (layout in ("heads", "states") or is_windowed) and rng.random() < 0.4
    has_decode = layout != "states" or since(version, "0.5.4")
    dp = rng.choice([1, 1, 1, 2, 4])
    attention_groups = rng.random() < 0.7
    return case | {
        "dtype": "bfloat16",
        "draft": {"kind": "eagle" if is_draft else "none", "layers": 1},
        "tp": case["attn_tp"] * (dp if attention_groups else 1),
        "dp": dp,
        "attention_groups": attention_groups,
        "page": rng.choice(pages),
        "rest": rng.uniform(0.5, 120),
        "context": rng.choice([4096, 32768, 131072]),
        "limit": some(0.5, [1, 1000, 10001, 100_000, 700_003, 10**8]),
        "requests": rng.choice([1, 8, 48, 257, 3000]) if is_draft else some(0.5, [1, 8, 48, 257, 3000]),
        "mode": some(0.2, ["decode", "prefill"] if has_decode else ["prefill"], "null"),
        "slot": rng.randrange(1 << 20, 1 << 27),
        "slots": some(0.2, [16, 100]),
        "no_cache": rng.random() < 0.3,
        "no_overlap": rng.random() < 0.3,
        "chunk": rng.choice([2048, 8192]),
        "steps": rng.randrange(1, 8),
        "branches": rng.choice([1, 1, 2, 4]),
        "drafts": drafts,
    }


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    for argument in sys.argv[3:]:
        root, version = argument.rsplit("=", 1)
        rng = random.Random(f"{seed} {version}")
        for _ in range(count):
            case = {"release": version, **random_case(rng, version)}
            print(json.dumps({**case, "expected": solve(root, version, case)}))


if __name__ == "__main__":
    main()
