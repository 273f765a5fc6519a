"""What the releases make of compressed attention: prints one JSON object a line.

`compressedTrials.py SEED COUNT ROOT=VERSION...`: for each release, COUNT random layouts, settings and
budgets, with the bytes per token and the pools of the release's own configurator. Nothing of a release
is imported: the class is compiled apart, and what it reaches outside is a stub. A name that no stub
knows ends the script.
"""

import ast
import enum
import functools
import json
import random
import sys
from pathlib import Path


class Open:
    """An object whose attributes are given, and nothing else."""

    def __init__(self, **values):
        self.__dict__.update(values)


class Quiet:
    def __getattr__(self, _):
        return lambda *a, **k: None


class Bare(ast.NodeTransformer):
    """Without annotations, decorators of functions and imports inside."""

    def visit_ImportFrom(self, _):
        return ast.Pass()

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.returns = None
        for argument in [*node.args.args, *node.args.kwonlyargs]:
            argument.annotation = None
        return node


def code_of(root):
    folder = Path(root) / "sglang/srt"
    wanted = {
        folder / "model_executor/pool_configurator.py": {
            "MemoryPoolConfigurator",
            "DSV4PoolConfigurator",
            "_get_dsv4_compress_state_dtype_sizes",
        },
        folder / "mem_cache/deepseek_v4_memory_pool.py": {
            "get_compress_state_ring_size",
            "get_compress_state_write_pad",
            "get_swa_ring_size",
            "get_dsv4_indexer_bytes_per_token",
            "resolve_compress_state_ring_size",
            "collect_sources_by_ratio",
            "resolve_compressed_kv_layout",
            "get_draft_swa_ring_size",
            "uses_draft_swa_ring",
        },
    }
    wanted[folder / "model_executor/pool_configurator.py"] |= {
        "_operator_swa_full_tokens_ratio",
        "check_dsv4_unified_fp8_pd_supported",
    }
    layouts = [path for path in folder.parent.glob("kernels/ops/attention/dsv4/*.py") if "\nclass KVLayout(" in path.read_text()]
    wanted |= {path: {"KVLayout"} for path in layouts}
    nodes = [
        Bare().visit(node)
        for path, names in wanted.items()
        for node in ast.parse(path.read_text()).body
        if getattr(node, "name", None) in names
    ]
    module = ast.Module(body=nodes, type_ignores=[])
    return compile(ast.fix_missing_locations(module), "release", "exec")


def solve(code, case):
    config = case["config"]
    drafts = case["drafts"]
    state = Open(
        swa_full_tokens_ratio=case["ratio"],
        _swa_full_tokens_ratio_explicitly_set=True,
        swa_prefix_tails=None,
        disable_radix_cache=False,
        chunked_prefill_size=8192,
        features=Open(enable_encoder_swa_bounded_replay=False),
        speculative_algorithm="EAGLE" if drafts else None,
        max_speculative_num_draft_tokens=drafts,
        speculative_num_draft_tokens=drafts,
        max_running_requests=case["requests"],
        disaggregation_mode="null",
        disaggregation_decode_extra_slots=0,
        enable_hisparse=False,
        kernel=Open(enable_deepseek_v4_fp4_indexer=False, dsv4_attn_backend=None),
    )
    off = Open(get=lambda: False)
    space = {
        "logger": Quiet(),
        "dataclass": lambda cls: cls,
        "envs": Open(
            SGLANG_DSV4_COMPRESS_STATE_DTYPE=Open(get=lambda: "float32"),
            SGLANG_OPT_USE_ONLINE_COMPRESS=off,
            SGLANG_EXPERIMENTAL_ONLINE_C128_MTP=off,
        ),
        "ONLINE_C128": False,
        "get_schedule": lambda: state,
        "get_spec": lambda: state,
        "get_memory": lambda: state,
        "get_disagg": lambda: state,
        "get_exec": lambda: state,
        "get_parallel": lambda: Open(attn_dp_size=case["dp"]),
        "max_speculative_num_draft_tokens": lambda: drafts,
        "ceil_div": lambda a, b: -(-a // b),
        "ceil_align": lambda value, page: -(-value // page) * page,
        "is_unified_kv_triton": lambda: False,
        "is_unified_kv_fp8": lambda: False,
        "dsv4_unified_row_bytes": lambda *_: 1024,
        "_is_hip": False,
        "_is_npu": False,
        "enum": enum,
        "functools": functools,
        "DSV4_DEFAULT_SWA_FULL_TOKENS_RATIO": 0.1,
        # The layout of every card whose kernels are not asked for another one.
        "select_dsv4_kv_layout": lambda: (space["KVLayout"].V4, None),
        "_DSV4PoolSizes": Open,
        "MemoryPoolConfig": lambda **values: values,
    }
    exec(code, space)
    layers = config["num_hidden_layers"]
    model = Open(
        qk_nope_head_dim=config["head_dim"] - config["qk_rope_head_dim"],
        qk_rope_head_dim=config["qk_rope_head_dim"],
        index_head_dim=config["index_head_dim"],
        compress_ratios=config["compress_ratios"],
        window_size=config["sliding_window"],
        context_len=case["context"],
        hf_config=Open(kv_source_layer_ids=[]),
    )
    owner = Open(
        kv_cache_dtype_str="fp8_e4m3",
        model_config=model,
        layer_info=Open(start_layer=0, end_layer=layers),
        start_layer=0,
        end_layer=layers,
        server_args=state,
        ps=Open(pp_size=1, attn_dp_size=case["dp"]),
        pp_size=1,
        enable_hisparse=False,
        dp_size=case["dp"],
        attn_dp_size=case["dp"],
        pp_group=Open(world_size=1, rank_in_group=0),
        spec_algorithm=Open(
            is_none=lambda: drafts is None,
            is_eagle=lambda: drafts is not None,
            is_dspark=lambda: False,
        ),
        sliding_window_size=config["sliding_window"],
        page_size=case["page"],
    )
    made = space["DSV4PoolConfigurator"](owner)
    try:
        sizes = made.calculate_pool_sizes(case["budget"], case["page"])
    except ValueError:
        sizes = None
    return {
        "cell": made.bytes_per_full_token,
        "full": sizes and sizes["full_max_total_num_tokens"],
        "window": sizes and sizes["swa_max_total_num_tokens"],
    }


def random_case(rng):
    layers = rng.randrange(8, 70)
    dp = rng.choice([1, 1, 4])
    return {
        "config": {
            "architectures": ["DeepseekV4ForCausalLM"],
            "num_hidden_layers": layers,
            "num_attention_heads": 64,
            "head_dim": rng.choice([256, 512]),
            "qk_rope_head_dim": 64,
            "index_head_dim": rng.choice([64, 128, 256]),
            "index_topk": 512,
            "sliding_window": 128,
            "compress_ratios": [rng.choice([0, 4, 4, 128, 128]) for _ in range(layers)],
        },
        "ratio": rng.choice([0.1, 0.25, 0.8]),
        "drafts": rng.choice([None, None, 2, 4]),
        "requests": rng.choice([None, 2, 16, 64, 1024]),
        "dp": dp,
        "page": rng.choice([128, 256]),
        "context": rng.choice([8192, 131072, 1048576]),
        "budget": rng.randrange(2**33, 2**38),
    }


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    for argument in sys.argv[3:]:
        root, version = argument.rsplit("=", 1)
        rng = random.Random(f"{seed} {version}")
        code = code_of(root)
        for _ in range(count):
            case = random_case(rng)
            print(json.dumps({"release": version, **case, "expected": solve(code, case)}))


main()
