"""Changes a sizing function of a real release and runs it with a stubbed self.

Reads a JSON list of rows from stdin and prints one result a row: the changed text of the whole
file, and what CPython makes of the changed function. Every local name is renamed in the function
and in the methods that it calls, one constant and one term are changed. Nothing of the release is
imported: only the functions themselves are compiled.
"""

import ast
import json
import math
import sys
import types

GIB = 1 << 30


def find(tree, qualified):
    nodes = [tree]
    for part in qualified.split("."):
        nodes = [
            child
            for node in nodes
            for child in ast.iter_child_nodes(node)
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)) and child.name == part
        ]
    return nodes[0]


def bound_names(function):
    names = [arg.arg for arg in function.args.args + function.args.kwonlyargs if arg.arg != "self"]
    names += [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return list(dict.fromkeys(names))


class Edits:
    """Replacements in a text, by the places that ast gives."""

    def __init__(self, text):
        self.text = text
        self.starts = [0]
        for line in text.encode().splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.edits = {}

    def at(self, line, column):
        return self.starts[line - 1] + column

    def replace(self, node, new):
        start = self.at(node.lineno, node.col_offset)
        self.edits[(start, self.at(node.end_lineno, node.end_col_offset))] = new

    def insert(self, offset, new):
        self.edits[(offset, offset, len(self.edits))] = new

    def apply(self):
        data = self.text.encode()
        for key in sorted(self.edits, reverse=True):
            data = data[: key[0]] + self.edits[key].encode() + data[key[1] :]
        return data.decode()


def rename(edits, function, prefix):
    names = {name: f"{prefix}{at}" for at, name in enumerate(bound_names(function))}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id in names:
            edits.replace(node, names[node.id])
        elif isinstance(node, ast.arg) and node.arg in names:
            start = edits.at(node.lineno, node.col_offset)
            edits.edits[(start, start + len(node.arg.encode()))] = names[node.arg]
    return names


def mutate(text, function, helpers):
    edits = Edits(text)
    names = rename(edits, function, "renamed")
    for at, helper in enumerate(helpers):
        rename(edits, helper, f"inner{at}_")
    # One constant: the 1 of `1 - fraction`. One term: half of what is subtracted first.
    constant = next(
        node.left
        for node in ast.walk(function)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
        and isinstance(node.left, ast.Constant) and node.left.value == 1
    )
    edits.replace(constant, "1.0625")
    terms = [
        node.right
        for node in ast.walk(function)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
        and not isinstance(node.left, ast.Constant) and isinstance(node.right, (ast.BinOp, ast.Name))
    ]
    term = min(terms, key=lambda node: (node.lineno, node.col_offset))
    edits.insert(edits.at(term.lineno, term.col_offset), "0.5 * (")
    edits.insert(edits.at(term.end_lineno, term.end_col_offset), ")")
    return edits.apply(), names


class Anything:
    def __init__(self, **known):
        self.__dict__.update(known)

    def __call__(self, *args, **kwargs):
        return self

    def __getattr__(self, name):
        return Anything()

    def __gt__(self, other):
        return False


def plain_self(values, methods):
    """The plain profile: no draft, no state layers, no indexer, text only, one stage."""
    heads = values.get("num_key_value_heads", 8)
    layers = values["num_layers"]
    config = Anything(
        num_hidden_layers=layers,
        num_key_value_heads=heads,
        hf_config=Anything(architectures=[]),
        hf_text_config=Anything(),
        attention_arch="MLA" if values["use_mla"] else "MHA",
        is_multimodal=False,
        is_hybrid_swa=False,
        get_num_kv_heads=lambda tp: max(1, heads // tp),
        **{name: values[name] for name in (
            "kv_lora_rank", "qk_rope_head_dim", "head_dim", "v_head_dim", "hidden_size",
            "num_attention_heads") if name in values},
    )
    fraction = values["memFractionStatic"]
    arguments = Anything(
        mem_fraction_static=fraction, enable_mla=values["use_mla"], disable_mla=not values["use_mla"],
        mm_feature_transport=None,
    )
    return Anything(
        model_config=config, server_args=arguments, mem_fraction_static=fraction,
        tp_size=values["attn_tp_size"], pp_size=1, num_effective_layers=layers, tp_rank=0, gpu_id=0,
        device="cuda", use_mla_backend=values["use_mla"], is_draft_worker=False,
        mambaish_config=None, is_hybrid_gdn=False, is_hybrid_swa=False, kv_cache_dtype="kv", dtype="kv",
        post_capture_kv_active=False, **methods,
    )


def globals_for(values):
    free = values["availableAfterLoad"]
    size = Anything(_element_size=lambda dtype: values["kv_element_size"])
    return {
        "get_available_gpu_memory": lambda *args, **kwargs: free,
        "get_attention_tp_size": lambda: values["attn_tp_size"],
        "get_world_group": Anything(),
        "get_schedule": lambda: Anything(mem_fraction_static=values["memFractionStatic"]),
        "get_device_memory_capacity": lambda device: 0,
        "mm_runtime_reservation_gb": lambda **kwargs: 0.0,
        "is_float4_e2m1fn_x2": lambda dtype: False,
        "is_deepseek_nsa": lambda config: False,
        "AttentionArch": Anything(MLA="MLA", MHA="MHA"),
        "torch": Anything(_utils=size),
        "math": math,
        "get_global_server_args": Anything(),
    }


def compiled(text, qualified, names):
    node = find(ast.parse(text), qualified)
    node.decorator_list = []
    for arg in node.args.args + node.args.kwonlyargs:
        arg.annotation = None
    node.returns = None
    module = ast.Module(body=[node], type_ignores=[])
    space = dict(names)
    exec(compile(module, "<changed>", "exec"), space)
    return space[node.name]


def run(row):
    text = open(row["path"], encoding="utf-8").read()
    qualified = row["function"]
    owner = qualified.rsplit(".", 1)[0]
    tree = ast.parse(text)
    function = find(tree, qualified)
    helpers = [node for node in find(tree, owner).body
               if isinstance(node, ast.FunctionDef) and node.name == "get_cell_size_per_token"]
    changed, names = mutate(text, function, helpers)
    values = row["values"]
    space = globals_for(values)
    methods = {}
    me = plain_self(values, methods)
    for helper in helpers:
        method = compiled(changed, f"{owner}.{helper.name}", space)
        setattr(me, helper.name, types.MethodType(method, me))
    call = compiled(changed, qualified, space)
    found = {}

    def watch(frame, event, argument):
        if event == "return" and frame.f_code is call.__code__:
            found.update(frame.f_locals)

    total = values["totalBeforeLoad"] * (GIB if row["bytes"] else 1)
    sys.setprofile(watch)
    try:
        returned, raised = call(me, total), None
    except ValueError as error:
        returned, raised = None, f"ValueError: {error}"
    finally:
        sys.setprofile(None)
    numbers = {name: value for name, value in found.items()
               if isinstance(value, (int, float)) and not isinstance(value, bool)}
    return {"text": changed, "names": names, "locals": numbers, "returns": returned, "raises": raised}


if __name__ == "__main__":
    print(json.dumps([run(row) for row in json.load(sys.stdin)]))
