"""What the releases' own code makes of random launches: prints one JSON object a line.

`fractionTrials.py SEED COUNT ROOT=VERSION...`: for each release, COUNT launches with random cards, ranks
and flags, and the automatic fraction that the release gives them. Nothing of a release is imported:
the functions that set it are compiled apart, and what they reach outside is a stub. A name that no
stub knows ends the script.
"""

import ast
import copy
import json
import random
import re
import sys
from pathlib import Path

SETTLE = ("handle_piecewise_cuda_graph", "handle_cuda_graph_config", "handle_gpu_memory_settings")
OWN = (*SETTLE, "reserve_for_", "adjust_mem_fraction_for_vlm", "generate_")
OWN += ("parse_cuda_graph", "apply_cuda_graph", "apply_deepep", "validate_cuda_graph")
OWN += ("disable_tc_piecewise", "disable_breakable", "disable_full_prefill", "handle_pd_disaggregation")
GRAPHS = "model_executor/cuda_graph_config.py"
CARDS = [15360, 16380, 20475, 22731, 24564, 24576, 32607, 34000, 40960, 46068, 49140, 61440, 65520]
CARDS += [81559, 81920, 92160, 97887, 98304, 98305, 102400, 141120, 143771, 163840, 180000, 183359]
CARDS += [184320, 196592, 262144, 294896]
CLASSES = {
    "heads": ["LlamaForCausalLM", "LLaDAModelLM", "NemotronHForCausalLM"],
    "latent": ["DeepseekV3ForCausalLM"],
    "sparse": ["DeepseekV32ForCausalLM", "GlmMoeDsaForCausalLM"],
    "separate": ["KimiLinearForCausalLM"],
}
TOWERS = ["LlavaForConditionalGeneration", "KimiK25ForConditionalGeneration"]
TOWERS += ["Qwen3_5MoeForConditionalGeneration"]


class Open:
    """An object whose attributes are given, and nothing else."""

    def __init__(self, **values):
        self.__dict__.update(values)


class Quiet:
    def __getattr__(self, _):
        return lambda *a, **k: None


def since(version, first):
    def key(text):
        base, _, post = text.partition(".post")
        return [int(part) for part in base.split(".")], int(post or -1)

    return key(version) >= key(first)


def bare(function, name=None):
    """Without annotations, decorators and imports inside."""

    class Remover(ast.NodeTransformer):
        def visit_ImportFrom(self, _):
            return ast.Pass()

    made = Remover().visit(copy.deepcopy(function))
    made.returns, made.decorator_list = None, []
    made.name = name or made.name
    for argument in [*made.args.args, *made.args.kwonlyargs]:
        argument.annotation = None
    return made


def parse(path):
    return ast.parse(path.read_text()).body if path.exists() else []


def read_release(root):
    folder = Path(root) / "sglang/srt"
    [owner] = [n for n in parse(folder / "server_args.py") if getattr(n, "name", "") == "ServerArgs"]
    methods = {n.name: n for n in owner.body if isinstance(n, ast.FunctionDef)}
    defaults = {}
    fields = [
        node
        for path in sorted((folder / "arg_groups/fields").glob("*.py"))
        for part in parse(path)
        for node in getattr(part, "body", [])
    ]
    for node in [*owner.body, *fields]:
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            try:
                defaults[node.target.id] = ast.literal_eval(node.value)
            except ValueError:
                defaults[node.target.id] = None
    names = ("memory_hook", "cuda_graph_hook", "pd_disaggregation_hook")
    hooks = [
        node
        for name in names
        for node in parse(folder / f"arg_groups/{name}.py")
        if isinstance(node, ast.FunctionDef)
        and (name != "pd_disaggregation_hook" or "disable_cuda_graph" in ast.unparse(node))
    ]
    codes = [kinds_of(folder), ast.Module(body=body_of(methods, hooks), type_ignores=[])]
    if (folder / GRAPHS).exists():
        codes.insert(0, graphs_of(folder))
    return defaults, [compile(ast.fix_missing_locations(code), "release", "exec") for code in codes]


def kinds_of(folder):
    """What a release asks of a model's class, and where its config keeps the answers."""
    tree = parse(folder / "configs/model_config.py")
    body = [
        bare(node) if isinstance(node, ast.FunctionDef) else node
        for node in tree
        if (isinstance(node, ast.FunctionDef) and node.name.startswith(("is_", "uses_", "_hf_")))
        or (isinstance(node, ast.Assign) and isinstance(node.value, ast.List) and is_plain(node.value))
    ]
    kept = ast.parse("def keep(self, enable_multimodal): pass").body[0]
    kept.body += [
        node
        for owner in tree
        if getattr(owner, "name", "") == "ModelConfig"
        for node in ast.walk(owner)
        if isinstance(node, ast.Assign) and "cuda_graph" in ast.unparse(node.targets[0])
    ]
    return ast.Module(body=[*body, kept], type_ignores=[])


def is_plain(value):
    return all(isinstance(element, ast.Constant) for element in value.elts)


def graphs_of(folder):
    """The settings of both phases, as their own module has them."""
    tree = ast.parse((folder / GRAPHS).read_text())
    tree.body = [n for n in tree.body if not ast.unparse(n).startswith("from sglang")]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = [n for n in node.body if not isinstance(n, ast.ImportFrom)] or [ast.Pass()]
    return tree


def body_of(methods, hooks):
    """Functions of hooks as they are, methods by `own_NAME`; older releases have it in the constructor."""
    body = [bare(node) for node in hooks if node.name.startswith(OWN)]
    body += [
        bare(node, f"own_{name}") for name, node in methods.items() if name.lstrip("_").startswith(OWN)
    ]
    if not any("gpu_memory_settings" in node.name for node in body):
        first = re.compile(r"self\.(mem_fraction_static|chunked_prefill_size|cuda_graph_max_bs) is None")
        steps = [
            node
            for node in methods["__post_init__"].body
            if isinstance(node, ast.If) and first.match(ast.unparse(node.test))
        ]
        made = ast.parse("def own__handle_gpu_memory_settings(self, gpu_mem):\n pass").body[0]
        made.body = [copy.deepcopy(step) for step in steps]
        body.append(bare(made))
    return body


def model_of(case):
    tower = case["tower"]
    vision = None if tower is None else Open(num_hidden_layers=tower[0], hidden_size=tower[1])
    linear = {"kda_layers": [1, 2]} if case["kind"] == "separate" else None
    config = Open(vision_config=vision, architectures=[case["class"]], linear_attn_config=linear)
    if case["kind"] == "sparse":
        config.index_topk = 2048
    return Open(is_multimodal=tower is not None, hf_config=config, hf_text_config=config)


def arguments_of(defaults, case, version):
    off = case["prefill_graphs"] is False
    forced = case["prefill_graphs"] is True
    backend = "breakable" if since(version, "0.5.15") else "tc_piecewise"
    return Open(
        **{
            **defaults,
            **dict(
                device="cuda", model_path="m", tp_size=case["tp"], pp_size=case["pp"],
                dp_size=case["dp"], attn_dp_size=case["dp"], enable_dp_attention=case["dp"] > 1,
                attn_cp_size=case["cp"], dcp_size=case["dcp"], context_length=case["context"],
                chunked_prefill_size=case["chunk"], max_prefill_tokens=16384, page_size=1,
                speculative_algorithm=case["algorithm"], speculative_num_draft_tokens=4,
                max_running_requests=case["requests"], disaggregation_mode=case["mode"],
                disaggregation_transfer_backend="nixl", mem_fraction_static=None,
                cuda_graph_max_bs=case["graph"], cuda_graph_bs=None,
                language_only=case["language_only"], language_model_only=False,
                moe_a2a_backend=case["exchange"], enable_symm_mem=False,
                enable_hierarchical_cache=case["host_cache"],
                disable_cuda_graph=case["no_graphs"], disable_cuda_graph_padding=False,
                max_total_tokens=case["limit"], enable_piecewise_cuda_graph=forced,
                enforce_piecewise_cuda_graph=forced, disable_piecewise_cuda_graph=off,
                piecewise_cuda_graph_tokens=None, cuda_graph_config=None,
                disable_prefill_cuda_graph=off, disable_decode_cuda_graph=False,
                cuda_graph_backend_prefill=backend if forced else None,
                cuda_graph_max_bs_decode=case["graph"], cuda_graph_max_bs_prefill=case["largest"],
                _cuda_graph_config_locked=set(),
            ),
            **({"piecewise_cuda_graph_max_tokens": case["largest"]} if case["largest"] else {}),
        }
    )


def solve(release, case, version):
    defaults, codes = release
    args = arguments_of(defaults, case, version)
    model = model_of(case)
    args.get_model_config = lambda: model
    args.use_mla_backend = lambda: case["kind"] in ("latent", "sparse")
    args.post_capture_kv_sizing_planned = lambda: False
    args._resolved = lambda: args
    args._resolved_attention_backends = lambda: ("fa3", "fa3")
    space = {
        "logger": Quiet(),
        "os": Quiet(),
        "copy": copy,
        "envs": Open(
            SGLANG_SYMM_MEM_PREALLOC_GB_SIZE=Open(is_set=lambda: True),
            SGLANG_DISAGG_STAGING_BUFFER=Open(get=lambda: False),
        ),
        "disable_kimi_k3_symm_mem": lambda _: None,
        "ModelConfig": Open(from_server_args=lambda _: model),
        "resolved_view": lambda given: given,
        "_resolved_view": lambda given: given,
        "resolving_view": lambda given: given,
        "declare_resolution": lambda given, _, **values: given.__dict__.update(values),
        "model_config_of": lambda _: model,
        "attention_backends_of": lambda _: ("fa3", "fa3"),
        "post_capture_kv_sizing_planned": lambda _: False,
        "use_mla_backend": lambda _: args.use_mla_backend(),
        "attn_dp_enabled_of": lambda _: case["dp"] > 1,
        "supports_prefill_cp_bcg": lambda _: False,
        "check_gguf_file": lambda _: False,
        "parse_connector_type": lambda _: None,
        "current_platform": Open(is_out_of_tree=lambda: False),
        "get_platform": lambda: Open(is_xpu=False, is_hip=False, is_npu=False),
        "get_device_memory_capacity": lambda _: case["card"],
        "is_cuda": lambda: True,
        **{f"is_{name}": lambda: False for name in ("npu", "hip", "cpu", "mps", "xpu")},
        "expand_multimodal_decode_graph_to_running_limit": lambda *_: None,
        "_DEFAULT_PP_PREFILL_CUDA_GRAPH_MAX_TOKENS": 8192,
        "__name__": "release",
    }
    for code in codes:
        exec(code, space)
    space["keep"](model, case["tower"] is not None)
    for name, function in list(space.items()):
        if name.startswith("own_"):
            setattr(args, name[4:], (lambda f: lambda *a, **k: f(args, *a, **k))(function))
    # Launches are settled in this order; what a release lacks is no step of it.
    roles = [name for name in space if name == "handle_pd_disaggregation" and since(version, "0.5.15")]
    for name in [*roles, *SETTLE]:
        given = [case["card"]] if name == "handle_gpu_memory_settings" else []
        own, hook = getattr(args, f"_{name}", None), space.get(name)
        if hook:
            hook(args, *given[: hook.__code__.co_argcount - 1])
        elif own:
            own(*given)
    return args.mem_fraction_static


def random_case(rng, version):
    def some(share, values, otherwise=None):
        return rng.choice(values) if rng.random() < share else otherwise

    tp = rng.choice([1, 2, 4, 8, 16])
    # Up to 0.4.8 towers count elsewhere.
    tower = [[27, 1152], [32, 1280], [24, 1024], [63, 5120]] if since(version, "0.4.9") else [None]
    tower = some(0.3, tower)
    kind = rng.choice(["heads", "heads", "latent", "sparse", "separate"])
    return {
        "card": rng.choice(CARDS),
        "tp": tp,
        "pp": some(0.2, [2, 4], 1),
        "dp": min(tp, some(0.2, [2, 4, 8], 1)),
        "cp": some(0.05, [2], 1) if since(version, "0.5.10") else 1,
        "dcp": some(0.05, [2], 1) if since(version, "0.5.16") else 1,
        "chunk": some(0.4, [-1, 512, 1024, 4096, 8192, 16384, 32768]),
        "algorithm": some(0.3, ["EAGLE", "STANDALONE", "NGRAM", "DFLASH"]),
        "requests": some(0.3, [8, 64, 256, 2048]),
        "limit": some(0.2, [500, 3000, 100000]),
        "context": some(0.2, [700, 4096, 131072]),
        "mode": some(0.2, ["prefill", "decode"], "null"),
        "graph": some(0.3, [1, 16, 128, 301, 1024]),
        "tower": tower,
        "kind": kind,
        "class": rng.choice(TOWERS if tower else CLASSES[kind]),
        # Since 0.5.10 a release decides by itself where nobody does.
        "prefill_graphs": rng.choice([True, False, *([None] * 6)])
        if since(version, "0.5.10")
        else rng.random() < 0.6 and since(version, "0.5.3"),
        "largest": some(0.2, [100, 700, 2048, 4096, 8192]),
        "no_graphs": rng.random() < 0.1,
        "host_cache": rng.random() < 0.1,
        "language_only": rng.random() < 0.1,
        "exchange": some(0.4, ["deepep", "deepep", "flashinfer", "megamoe", "mooncake", "mori"], "none"),
    }


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    for argument in sys.argv[3:]:
        root, version = argument.rsplit("=", 1)
        rng = random.Random(f"{seed} {version}")
        release = read_release(root)
        for _ in range(count):
            case = random_case(rng, version)
            print(json.dumps({"release": version, **case, "expected": solve(release, case, version)}))


main()
