"""Moves parts of a sizing function of a real release elsewhere and runs it with a stubbed self.

Reads a JSON list of rows from stdin and prints one list a row: for each way of moving that the
function allows, the changed text of the whole file and what CPython makes of the changed function.
Nothing of the release is imported: only the functions themselves, and what a fork adds, are compiled.
"""

import __future__
import ast
import dataclasses
import json
import sys

from mutateSizing import GIB, Anything, Edits, find, globals_for, plain_self

FRACTION = "mem_fraction_static"
# What some releases ask of the server, without a bearing on the budget of the plain profile.
OTHERS = ["get_parallel", "get_exec", "get_disagg", "get_mm", "gc", "Backend"]
PLAIN = __future__.annotations.compiler_flag


def inside(node):
    return list(ast.walk(node))


class Parts:
    """Where the pieces of the formula stand in a text."""

    def __init__(self, text, qualified):
        self.text = text
        self.qualified = qualified
        tree = ast.parse(text)
        owner, self.name = qualified.rsplit(".", 1)
        self.owner = find(tree, owner)
        self.function = find(tree, qualified)
        nodes = inside(self.function)
        self.dynamic = next(
            n for n in nodes
            if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub) and isinstance(n.left, ast.Constant)
            and isinstance(n.right, ast.Attribute) and n.right.attr == FRACTION
        )
        self.fraction = self.dynamic.right
        self.slack = next(
            n for n in nodes
            if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult) and self.dynamic in (n.left, n.right)
        )
        self.total = self.slack.left
        self.call = next(
            n for n in nodes
            if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "get_available_gpu_memory"
        )
        self.rest = next(
            n for n in nodes
            if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub) and isinstance(n.left, ast.Name)
            and (n.right is self.slack or isinstance(n.right, ast.Name))
        )
        self.statement = next(one for one in self.function.body if self.slack in inside(one))

    def source(self, node):
        return ast.get_source_segment(self.text, node)


class Fork:
    """Edits of a text, with the methods and the top-level code that they add."""

    def __init__(self, parts):
        self.parts = parts
        self.edits = Edits(parts.text)
        self.methods = []
        self.code = []

    def put(self, node, new):
        self.edits.replace(node, new)

    def before(self, statement, line):
        at = self.edits.at(statement.lineno, statement.col_offset)
        self.edits.insert(at, line + "\n" + " " * statement.col_offset)

    def method(self, source):
        self.methods.append("".join("    " + line + "\n" for line in source.splitlines()))

    def top(self, source):
        self.code.append(source + "\n")

    def above(self, node):
        """The start of the first line of a definition, decorators included."""
        return self.edits.at(min(one.lineno for one in [node, *node.decorator_list]), 0)

    def finish(self):
        for source in self.methods:
            self.edits.insert(self.above(self.parts.function), source + "\n")
        for source in self.code:
            self.edits.insert(self.above(self.parts.owner), source + "\n\n")
        return self.edits.apply()


def method_slack(fork, p):
    fork.put(p.slack, f"self._slack({p.source(p.total)})")
    fork.method(f"def _slack(self, amount):\n    return amount * (1 - {p.source(p.fraction)})")


def function_slack(fork, p):
    fork.put(p.slack, f"_slack({p.source(p.total)}, {p.source(p.fraction)})")
    fork.top("def _slack(amount, share):\n    return amount * (1 - share)\n")


def floor_of_slack(fork, p):
    fork.put(p.slack, f"_slack({p.source(p.total)}, {p.source(p.fraction)})")
    fork.top("def _slack(amount, share, least=9.5):\n    return max(amount * (1 - share), least)\n")


def keyword_slack(fork, p):
    fork.put(p.slack, f"_slack(share={p.source(p.fraction)}, amount={p.source(p.total)})")
    fork.top("def _slack(*, amount, share, whole=1):\n    return amount * (whole - share)\n")


def method_dynamic(fork, p):
    fork.put(p.dynamic, "self._dynamic()")
    fork.method(f"def _dynamic(self):\n    return 1 - {p.source(p.fraction)}")


def property_dynamic(fork, p):
    fork.put(p.dynamic, "self._dynamic")
    fork.method(f"@property\ndef _dynamic(self):\n    return 1 - {p.source(p.fraction)}")


def two_levels(fork, p):
    fork.put(p.slack, f"self._slack({p.source(p.total)})")
    fork.method("def _slack(self, amount):\n    return amount * self._dynamic()")
    fork.method(f"def _dynamic(self):\n    return 1 - {p.source(p.fraction)}")


def inner_lambda(fork, p):
    fork.before(p.statement, f"keep = lambda amount: amount * (1 - {p.source(p.fraction)})")
    fork.put(p.slack, f"keep({p.source(p.total)})")


def top_lambda(fork, p):
    fork.put(p.slack, f"_keep({p.source(p.total)}, {p.source(p.fraction)})")
    fork.top("_keep = lambda amount, share: amount * (1 - share)\n")


def inner_function(fork, p):
    indent = " " * p.statement.col_offset
    fork.before(
        p.statement,
        f"def keep(amount):\n{indent}    return amount * (1 - {p.source(p.fraction)})\n{indent}",
    )
    fork.put(p.slack, f"keep({p.source(p.total)})")


def static_slack(fork, p):
    fork.put(p.slack, f"self._slack({p.source(p.total)}, {p.source(p.fraction)})")
    fork.method("@staticmethod\ndef _slack(amount, share):\n    return amount * (1 - share)")


def dataclass_slack(fork, p):
    fork.put(p.slack, f"_Inputs({p.source(p.total)}, share={p.source(p.fraction)}).slack")
    fork.top(
        "import dataclasses\n\n\n@dataclasses.dataclass\nclass _Inputs:\n    total: float\n    share: float\n    whole: int = 1\n\n"
        "    @property\n    def slack(self):\n        return self.total * (self.whole - self.share)\n"
    )


def dataclass_rest(fork, p):
    named = f"free={p.source(p.rest.left)}, total={p.source(p.total)}, share={p.source(p.fraction)}"
    if p.rest.right is not p.slack:
        fork.put(p.slack, f"_Inputs(0, {p.source(p.total)}, {p.source(p.fraction)}).slack()")
    else:
        fork.put(p.rest, f"_Inputs({named}).rest()")
    fork.top(
        "from dataclasses import dataclass\n\n\n@dataclass(frozen=True)\nclass _Inputs:\n    free: float\n    total: float\n    share: float\n\n"
        "    def slack(self):\n        return self.total * (1 - self.share)\n\n"
        "    def rest(self):\n        return self.free - self.slack()\n"
    )


def walrus(fork, p):
    fork.put(p.slack, f"(kept := {p.source(p.slack)})")


def negated(fork, p):
    fork.put(p.dynamic, f"(-{p.source(p.fraction)} + 1)")


def named_share(fork, p):
    fork.before(p.statement, f"(share := {p.source(p.fraction)})")
    fork.put(p.dynamic, "(1 - share)")


def by_getattr(fork, p):
    fork.put(p.fraction, f"getattr({p.source(p.fraction.value)}, '{FRACTION}')")


def top_constant(fork, p):
    fork.put(p.dynamic.left, "_WHOLE")
    fork.top("_WHOLE = 1\n")


def expanded(fork, p):
    fork.put(p.slack, f"({p.source(p.total)} - {p.source(p.total)} * {p.source(p.fraction)})")


def measured_by_method(fork, p):
    fork.put(p.call, "self._free()")
    fork.method(f"def _free(self):\n    return {p.source(p.call)}")


def measured_and_slack(fork, p):
    measured_by_method(fork, p)
    method_slack(fork, p)


def measured_less(fork, p):
    fork.put(p.call, "self._free()")
    fork.method(f"def _free(self):\n    return {p.source(p.call)} - 1.5")


def measured_less_and_slack(fork, p):
    measured_less(fork, p)
    method_slack(fork, p)


def tail(fork, p, extra=()):
    """Everything from the budget on becomes a method, given the names that it uses."""
    body = p.function.body
    moved = body[body.index(p.statement):]
    used = [n.id for one in moved for n in inside(one) if isinstance(n, ast.Name)]
    bound = [n.id for one in body[: body.index(p.statement)] for n in inside(one)
             if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    bound += [arg.arg for arg in p.function.args.args if arg.arg != "self"]
    names = [name for name in dict.fromkeys(bound) if name in used]
    start = fork.edits.at(moved[0].lineno, moved[0].col_offset)
    end = fork.edits.at(moved[-1].end_lineno, moved[-1].end_col_offset)
    source = fork.edits.text.encode()[start:end].decode()
    fork.edits.edits[(start, end)] = f"return self._finish({', '.join(names)})"
    lines = source.splitlines()
    text = "\n".join(line[4:] if at else "    " + line for at, line in enumerate(lines))
    fork.method(f"def _finish(self, {', '.join(names)}):\n{text}")


def measured_and_tail(fork, p):
    measured_by_method(fork, p)
    tail(fork, p)


def rest_by_method(fork, p):
    if p.rest.right is not p.slack:
        return False
    fork.put(p.rest, f"self._rest({p.source(p.rest.left)}, {p.source(p.total)})")
    fork.method(
        f"def _rest(self, free, amount):\n    return free - amount * (1 - {p.source(p.fraction)})"
    )


def inverted(fork, p):
    if p.rest.right is not p.slack:
        return False
    free, total = p.source(p.rest.left), p.source(p.total)
    fork.put(p.rest, f"{total} * {p.source(p.fraction)} - ({total} - {free})")


def tuple_of_parts(fork, p):
    fork.before(p.statement, f"kept, _ = self._parts({p.source(p.total)})")
    fork.put(p.slack, "kept")
    fork.method(
        f"def _parts(self, amount):\n    share = {p.source(p.fraction)}\n"
        "    return amount * (1 - share), amount * share"
    )


def stored(fork, p):
    fork.before(p.statement, f"self._note({p.source(p.total)})")
    fork.put(p.slack, "self.kept_amount")
    fork.method(
        f"def _note(self, amount):\n    self.kept_amount = amount * (1 - {p.source(p.fraction)})"
    )


def returned(p):
    return [n for n in inside(p.function) if isinstance(n, ast.Return) and n.value is not None][-1]


def least_of(fork, p):
    fork.put(returned(p).value, f"min({p.source(returned(p).value)}, 10**15)")


def least_and_slack(fork, p):
    least_of(fork, p)
    fork.put(p.dynamic, "self._dynamic()")
    fork.method(f"def _dynamic(self):\n    return 1 - {p.source(p.fraction)}")


def true_division(fork, p):
    found = [n for n in inside(p.function) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.FloorDiv)
             and n.lineno > p.slack.end_lineno]
    if not found:
        return False
    left, right = (p.source(one) for one in (found[-1].left, found[-1].right))
    fork.put(found[-1], f"int(({left}) / ({right}))")


def wrapped(fork, p):
    """The body under another name; what had it only calls it."""
    function = p.function
    names = ", ".join(arg.arg for arg in function.args.args if arg.arg != "self")
    at = fork.edits.text.encode().index(b"def " + p.name.encode(), fork.edits.at(function.lineno, 0))
    fork.edits.edits[(at + 4, at + 4 + len(p.name.encode()))] = "_computed"
    fork.method(f"def {p.name}(self, {names}):\n    return self._computed({names})")


FORKS = [
    method_slack, function_slack, floor_of_slack, keyword_slack, method_dynamic, property_dynamic,
    two_levels, inner_lambda, top_lambda, inner_function, static_slack, dataclass_slack, dataclass_rest,
    walrus, negated, named_share, by_getattr, top_constant, expanded, measured_by_method,
    measured_and_slack, measured_less, measured_less_and_slack, tail, measured_and_tail, rest_by_method,
    inverted, tuple_of_parts, stored, least_of, least_and_slack, true_division, wrapped,
]


def compiled_class(text, parts, space):
    """The changed function, and methods that the release does not have, as a class of stubs."""
    tree = ast.parse(text)
    owner = find(tree, parts.qualified.rsplit(".", 1)[0])
    before = {one.name for one in parts.owner.body if isinstance(one, ast.FunctionDef)}
    wanted = {parts.name, "get_cell_size_per_token"}
    body = []
    for node in owner.body:
        if isinstance(node, ast.FunctionDef) and (node.name in wanted or node.name not in before):
            if node.name in before:
                node.decorator_list = []
            for arg in node.args.args + node.args.kwonlyargs:
                arg.annotation = None
            node.returns = None
            body.append(node)
    old = {ast.dump(one) for one in ast.parse(parts.text).body}
    added = [one for one in tree.body if one is not owner and ast.dump(one) not in old]
    stub = ast.ClassDef(name="Fork", bases=[ast.Name("Anything", ast.Load())], keywords=[], body=body,
                        decorator_list=[], type_params=[])
    module = ast.fix_missing_locations(ast.Module(body=[*added, stub], type_ignores=[]))
    exec(compile(module, "<fork>", "exec", PLAIN), space)
    return space["Fork"]


def run(row):
    text = open(row["path"], encoding="utf-8").read()
    values = row["values"]
    results = []
    for change in FORKS:
        parts = Parts(text, row["function"])
        fork = Fork(parts)
        if change(fork, parts) is False:
            continue
        changed = fork.finish()
        others = {name: Anything() for name in OTHERS}
        space = {**others, **globals_for(values), "Anything": Anything, "__name__": __name__,
                 "dataclass": dataclasses.dataclass, "dataclasses": dataclasses}
        me = plain_self(values, {})
        me.__class__ = compiled_class(changed, parts, space)
        total = values["totalBeforeLoad"] * (GIB if row["bytes"] else 1)
        try:
            returned_value, raised = getattr(me, parts.name)(total), None
        except ValueError as error:
            returned_value, raised = None, f"ValueError: {error}"
        name = "_computed" if change is wrapped else parts.name
        results.append({"fork": change.__name__, "text": changed, "function": name,
                        "returns": returned_value, "raises": raised})
    return results


if __name__ == "__main__":
    print(json.dumps([run(row) for row in json.load(sys.stdin)]))
