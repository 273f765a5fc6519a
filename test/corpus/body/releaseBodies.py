"""Lists the distinct bodies of memory functions over SGLang releases, and runs them under CPython.

`list ROOT=VERSION...` prints every distinct body once: two bodies are the same when their syntax
trees are, whatever the comments, annotations and docstrings. `run` reads requests from stdin (a JSON
list of {root, file, function, inputs}) and prints what CPython makes of each. `change` does the same
with each function changed, and prints the changed text as well: every local has another name, and one
number or term is another, so that the result is another. `measures ROOT=VERSION...` lists the
functions that measure free memory, with what their own arithmetic makes of it. Nothing of a release
is imported: single definitions are compiled, and whatever they reach outside is a stub that knows
the inputs by their names. A name that the stubs do not know is a gap, never a value.
"""

import __future__
import ast
import builtins
import contextlib
import copy
import enum
import hashlib
import importlib
import io
import json
import os
import sys
import types

GIB = 1 << 30

FAMILIES = {
    "profile_max_num_token": "sizing",
    "_profile_available_bytes": "sizing",
    "get_cell_size_per_token": "cell-size",
    "_compute_cell_size": "cell-size",
    "handle_max_mamba_cache": "state-pool",
    "_handle_max_mamba_cache": "state-pool",
    "set_num_token_hybrid": "window-split",
    "set_num_tokens_hybrid_swa": "window-split",
    "_resolve_hybrid_swa_tokens": "window-split",
}

# Methods that split only in some classes.
CLASS_FAMILIES = {
    ("HybridSWAPoolConfigurator", "calculate_pool_sizes"): "window-split",
    ("HybridSWAPoolConfigurator", "_solve_pool_sizes"): "window-split",
    ("SWAChunkCapPoolConfigurator", "calculate_pool_sizes"): "window-split",
    ("SWARequestCapPoolConfigurator", "calculate_pool_sizes"): "window-split",
    ("DefaultPoolConfigurator", "calculate_pool_sizes"): "sizing",
}

FOLDERS = ("model_executor", "mem_cache", "managers", "configs")


def family(owners, name):
    return CLASS_FAMILIES.get((owners[-1] if owners else "", name)) or FAMILIES.get(name)


def shape(node):
    """The tree without places, contexts, annotations and what differs between versions of Python."""
    if isinstance(node, list):
        return [shape(one) for one in node]
    if not isinstance(node, ast.AST):
        return repr(node)
    skipped = ("ctx", "kind", "type_comment", "type_params", "annotation", "returns")
    fields = [(name, value) for name, value in ast.iter_fields(node) if name not in skipped]
    return [type(node).__name__] + [[name, shape(value)] for name, value in fields if value not in (None, [])]


def digest(function):
    body = function.body
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        body = body[1:]
    return hashlib.sha256(json.dumps([shape(function.args), shape(body)]).encode()).hexdigest()[:12]


def functions(node, owners=()):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from functions(child, (*owners, child.name))
        elif isinstance(child, ast.FunctionDef):
            yield child, owners
        elif isinstance(child, (ast.If, ast.Try)):
            yield from functions(child, owners)


def memory_files(root):
    for folder in FOLDERS:
        for path, folders, names in os.walk(os.path.join(root, "sglang", "srt", folder)):
            folders.sort()
            for name in sorted(names):
                if name.endswith(".py"):
                    yield os.path.relpath(os.path.join(path, name), root)


# What a body may name, which tells the inputs that it can be tried with.
WORDS = ("mla", "mamba", "handle_max", "indexer", "head", "Llama4ForConditionalGeneration")

WANTED = sorted(set(FAMILIES) | {name for _, name in CLASS_FAMILIES})


def bodies_of(root):
    for file in memory_files(root):
        with open(os.path.join(root, file), encoding="utf-8") as source:
            text = source.read()
        if any(f"def {name}(" in text for name in WANTED):
            for function, owners in functions(ast.parse(text)):
                found = family(owners, function.name)
                if found is not None:
                    yield {
                        "family": found,
                        "function": ".".join((*owners, function.name)),
                        "file": file.replace(os.sep, "/"),
                        "hash": digest(function),
                        "mentions": [word for word in WORDS if word in ast.get_source_segment(text, function)],
                    }


def list_bodies(releases):
    found = {}
    for version, root in releases:
        for body in bodies_of(root):
            key = (body["function"].split(".")[-1], body["hash"])
            found.setdefault(key, {**body, "releases": []})["releases"].append(version)
    return list(found.values())


# What a config of the plain profile does not have, so that a default of the code holds.
ABSENT = ("cli_factor", "index_kpool", "index_topk_freq", "index_topk_pattern", "index_skip_topk_offset",
          "mtp_local_layer_ids", "indexer_types")


def measured_unit(function):
    """What a measuring function returns: GiB where it divides by 2 ** 30, else the bytes that it reads."""
    nodes = list(ast.walk(function))
    returned = [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]
    if not returned:
        return None
    divisors = [ast.unparse(node.right) for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)]
    return "GiB" if any(eval(one, {}) == GIB for one in divisors if not set(one) - set("0123456789 <*()")) else "B"


def list_measures(releases):
    found = {}
    for version, root in releases:
        for path, _, names in os.walk(os.path.join(root, "sglang")):
            for name in sorted(names):
                file = os.path.relpath(os.path.join(path, name), root)
                text = read_text(root, file) if name.endswith(".py") else ""
                if "def get_available_gpu_memory(" not in text and "def get_available_memory(" not in text:
                    continue
                for function, owners in functions(ast.parse(text)):
                    if function.name in ("get_available_gpu_memory", "get_available_memory"):
                        qualified = ".".join((*owners, function.name))
                        found.setdefault((qualified, digest(function)), {
                            "function": qualified, "file": file.replace(os.sep, "/"), "release": version,
                            "unit": measured_unit(function)})
    return list(found.values())


class Gap(Exception):
    """The stubs do not know a name: the body cannot be run, so nothing can be said of it."""


class Type:
    def __init__(self, name, size):
        self.name = name
        self.itemsize = size


class Anything:
    """For loggers, devices and groups: nothing that a number is made of."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        return 1 if name == "world_size" else Anything(f"{self._name}.{name}")

    def __call__(self, *args, **named):
        return Anything(f"{self._name}()")

    def _refuse(self, *others):
        raise Gap(self._name)

    __bool__ = __int__ = __float__ = __index__ = __len__ = __iter__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __lt__ = __gt__ = __le__ = __ge__ = _refuse


def ceil_div(a, b):
    return -(-a // b)


def read_text(root, file):
    with open(os.path.join(root, file), encoding="utf-8") as source:
        return source.read()


class World:
    """One release and the inputs of one request."""

    def __init__(self, root, inputs, texts):
        self.root = root
        self.texts = texts
        self.inputs = inputs
        self.spaces = {}
        self.written = {}
        self.thing = Thing(self)
        self.free = inputs.get("availableAfterLoad")
        size = inputs.get("kv_element_size", 2)
        names = {1: "float8_e4m3fn", 2: "bfloat16"}
        self.types = {
            name: Type(name, width)
            for name, width in (("uint8", 1), ("int8", 1), ("float8_e4m3fn", 1), ("float8_e5m2", 1),
                                ("float16", 2), ("bfloat16", 2), ("float32", 4), ("int32", 4), ("int64", 8))
        }
        self.kv_type = self.types[names[size]]
        self.attributes = self.known_attributes()
        self.names = self.known_names()

    def known_attributes(self):
        given = self.inputs
        heads = given.get("num_key_value_heads", 1)
        window_heads = given.get("swa_num_key_value_heads", heads)
        layers = given.get("num_layers", given.get("full_layers", 0) + given.get("swa_layers", 0))
        has_state = "mamba_cache_per_req" in given
        known = {
            "mem_fraction_static": given.get("memFractionStatic"),
            "use_mla_backend": given.get("use_mla", False), "use_mla": given.get("use_mla", False),
            "enable_mla": given.get("use_mla", False), "disable_mla": not given.get("use_mla", False),
            "attention_arch": "MLA" if given.get("use_mla") else "MHA",
            "num_hidden_layers": layers, "num_effective_layers": layers, "num_attention_layers": layers,
            "start_layer": 0, "end_layer": layers,
            "num_key_value_heads": heads, "get_total_num_kv_heads": lambda: heads,
            "get_num_kv_heads": lambda tp, dcp=1: max(1, heads // tp),
            "get_swa_num_kv_heads": lambda tp, dcp=1: max(1, window_heads // tp),
            "swa_num_key_value_heads": window_heads,
            "head_dim": given.get("head_dim"), "v_head_dim": given.get("v_head_dim", given.get("head_dim")),
            "swa_head_dim": given.get("swa_head_dim", given.get("head_dim")),
            "swa_v_head_dim": given.get("swa_head_dim", given.get("head_dim")),
            "full_attention_layer_ids": list(range(given.get("full_layers", layers))),
            "swa_attention_layer_ids": list(range(given.get("swa_layers", 0))),
            "swa_full_tokens_ratio": given.get("swa_full_tokens_ratio"),
            "kv_cache_dtype": self.kv_type, "dtype": self.kv_type, "kv_cache_dtype_str": "auto",
            "tp_size": given.get("tp_size", given.get("attn_tp_size", 1)),
            "attn_tp_size": given.get("attn_tp_size", 1), "attention_tp_size": given.get("attn_tp_size", 1),
            "page_size": given.get("page_size", 1),
            "max_total_num_tokens": given.get("profiled_tokens"),
            "max_mamba_cache_size": given.get("max_mamba_cache_size"),
            "mamba_full_memory_ratio": given.get("mamba_full_memory_ratio"),
            "mamba_cache_per_req": given.get("mamba_cache_per_req"),
            "is_hybrid": given.get("is_hybrid", "swa_layers" in given), "is_hybrid_swa": "swa_layers" in given,
            "mambaish_config": self.thing if has_state else None,
            "mamba2_config": self.thing if has_state else None,
            "is_hybrid_gdn": has_state, "hybrid_gdn_config": self.thing if has_state else None,
            "hybrid_kda_config": None, "linear_attn_model_spec": None,
            "layers": list(range(layers or 48)),
            "pp_size": 1, "dp_size": given.get("dp_size", 1), "attn_dp_size": given.get("dp_size", 1),
            "dcp_size": 1, "attn_dcp_size": 1, "attn_cp_size": 1,
            "spec_algorithm": Speculation(), "spec_aux_config": None,
            "speculative_algorithm": None, "speculative_num_draft_tokens": None,
            "max_running_requests": given.get("max_running_requests"), "max_total_tokens": None,
            "sliding_window_size": given.get("sliding_window_size", 128),
            "chunked_prefill_size": given.get("chunked_prefill_size"),
            "architectures": given.get("architectures", []), "quantization": None,
            "qk_nope_head_dim": given.get("qk_nope_head_dim"),
            "_element_size": lambda one: one.itemsize, "override": self.override,
            "context_len": given.get("context_len", 131072), "attention_chunk_size": given.get("attention_chunk_size"), "prefill_max_requests": None, "full_prefill_max_req": None, "backend": "none",
            "fused_entry_bytes": lambda kind: None, "extra_mamba_cache_bytes_per_req": 0,
            "dsa_prefill_backend": None, "dsa_decode_backend": None, "nsa_prefill_backend": None, "nsa_decode_backend": None,
            "mm_feature_transport": None, "disaggregation_mode": "null",
            "full_max_total_num_tokens": None, "swa_max_total_num_tokens": None,
            "memory_pool_config": None, "max_token_pool_size": None,
        }
        for name in ("hidden_size", "num_attention_heads", "kv_lora_rank", "qk_rope_head_dim", "index_head_dim"):
            known[name] = given.get(name)
        for name in ("is_draft_worker", "post_capture_kv_active", "is_multimodal", "disable_radix_cache",
                     "enable_dp_attention", "enable_hisparse", "enable_unified_memory", "enable_hierarchical_cache",
                     "enable_linear_replayssm_spec", "enable_mamba_extra_buffer", "disable_overlap_schedule",
                     "enable_nsa_prefill_context_parallel", "enable_dsa_prefill_context_parallel",
                     "enable_unified_cache_external_linker", "enable_page_major_kv_layout", "enable_dcp", "enable_prefill_cp", "enable_dsa_cache_layer_split"):
            known[name] = given.get(name, False)
        # These hold others: an attribute of an attribute is looked up by its own name.
        for name in ("model_config", "server_args", "hf_config", "hf_text_config", "text_config", "layer_info",
                     "_utils", "mamba2_cache_params", "schedule", "mamba", "graph", "linear_attn_config", "spec", "ps",
                     "kernel", "cuda_graph_config", "prefill", "features"):
            known[name] = self.thing
        return known

    def known_names(self):
        given = self.inputs
        index = given.get("index_head_dim")
        known = {
            "logger": Anything("logger"), "log": Anything("log"), "warnings": Anything("warnings"),
            "get_available_gpu_memory": lambda *args, **named: self.free,
            "get_attention_tp_size": lambda: given.get("attn_tp_size", 1),
            "get_tensor_model_parallel_world_size": lambda: given.get("attn_tp_size", 1),
            "get_world_group": Anything("group"), "get_world_size": Anything("group"),
            "get_device_memory_capacity": lambda *args: 0,
            "is_float4_e2m1fn_x2": lambda one: False,
            "is_deepseek_nsa": lambda one: index is not None, "is_deepseek_dsa": lambda one: index is not None,
            "get_nsa_index_head_dim": lambda one: index, "get_dsa_index_head_dim": lambda one: index,
            "is_minimax_sparse": lambda one: False, "is_deepseek_v4": lambda one: False,
            "parse_qsa_profile": lambda one: None,
            "is_npu": lambda: False, "is_hip": lambda: False, "is_cuda": lambda: True, "is_cpu": lambda: False,
            "is_xpu": lambda: False, "is_mps": lambda: False, "is_musa": lambda: False,
            "get_bool_env_var": lambda name, default="false": default == "true",
            "AttentionArch": types.SimpleNamespace(MLA="MLA", MHA="MHA"),
            "mambaish_config": lambda one: self.attributes["mambaish_config"],
            "resolving_view": lambda one: one,
            "torch": types.SimpleNamespace(
                _utils=self.thing, distributed=Anything("distributed"), cuda=Anything("cuda"),
                tensor=lambda value, **named: types.SimpleNamespace(item=lambda: value), **self.types),
            "dist": Anything("distributed"), "np": Anything("numpy"), "numpy": Anything("numpy"),
            "compute_page_shard_scratch_bytes": lambda *args, **named: 0,
            "get_context": lambda: self.thing,
            "gc": types.SimpleNamespace(collect=lambda: 0),
        }
        for name in ("get_parallel", "get_schedule", "get_memory", "get_exec", "get_spec", "get_mm", "get_model",
                     "get_disagg", "get_global_server_args", "get_server_args", "get_flags"):
            known[name] = lambda: self.thing
        return known

    def override(self, reason, **values):
        self.attributes.update(values)
        self.written.update(values)

    def space(self, file):
        if file not in self.spaces:
            self.spaces[file] = Space(self, file)
        return self.spaces[file]

    def resolve(self, file, level, module, name):
        """What `from module import name` stands for in a file of the release."""
        if name in self.names:
            return self.names[name]
        folder = file.split("/")[:-1]
        parts = (folder[: len(folder) - level + 1] if level else []) + (module.split(".") if module else [])
        if parts and parts[0] not in ("sglang", "srt"):
            if parts[0] in sys.stdlib_module_names:
                return getattr(importlib.import_module(module), name)
            raise Gap(f"{module}.{name}")
        base = "/".join(parts)
        for candidate in (f"{base}.py", f"{base}/__init__.py"):
            if os.path.exists(os.path.join(self.root, candidate)):
                return self.space(candidate)[name]
        if os.path.exists(os.path.join(self.root, f"{base}/{name}.py")):
            return self.space(f"{base}/{name}.py")
        raise Gap(f"{module}.{name}")


class Speculation:
    """No speculation: every question is answered with no, but whether there is none."""

    def __getattr__(self, name):
        return lambda *args: name == "is_none"


class Thing:
    """Any object that holds inputs: self, the model's config, the arguments of the server."""

    def __init__(self, world):
        object.__setattr__(self, "world", world)

    def __getattr__(self, name):
        known = object.__getattribute__(self, "world").attributes
        if name in known:
            return known[name]
        if name in ABSENT:
            raise AttributeError(name)
        if name in ("device", "gpu_id", "tp_rank", "cpu_group", "tp_group", "world_group", "dp_rank", "tp_worker"):
            return Anything(name)
        if name in ("world_size", "launch_world_size"):
            return 1
        if name.startswith("__"):
            raise AttributeError(name)
        raise Gap(f".{name}")

    def __setattr__(self, name, value):
        world = object.__getattribute__(self, "world")
        world.attributes[name] = value
        world.written[name] = value


class Compiled(ast.NodeTransformer):
    """Definitions without what only tools read; imports inside become look-ups in the release."""

    kept = {"dataclass", "staticmethod", "classmethod", "property", "cached_property", "abstractmethod"}

    def decorators(self, node):
        def name(one):
            inner = one.func if isinstance(one, ast.Call) else one
            return inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")

        node.decorator_list = [one for one in node.decorator_list if name(one) in self.kept]
        self.generic_visit(node)
        return node

    visit_FunctionDef = visit_ClassDef = decorators

    def visit_ImportFrom(self, node):
        call = "__resolve__({!r}, {!r}, {!r})"
        lines = [f"{one.asname or one.name} = " + call.format(node.level, node.module or "", one.name)
                 for one in node.names]
        return ast.parse("\n".join(lines)).body

    def visit_Import(self, node):
        lines = [f"{one.asname or one.name.split('.')[0]} = __module__({one.name!r})" for one in node.names]
        return ast.parse("\n".join(lines)).body


class Space(dict):
    """The names of a file of the release, each made when it is first read."""

    def __init__(self, world, file):
        super().__init__()
        self.world = world
        self.file = file
        self["__resolve__"] = lambda level, module, name: world.resolve(file, level, module, name)
        self["__module__"] = self.module
        self["__name__"] = file[:-3].replace("/", ".")
        self["__builtins__"] = builtins
        sys.modules.setdefault(self["__name__"], types.ModuleType(self["__name__"]))
        self.text = world.texts.get(file) or read_text(world.root, file)
        self.statements = {}
        self.index(ast.parse(self.text).body)

    def index(self, block):
        for node in block:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.statements[node.name] = node
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    if isinstance(target, ast.Name) and node.value is not None:
                        self.statements[target.id] = node
            elif isinstance(node, ast.ImportFrom):
                for one in node.names:
                    self.statements[one.asname or one.name] = (node.level, node.module or "", one.name)
            elif isinstance(node, ast.Import):
                for one in node.names:
                    self.statements[one.asname or one.name.split(".")[0]] = one.name
            elif isinstance(node, (ast.If, ast.Try)):
                self.index(node.body)

    def module(self, name):
        first = name.split(".")[0]
        if first in self.world.names:
            return self.world.names[first]
        if first in sys.stdlib_module_names:
            return importlib.import_module(first)
        return Anything(name)

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __missing__(self, name):
        if name in self.world.names:
            self[name] = self.world.names[name]
            return self[name]
        found = self.statements.get(name)
        if found is None:
            raise KeyError(name)
        self[name] = self.made(name, found)
        return self[name]

    def made(self, name, found):
        if isinstance(found, str):
            return self.module(found)
        if isinstance(found, tuple):
            return self.world.resolve(self.file, *found)
        if isinstance(found, (ast.FunctionDef, ast.ClassDef)):
            return self.define(found)
        return self.evaluate(found.value)

    def run(self, node, mode):
        ast.fix_missing_locations(node)
        flags = __future__.annotations.compiler_flag
        return compile(node, self.file, mode, flags=flags, dont_inherit=True)

    def read_ahead(self, node):
        """Makes the names that a class body reads: CPython does not ask this dict for those."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            inner = [*node.args.defaults, *node.args.kw_defaults, *getattr(node, "decorator_list", [])]
        elif isinstance(node, ast.AnnAssign):
            inner = [node.value]
        else:
            inner = ast.iter_child_nodes(node)
        for one in inner:
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
                try:
                    self[one.id]
                except KeyError:
                    pass
            elif one is not None:
                self.read_ahead(one)

    def evaluate(self, value):
        self.read_ahead(ast.Expression(body=value))
        return eval(self.run(ast.Expression(body=Compiled().visit(value)), "eval"), self)

    def define(self, node):
        node = ast.parse(ast.unparse(node)).body[0]
        if isinstance(node, ast.ClassDef):
            node.bases = [base for base in node.bases if self.is_known(base)]
            node.keywords = []
        node = Compiled().visit(node)
        self.read_ahead(ast.Module(body=[node], type_ignores=[]))
        local = {}
        exec(self.run(ast.Module(body=[node], type_ignores=[]), "exec"), self, local)
        return local[node.name]

    def is_known(self, base):
        try:
            return isinstance(self.evaluate(base), type)
        except (Gap, KeyError, NameError):
            return False


def owner_class(space, name):
    return space.statements[name]


class Me:
    """`self` of a big class: its own methods and properties, and the inputs for everything else."""

    def __init__(self, world, space, owner):
        object.__setattr__(self, "parts", (world, space, owner))

    def __getattr__(self, name):
        world, space, owner = object.__getattribute__(self, "parts")
        if name not in world.attributes:
            for node in owner.body:
                if isinstance(node, ast.FunctionDef) and node.name == name:
                    return self.member(space, node)
        return getattr(world.thing, name)

    def member(self, space, node):
        names = {getattr(one, "id", getattr(one, "attr", "")) for one in node.decorator_list}
        function = space.define(ast.FunctionDef(**{**vars(node), "decorator_list": []}))
        if names & {"property", "cached_property"}:
            return function(self)
        return function if "staticmethod" in names else types.MethodType(function, self)

    def __setattr__(self, name, value):
        world, _, _ = object.__getattribute__(self, "parts")
        setattr(world.thing, name, value)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def numbers_of(value):
    return {name: one for name, one in vars(value).items() if is_number(one)}


def names_of(function, returned):
    """Numbers of a returned tuple, by the names that the last statement returns."""
    names = [one.id for one in function.body[-1].value.elts]
    return {name: value for name, value in zip(names, returned) if is_number(value)}


def arguments_for(world, function, unit):
    given = world.inputs
    known = {
        "num_layers": given.get("num_layers"), "available_bytes": given.get("available_bytes"),
        "page_size": given.get("page_size", 1), "max_total_num_tokens": given.get("profiled_tokens"),
        "token_capacity": given.get("profiled_tokens"), "total_rest_memory": given.get("total_rest_memory"),
        "mr": world.thing, "kvc": world.thing,
    }
    values = {}
    for arg in [*function.args.args[1:], *function.args.kwonlyargs]:
        value = given.get(arg.arg, known.get(arg.arg))
        if value is None:
            if given.get("totalBeforeLoad") is None:
                raise Gap(f"parameter {arg.arg}")
            value = given["totalBeforeLoad"] * unit
        values[arg.arg] = value
    return values


def run(request):
    inputs = request["inputs"]
    unit = GIB if request.get("bytes") else 1
    world = World(request["root"], inputs, request.get("texts", {}))
    space = world.space(request["file"])
    owner_name, name = request["function"].split(".")
    owner = owner_class(space, owner_name)
    function = next(one for one in owner.body if isinstance(one, ast.FunctionDef) and one.name == name)
    if owner_name.endswith("PoolConfigurator") and name != "_compute_cell_size":
        me = space[owner_name](world.thing)
        call = getattr(me, name)
    elif owner_name.endswith("PoolConfigurator"):
        me = object.__new__(space[owner_name])
        me.kv_cache_dtype_str = "auto"
        call = getattr(me, name)
    else:
        me = Me(world, space, owner)
        call = me.member(space, function)
    found = {}

    def watch(frame, event, _):
        if event == "return" and frame.f_code is getattr(call, "__func__", call).__code__:
            found.update(frame.f_locals)

    arguments = arguments_for(world, function, unit)
    world.written.clear()
    printed = io.StringIO()
    sys.setprofile(watch)
    try:
        with contextlib.redirect_stdout(printed):
            returned, raised = call(**arguments), None
    except (ValueError, RuntimeError) as error:
        returned, raised = None, f"{type(error).__name__}: {error}"
    finally:
        sys.setprofile(None)
    return {
        "returns": returned if is_number(returned) else None,
        "object": numbers_of(returned) if hasattr(returned, "__dict__") and not isinstance(returned, type) else {},
        "tuple": names_of(function, returned) if isinstance(returned, tuple) else {},
        "written": {key: value for key, value in world.written.items() if is_number(value)},
        "raises": raised,
        "printed": printed.getvalue(),
        "locals": {key: value for key, value in found.items() if is_number(value)},
    }


def outcome(request):
    try:
        return run(request)
    except Gap as gap:
        return {"gap": f"the stubs do not know {gap}"}
    except Exception as error:
        return {"gap": f"{type(error).__name__}: {error}"}


class Renamed(ast.NodeTransformer):
    """Other names for what the function binds itself; its parameters only where `with_parameters`."""

    def __init__(self, function, with_parameters):
        arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        parameters = [one.arg for one in arguments[1:]]
        imported = {one.asname or one.name for node in ast.walk(function)
                    if isinstance(node, (ast.Import, ast.ImportFrom)) for one in node.names}
        bound = [node.id for node in ast.walk(function)
                 if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        wanted = [*(parameters if with_parameters else []), *bound]
        kept = imported | (set() if with_parameters else set(parameters))
        self.names = {name: f"renamed{at}" for at, name in enumerate(dict.fromkeys(wanted)) if name not in kept}

    def visit_Name(self, node):
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node):
        node.arg = self.names.get(node.arg, node.arg)
        return node


def changes(function):
    """One change at a time of a number or a term, made on a copy of the function."""
    def operations(tree):
        inside_text = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for inner in ast.walk(node)}
        wanted = (ast.Mult, ast.Add, ast.Sub, ast.Div, ast.FloorDiv)
        return [node for node in ast.walk(tree)
                if isinstance(node, ast.BinOp) and isinstance(node.op, wanted) and id(node) not in inside_text]

    for at, _ in enumerate(operations(function)):
        for side in ("left", "right"):
            copied = copy.deepcopy(function)
            operand = getattr(operations(copied)[at], side)
            if isinstance(operand, ast.Constant) and isinstance(operand.value, (int, float)):
                operand.value += 1
                yield copied
    for at, _ in enumerate(operations(function)):
        copied = copy.deepcopy(function)
        node = operations(copied)[at]
        node.left = ast.BinOp(left=ast.Constant(value=3), op=ast.Mult(), right=node.left)
        yield copied


RESULTS = ("returns", "object", "tuple", "written", "raises")


def change(request):
    text = read_text(request["root"], request["file"])
    owner_name, name = request["function"].split(".")
    owner = next(one for one in ast.parse(text).body if isinstance(one, ast.ClassDef) and one.name == owner_name)
    function = next(one for one in owner.body if isinstance(one, ast.FunctionDef) and one.name == name)
    before = outcome(request)
    if "gap" in before:
        return before
    renamed = Renamed(function, request["withParameters"])
    lines = text.split("\n")
    for changed in changes(function):
        changed.decorator_list = []
        new = ast.unparse(ast.fix_missing_locations(renamed.visit(changed)))
        indented = ["    " + line if line else line for line in new.split("\n")]
        whole = "\n".join([*lines[: function.lineno - 1], *indented, *lines[function.end_lineno :]])
        after = outcome({**request, "texts": {request["file"]: whole}})
        if "gap" not in after and any(after[one] != before[one] for one in RESULTS):
            return {**after, "text": whole}
    return {"gap": "no change of a number or a term changes the result"}


if __name__ == "__main__":
    if sys.argv[1] == "list":
        pairs = [argument.split("=", 1) for argument in sys.argv[2:]]
        print(json.dumps(list_bodies([(version, root) for root, version in pairs])))
    elif sys.argv[1] == "change":
        print(json.dumps([change(request) for request in json.load(sys.stdin)]))
    elif sys.argv[1] == "measures":
        pairs = [argument.split("=", 1) for argument in sys.argv[2:]]
        print(json.dumps(list_measures([(version, root) for root, version in pairs])))
    else:
        print(json.dumps([outcome(request) for request in json.load(sys.stdin)]))
