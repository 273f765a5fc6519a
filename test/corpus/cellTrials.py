"""What the releases' own classes make of random layouts: prints one JSON object a line.

`cellTrials.py SEED COUNT ROOT=VERSION...`: for each release, COUNT layouts of every kind of attention
with random dimensions, ranks, dtypes and drafts, and the bytes per token and pool sizes that the
release's pool configurators give them. Nothing of a release is imported: its classes are compiled
apart, and what they reach outside is a stub that knows the layout. A name that no stub knows ends the
script.
"""

import ast
import functools
import json
import math
import random
import sys
import types
from pathlib import Path

SIZES = {"bfloat16": 2, "fp8_e4m3": 1, "fp8_e5m2": 1, "fp4_e2m1": 1, "nvfp4": 1, "fp4_mx_block16": 1, "mxfp8": 1}


class Open:
    """An object whose attributes are given, and nothing else."""

    def __init__(self, **values):
        self.__dict__.update(values)


def functions_of(path, names):
    """Parses single functions of a file."""
    tree = ast.parse(Path(path).read_text())
    return [node for node in tree.body if getattr(node, "name", None) in names]


def without_imports(node):
    """Imports inside functions are stubs of the space instead."""

    class Remover(ast.NodeTransformer):
        def visit_ImportFrom(self, found):
            return ast.Pass()

    return Remover().visit(node)


def space_of(root, case):
    layout = case["layout"]
    parallel = Open(
        attn_tp_size=case["attn_tp"],
        attn_dcp_size=case["dcp"],
        dcp_size=case["dcp"],
        attn_dp_size=case.get("dp", 1),
    )
    # An fp8 row of sparse attention has scales from the release on that budgets them.
    fp8 = case["dtype"] == "fp8_e4m3"

    def latent_dim(model_config, **_):
        c, r = model_config.kv_lora_rank, model_config.qk_rope_head_dim
        return c + c // 128 * 4 + r * 2 if fp8 and layout == "sparse" else c + r

    def heads_of(count):
        def heads(tp, dcp=1):
            return max(1, count // max(1, tp // dcp))

        return heads

    space = {
        "annotations": None,
        "torch": Open(
            _utils=Open(_element_size=lambda dtype: SIZES.get(dtype, 1)),
            iinfo=lambda _: Open(max=2**63 - 1),
            empty=lambda _, dtype: Open(element_size=lambda: dtype),
            int64=None,
        ),
        "logger": Open(info=lambda *_: None),
        "math": math,
        "Optional": None,
        "dataclass": lambda cls: cls,
        "is_float4_e2m1fn_x2": lambda dtype: "fp4" in dtype,
        "resolve_kv_cache_quant": lambda name: name,
        "get_kv_cache_quant_method": lambda name, **_: space["recipe"](name, case.get("backends")),
        "is_deepseek_dsa": lambda _: layout == "sparse",
        "is_deepseek_nsa": lambda _: layout == "sparse",
        "is_deepseek_v4": lambda _: False,
        "is_minimax_sparse": lambda _: layout == "sparse_heads",
        "get_minimax_sparse_attention_config": lambda config: config.sparse,
        "get_dsa_index_head_dim": lambda config: config.index_head_dim,
        "get_nsa_index_head_dim": lambda config: config.index_head_dim,
        "DSATokenToKVPool": Open(quant_block_size=128, index_k_with_scale_buffer_dtype="uint8"),
        "NSATokenToKVPool": Open(quant_block_size=128, index_k_with_scale_buffer_dtype="uint8"),
        "get_parallel": lambda: parallel,
        "get_attention_tp_size": lambda: case["attn_tp"],
        "get_memory": lambda: Open(
            enable_hisparse=False, disable_radix_cache=True, enable_unified_memory=False
        ),
        "get_dsa_index_kpool": lambda _: 1,
        "get_minimax_sparse_index_dtype": lambda kv_cache_dtype, model_dtype, **_: (
            kv_cache_dtype if case.get("index_fp8") else model_dtype
        ),
        "m3_fp8_attn_gemm_enabled": lambda _: False,
        "uses_minimax_m3_nvfp4_native_stack": lambda _: False,
        "resolving_view": lambda given: given,
        "parse_qsa_profile": lambda _: None,
        "resolve_qsa_indexer_dtype": None,
        "QSATokenToKVPool": None,
        "compute_page_shard_scratch_bytes": lambda *_, **__: 0,
        "AttentionArch": Open(MLA="latent"),
        "_is_npu": False,
        "_is_hip": False,
        "get_schedule": lambda: Open(
            max_total_tokens=None,
            swa_full_tokens_ratio=case["ratio"],
            max_running_requests=case.get("requests"),
            chunked_prefill_size=case.get("chunk"),
            disable_overlap_schedule=case.get("no_overlap", False),
        ),
        "get_spec": lambda: Open(speculative_num_draft_tokens=None, speculative_algorithm=None),
        "get_disagg": lambda: Open(disaggregation_mode="null", disaggregation_decode_extra_slots=0),
        "envs": Open(
            SGLANG_SWA_EVICTION_INTERVAL=Open(get=lambda: 128),
            SGLANG_NPU_ENABLE_SPARSE_KV_OFFLOAD=Open(get=lambda: False),
        ),
        "mambaish_config": lambda config: config.mambaish,
        "get_glm_dsa_layer_split_effective_num_layers": lambda _, layers: layers,
        "get_glm_dsa_cp_layer_shard_info": lambda _: (0, 1),
        "get_layer_shard_range": None,
        "_should_elide_dsa_index_k": lambda **_: case["elides"],
        "calculate_mla_kv_cache_dim": latent_dim,
        "ceil_align": lambda value, page: -(-value // page) * page,
        "ceil_div": lambda a, b: -(-a // b),
        "KVCacheConfigurator": None,
        "ModelRunner": None,
        "ServerArgs": None,
        "MemoryPoolConfig": lambda **values: values,
    }
    space["heads_of"] = heads_of
    return space


def model_of(case, space):
    config = case["config"]
    layers = config["num_hidden_layers"]
    head_dim = config.get("head_dim", 0)
    kinds = config.get("layer_types")
    full = [i for i, kind in enumerate(kinds or []) if kind == "full_attention"]
    windows = [i for i, kind in enumerate(kinds or []) if kind == "sliding_attention"]
    states = [i for i, kind in enumerate(kinds or []) if kind == "linear_attention"]
    frequency = config.get("index_topk_freq", 1)
    offset = config.get("index_skip_topk_offset", 2)
    hf = Open(
        index_head_dim=config.get("index_head_dim"),
        architectures=config.get("architectures", ["X"]),
        sparse=config.get("sparse_attention_config"),
        index_topk_freq=frequency,
        index_skip_topk_offset=offset,
        **{key: config[key] for key in ("indexer_types", "cli_factor", "index_topk_pattern") if key in config},
    )
    mambaish = Open(full_attention_layer_ids=full) if states else None
    heads_of = space["heads_of"]
    model = Open(
        hf_config=hf,
        hf_text_config=hf,
        kv_lora_rank=config.get("kv_lora_rank"),
        qk_rope_head_dim=config.get("qk_rope_head_dim"),
        head_dim=head_dim,
        v_head_dim=config.get("v_head_dim", head_dim),
        swa_head_dim=config.get("swa_head_dim", head_dim),
        swa_v_head_dim=config.get("swa_v_head_dim", config.get("v_head_dim", head_dim)),
        get_num_kv_heads=heads_of(config.get("num_key_value_heads", 1)),
        get_swa_num_kv_heads=heads_of(
            config.get("swa_num_key_value_heads", config.get("num_key_value_heads", 1))
        ),
        full_attention_layer_ids=full,
        swa_attention_layer_ids=windows,
        mambaish=mambaish,
        attention_arch="latent" if case["layout"] in ("latent", "sparse") else "heads",
        quantization=None,
        context_len=8192,
    )
    start, end = case["stage"]
    info = Open(
        start_layer=start,
        end_layer=end,
        num_effective_layers=end - start,
        full_attention_layer_ids=full,
        swa_attention_layer_ids=windows,
    )
    draft = case["draft"]
    spec = Open(
        is_eagle=lambda: draft["kind"] == "eagle",
        is_standalone=lambda: False,
        is_dflash=lambda: draft["kind"] == "block",
        is_dflash_family=lambda: draft["kind"] == "block",
        is_none=lambda: draft["kind"] == "none",
    )
    aux = Open(
        eagle_draft_num_layers=draft["layers"] if draft["kind"] == "eagle" else None,
        eagle_draft_swa_num_layers=draft.get("windows"),
        dflash_draft_num_layers=draft["layers"] if draft["kind"] == "block" else None,
        dflash_draft_cell_size_per_token=None,
    )
    server = Open(
        enable_hisparse=False,
        dcp_size=case["dcp"],
        kv_cache_dtype=case["dtype"],
        swa_full_tokens_ratio=case["ratio"],
        max_total_tokens=None,
        max_running_requests=case.get("requests"),
        chunked_prefill_size=case.get("chunk"),
        disable_radix_cache=True,
        disable_overlap_schedule=case.get("no_overlap", False),
        speculative_num_draft_tokens=None,
        speculative_algorithm=None,
        disaggregation_mode="null",
    )
    return Open(
        model_config=model,
        layer_info=info,
        start_layer=start,
        end_layer=end,
        num_effective_layers=end - start,
        mambaish_config=mambaish,
        kv_cache_dtype=case["dtype"],
        kv_cache_dtype_str=case["dtype"],
        model_dtype="bfloat16",
        use_mla_backend=case["layout"] in ("latent", "sparse"),
        is_draft_worker=False,
        spec_algorithm=spec,
        spec_aux_config=aux,
        eagle_draft_num_layers=aux.eagle_draft_num_layers,
        dflash_draft_num_layers=aux.dflash_draft_num_layers,
        dflash_draft_cell_size_per_token=None,
        server_args=server,
        sliding_window_size=config.get("sliding_window"),
        page_size=case["page"],
        ps=Open(pp_size=1, attn_dp_size=case.get("dp", 1)),
        dp_size=1,
        pp_size=1,
        attn_dp_size=case.get("dp", 1),
        fused_entry_bytes=lambda _: None,
        device=None,
    )


def random_case(rng, layout, minor):
    layers = rng.randrange(8, 97)
    tp = rng.choice([1, 1, 2, 3, 4, 6, 8, 16])
    head_dim = rng.choice([64, 80, 96, 128, 192, 256])
    config = {
        "num_hidden_layers": layers,
        "num_attention_heads": 64,
        "num_key_value_heads": rng.choice([1, 2, 3, 4, 8, 10, 16, 32]),
        "head_dim": head_dim,
        "torch_dtype": "bfloat16",
    }
    if rng.random() < 0.3:
        config["v_head_dim"] = rng.choice([64, 128, 192])
    dtypes = ["bfloat16", "bfloat16", "fp8_e4m3"]
    # Servers of sparse attention do not start with it.
    dtypes += [] if layout == "sparse" else ["fp8_e5m2"]
    if layout == "latent" or (layout == "heads" and minor < 21):
        dtypes.append("fp4_e2m1")
    if layout == "heads" and minor >= 21:
        dtypes += ["nvfp4", "fp4_mx_block16"]
    if layout in ("heads", "windows") and minor >= 16:
        dtypes.append("mxfp8")
    if layout in ("latent", "sparse"):
        config = {
            "num_hidden_layers": layers,
            "num_attention_heads": 64,
            "kv_lora_rank": rng.choice([256, 384, 512, 640]),
            "qk_rope_head_dim": rng.choice([32, 64, 96]),
            "torch_dtype": "bfloat16",
        }
    if layout == "sparse":
        config["kv_lora_rank"] = rng.choice([256, 384, 512, 640])
        config |= {"index_topk": 2048, "index_head_dim": rng.choice([64, 128, 256])}
        if rng.random() < 0.5:
            config |= {"index_topk_freq": rng.choice([2, 3, 4]), "index_skip_topk_offset": rng.choice([2, 3])}
        if rng.random() < 0.3:
            config["indexer_types"] = [rng.choice(["full", "shared"]) for _ in range(layers)]
        if rng.random() < 0.2:
            config["cli_factor"] = rng.choice([1, 2, 3])
        if rng.random() < 0.2:
            config["index_topk_pattern"] = "".join(rng.choice("FS") for _ in range(layers))
    if layout == "windows":
        config["architectures"] = ["MiMoV2FlashForCausalLM"]
        step = rng.choice([2, 3, 4, 6])
        kinds = ["full_attention" if (i + 1) % step == 0 else "sliding_attention" for i in range(layers)]
        config |= {"layer_types": kinds, "sliding_window": 128}
        if rng.random() < 0.5:
            config |= {"swa_num_key_value_heads": 8, "swa_head_dim": 192, "swa_v_head_dim": 128}
    if layout == "states":
        step = rng.choice([2, 4, 8])
        config["layer_types"] = [
            "full_attention" if (i + 1) % step == 0 else "linear_attention" for i in range(layers)
        ]
        config |= {
            "linear_num_value_heads": 32,
            "linear_num_key_heads": 16,
            "linear_key_head_dim": 128,
            "linear_value_head_dim": 128,
            "linear_conv_kernel_dim": 4,
        }
    if layout == "sparse_heads":
        config.pop("v_head_dim", None)
        flags = [0 if i < 3 else 1 for i in range(layers)]
        sparse = {"sparse_attention_freq": flags, "sparse_index_dim": rng.choice([64, 128])}
        if rng.random() < 0.6:
            sparse["sparse_disable_index_value"] = [rng.randrange(2) for _ in range(layers)]
        config |= {
            "architectures": ["MiniMaxM3SparseForCausalLM"],
            "sparse_attention_config": sparse,
        }
    kind = rng.choice(["none", "none", "eagle", "block"])
    if layout == "windows" and kind == "block":
        kind = "none"
    case = {
        "layout": layout,
        "config": config,
        "attn_tp": tp,
        "dcp": 1,
        "dtype": rng.choice(dtypes),
        "draft": {"kind": kind, "layers": rng.randrange(1, 5)},
        "stage": [0, layers],
        "ratio": rng.choice([0.8, 0.5, 1.0, 0.1]),
        "page": rng.choice([1, 16, 64]),
        "elides": True,
        "budget": rng.randrange(2**32, 2**38),
    }
    return case


def recipes_of(folder):
    """How recipes of FP4 count a token; the rest of them is beside the point."""
    path = folder / "layers/quantization/fp4_kv_cache_quant_method.py"
    names = {"NVFP4KVCacheMethod", "FP4MXBlock16KVCacheMethod"}
    classes = functions_of(path, names) if path.exists() else []
    for found in classes:
        found.bases = []
        found.body = [
            node
            for node in found.body
            if isinstance(node, ast.Assign) or getattr(node, "name", None) == "compute_cell_size"
        ]
    return classes


def recipe_of(space):
    """A recipe whose backends need so many layouts of scales, and a workspace of such values."""

    def made(name, backends):
        found = {"nvfp4": "NVFP4KVCacheMethod", "fp4_mx_block16": "FP4MXBlock16KVCacheMethod"}
        recipe = space[found[name]]()
        recipe.needs_linear_scale_buffer = lambda: True
        recipe.needs_native_fp4_scales = lambda: backends["copies"] == 2
        recipe.dequant_workspace_dtype = lambda: backends["workspace"]
        recipe.configure_attention_backends_from_server_args = lambda _: None
        return recipe

    return made


@functools.cache
def code_of(root):
    """The classes of a release and what they call, compiled once."""
    folder = Path(root) / "sglang/srt"
    wanted = {
        "_dflash_draft_cell_size",
        "_get_dsa_cache_layer_ids",
        "compute_swa_request_cap",
        "MemoryPoolConfigurator",
        "DefaultPoolConfigurator",
        "HybridSWAPoolConfigurator",
        "SWAChunkCapPoolConfigurator",
        "SWARequestCapPoolConfigurator",
    }
    own = {"dsa_layer_skips_topk", "get_minimax_sparse_layer_ids", "get_minimax_sparse_disable_value_layer_ids"}
    nodes = functions_of(folder / "configs/model_config.py", own)
    nodes += recipes_of(folder)
    scale_file = folder / "speculative/dflash_utils.py"
    if scale_file.exists():
        nodes += functions_of(scale_file, {"scale_kv_cell_size_per_token_for_dflash"})
    nodes += map(without_imports, functions_of(folder / "model_executor/pool_configurator.py", wanted))
    module = ast.Module(body=nodes, type_ignores=[])
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for argument in [*node.args.args, *node.args.kwonlyargs]:
                argument.annotation = None
    return compile(ast.fix_missing_locations(module), "release", "exec")


def solve(root, version, case):
    space = space_of(root, case)
    space["__annotations__"] = {}
    exec(code_of(root), space)
    space["recipe"] = recipe_of(space)
    model = model_of(case, space)
    if case["layout"] == "windows":
        caps = ("SWAChunkCapPoolConfigurator", "SWARequestCapPoolConfigurator")
        capped = [name for name in caps if name in space]
        name = capped[0] if case.get("requests") else "HybridSWAPoolConfigurator"
        made = space[name](model)
        try:
            sizes = made.calculate_pool_sizes(case["budget"], case["page"])
        except (ValueError, RuntimeError):
            sizes = None
        return {
            "cell": made._cell_size,
            "full": sizes and sizes["full_max_total_num_tokens"],
            "window": sizes and sizes["swa_max_total_num_tokens"],
        }
    made = space["DefaultPoolConfigurator"](model)
    return {"cell": made._cell_size}


def spread(rng, case, minor):
    """More ranks around those of attention: data and context groups, groups of decoding, stages."""
    data, context = rng.choice([1, 1, 2]), rng.choice([1, 1, 2])
    tp = case["attn_tp"]
    if minor >= 18 and case["layout"] == "heads" and rng.random() < 0.3:
        case["dcp"] = rng.choice([size for size in (1, 2, 4) if tp % size == 0])
    has_stages = case["layout"] != "windows" and case["draft"]["kind"] == "none"
    stages = rng.choice([1, 1, 2, 3, 4]) if has_stages else 1
    return case | {"tp": tp * data * context, "dp": data, "cp": context, "pp": stages}


def stages_of(case):
    """The last stages take the layers that do not divide, one each."""
    layers, count = case["config"]["num_hidden_layers"], case["pp"]
    sizes = [layers // count + (at >= count - layers % count) for at in range(count)]
    return [[sum(sizes[:at]), sum(sizes[: at + 1])] for at in range(count)]


def without_index(case):
    """The same layout with index keys and values of no size."""
    config = dict(case["config"])
    if "index_head_dim" in config:
        config["index_head_dim"] = 0
    if "sparse_attention_config" in config:
        config["sparse_attention_config"] = config["sparse_attention_config"] | {"sparse_index_dim": 0}
    return case | {"config": config}


def largest(root, version, case):
    """
    Of the stage whose tokens cost most, which decides. Where layers and index rows are known apart,
    but not which stage has both, the cell is at least that of a stage with most layers and at most
    that of a stage with most of both.
    """
    is_fp8 = case["layout"] == "sparse_heads" and case["dtype"] == "fp8_e4m3"
    if is_fp8 and minor_of(version) >= 21 and "index_fp8" not in case:
        # Backends decide whether index rows are FP8 too.
        narrow = largest(root, version, case | {"index_fp8": True})
        return largest(root, version, case | {"index_fp8": False}) | {"least": narrow["least"]}
    if case["layout"] == "heads" and "fp4" in case["dtype"] and minor_of(version) >= 21 and "backends" not in case:
        # Backends decide what an FP4 cache needs beside its values.
        copies = [1, 2] if case["dtype"] == "nvfp4" else [1]
        sets = [{"copies": one, "workspace": size} for one in copies for size in (None, 1, 2)]
        cells = [largest(root, version, case | {"backends": one})["cell"] for one in sets]
        return {"cell": cells[0], "least": min(cells), "most": max(cells)}
    stages = stages_of(case)
    found = [solve(root, version, case | {"stage": stage}) for stage in stages]
    best = max(found, key=lambda one: one["cell"])
    if case["layout"] == "windows" and case["draft"]["kind"] == "eagle" and minor_of(version) >= 19:
        # Its own config says which layers of a draft keep a window.
        draft = case["draft"]
        layers = range(draft["layers"] + 1)
        cases = [case | {"draft": draft | {"windows": count}} for count in layers]
        cells = [solve(root, version, one | {"stage": stages[0]})["cell"] for one in cases]
        return {"cell": best["cell"], "least": min(cells), "most": max(cells)}
    if len(stages) == 1 or not case["layout"].startswith("sparse"):
        return best | {"least": best["cell"], "most": best["cell"]}
    cells = [one["cell"] for one in found]
    plain = without_index(case)
    layers = [solve(root, version, plain | {"stage": stage})["cell"] for stage in stages]
    index = [cell - alone for cell, alone in zip(cells, layers)]
    return best | {
        "least": max(cell for cell, alone in zip(cells, layers) if alone == max(layers)),
        "most": max(layers) + max(index),
    }


def minor_of(version):
    return int(version.split(".")[2])


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    for argument in sys.argv[3:]:
        root, version = argument.rsplit("=", 1)
        minor = minor_of(version)
        rng = random.Random(f"{seed} {version}")
        layouts = ["heads", "latent", "sparse", "windows", "states"]
        if minor >= 16:
            layouts.append("sparse_heads")
        for layout in layouts:
            for _ in range(count):
                case = random_case(rng, layout, minor)
                if layout == "windows" and minor >= 16 and rng.random() < 0.3:
                    case |= {
                        "requests": rng.choice([1, 1, 16, 64, 256]),
                        "chunk": rng.choice([2048, 8192]),
                        "no_overlap": rng.random() < 0.5,
                    }
                case = spread(rng, case, minor)
                expected = largest(root, version, case)
                print(json.dumps({"release": version, **case, "expected": expected}))


if __name__ == "__main__":
    main()
