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

OWN = ("handle_gpu_memory_settings", "reserve_for_", "adjust_mem_fraction_for_vlm", "generate_")
CARDS = [15360, 16380, 20475, 22731, 24564, 24576, 32607, 34000, 40960, 46068, 49140, 61440, 65520]
CARDS += [81559, 81920, 92160, 97887, 98304, 98305, 102400, 141120, 143771, 163840, 180000, 183359]
CARDS += [184320, 196592, 262144, 294896]


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
    for node in owner.body:
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            try:
                defaults[node.target.id] = ast.literal_eval(node.value)
            except ValueError:
                defaults[node.target.id] = None
    hooks = [
        node
        for name in ("memory_hook", "cuda_graph_hook")
        for node in parse(folder / f"arg_groups/{name}.py")
        if isinstance(node, ast.FunctionDef)
    ]
    return methods, defaults, hooks


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


def solve(release, case):
    methods, defaults, hooks = release
    tower = case["tower"]
    vision = None if tower is None else Open(num_hidden_layers=tower[0], hidden_size=tower[1])
    config = Open(vision_config=vision, architectures=["X"])
    model = Open(is_multimodal=tower is not None, hf_config=config)
    off, piecewise = "disabled", "breakable"
    decode = Open(max_bs=case["graph"], bs=None, backend=off if case["no_graphs"] else "full")
    prefill = Open(max_bs=case["largest"], bs=None, backend=piecewise if case["prefill_graphs"] else off)
    args = Open(
        **{
            **defaults,
            **dict(
                device="cuda", model_path="m", tp_size=case["tp"], pp_size=case["pp"],
                dp_size=case["dp"], attn_dp_size=case["dp"], enable_dp_attention=case["dp"] > 1,
                chunked_prefill_size=case["chunk"], max_prefill_tokens=16384, page_size=1,
                speculative_algorithm=case["algorithm"], speculative_num_draft_tokens=4,
                max_running_requests=case["requests"], disaggregation_mode=case["mode"],
                mem_fraction_static=None, cuda_graph_max_bs=case["graph"], cuda_graph_bs=None,
                language_only=case["language_only"], language_model_only=False,
                moe_a2a_backend="deepep" if case["exchange"] else "none", enable_symm_mem=False,
                disable_cuda_graph=case["no_graphs"], disable_cuda_graph_padding=False,
                max_total_tokens=case["limit"], enable_piecewise_cuda_graph=case["prefill_graphs"],
                disable_piecewise_cuda_graph=not case["prefill_graphs"],
                piecewise_cuda_graph_tokens=None,
                cuda_graph_config=Open(decode=decode, prefill=prefill),
                _cuda_graph_config_locked=set(),
            ),
        }
    )
    if case["largest"]:
        args.piecewise_cuda_graph_max_tokens = case["largest"]
    args.get_model_config = lambda: model
    args.use_mla_backend = lambda: case["latent"]
    args.post_capture_kv_sizing_planned = lambda: False
    args._resolved = lambda: args
    space = {
        "logger": Quiet(),
        "copy": copy,
        "envs": Open(SGLANG_SYMM_MEM_PREALLOC_GB_SIZE=Open(is_set=lambda: True)),
        "Backend": Open(DISABLED=off, BREAKABLE=piecewise),
        "Phase": Open(PREFILL="prefill"),
        "ModelConfig": Open(from_server_args=lambda _: model),
        "resolved_view": lambda given: given,
        "resolving_view": lambda given: given,
        "declare_resolution": lambda given, _, **values: given.__dict__.update(values),
        "model_config_of": lambda _: model,
        "post_capture_kv_sizing_planned": lambda _: False,
        "use_mla_backend": lambda _: case["latent"],
        "attn_dp_enabled_of": lambda _: case["dp"] > 1,
        "get_platform": lambda: Open(is_xpu=False),
        "get_device_memory_capacity": lambda _: case["card"],
        "is_cuda": lambda: True,
        "is_npu": lambda: False,
        "is_hip": lambda: False,
        "expand_multimodal_decode_graph_to_running_limit": lambda *_: None,
        "_DEFAULT_PP_PREFILL_CUDA_GRAPH_MAX_TOKENS": 8192,
    }
    module = ast.Module(body=body_of(methods, hooks), type_ignores=[])
    exec(compile(ast.fix_missing_locations(module), "release", "exec"), space)
    for name, function in list(space.items()):
        if name.startswith("own_"):
            setattr(args, name[4:], (lambda f: lambda *a, **k: f(args, *a, **k))(function))
    settle = getattr(args, "_handle_gpu_memory_settings", None)
    hook = space.get("handle_gpu_memory_settings")
    if settle:
        settle(case["card"])
    elif hook.__code__.co_argcount == 2:
        hook(args, case["card"])
    else:
        hook(args)
    return args.mem_fraction_static


def random_case(rng, version):
    def some(share, values, otherwise=None):
        return rng.choice(values) if rng.random() < share else otherwise

    tp = rng.choice([1, 2, 4, 8, 16])
    return {
        "card": rng.choice(CARDS),
        "tp": tp,
        "pp": some(0.3, [2, 4], 1),
        "dp": min(tp, some(0.3, [2, 4, 8], 1)),
        "chunk": some(0.4, [-1, 512, 1024, 4096, 8192, 16384, 32768]),
        "algorithm": some(0.3, ["EAGLE", "STANDALONE", "NGRAM", "DFLASH"]),
        "requests": some(0.3, [8, 64, 256, 2048]),
        "limit": some(0.2, [500, 3000, 100000]),
        "mode": some(0.2, ["prefill", "decode"], "null"),
        "graph": some(0.3, [1, 16, 128, 301, 1024]),
        # Up to 0.4.8 towers count elsewhere.
        "tower": some(0.3, [[27, 1152], [32, 1280], [24, 1024], [63, 5120]])
        if since(version, "0.4.9")
        else None,
        "latent": rng.random() < 0.3,
        "prefill_graphs": rng.random() < 0.6 and since(version, "0.5.3"),
        "largest": some(0.2, [100, 700, 2048, 4096, 8192]),
        "no_graphs": rng.random() < 0.2,
        "language_only": rng.random() < 0.1,
        # Beside DeepEP later releases align the sizes of prefill graphs elsewhere.
        "exchange": rng.random() < 0.2 and not since(version, "0.5.17"),
    }


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    for argument in sys.argv[3:]:
        root, version = argument.rsplit("=", 1)
        rng = random.Random(f"{seed} {version}")
        release = read_release(root)
        for _ in range(count):
            case = random_case(rng, version)
            print(json.dumps({"release": version, **case, "expected": solve(release, case)}))


main()
