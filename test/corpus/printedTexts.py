"""Texts that the files of a release print or raise, read by their syntax trees: nothing is run.

Input: JSON of stdin, {"folders": {release: folder}, "files": [below sglang/srt]}. Output: one JSON object a
text, with `%s` or `%.2f` for what is filled in; a choice between two texts gives both.
"""

import ast
import json
import os
import re
import sys

PRINTS = re.compile(r"^(?:info|warning|error|debug|exception|critical|print|warn|set_description|"
                    r"(?:log|print|rank0)\w*|\w*_once)$")


def texts(node):
    """All texts that an expression can be; None where it is no text that stands there."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        found = [""]
        for part in node.values:
            found = [before + after for before in found for after in texts(part) or ["%s"]]
        return found
    if isinstance(node, ast.FormattedValue):
        if isinstance(node.value, ast.IfExp) and node.format_spec is None:
            return texts(node.value)
        spec = "" if node.format_spec is None else "".join(
            part.value for part in node.format_spec.values if isinstance(part, ast.Constant))
        return ["%" + spec if re.fullmatch(r"\.\df", spec) else "%s"]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = texts(node.left), texts(node.right)
        if left is None and right is None:
            return None
        return [a + b for a in left or ["%s"] for b in right or ["%s"]]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return texts(node.left)
    if isinstance(node, ast.IfExp):
        one, other = texts(node.body), texts(node.orelse)
        return None if one is None or other is None else one + other
    return None


def walk(node, names, emit):
    for child in ast.iter_child_nodes(node):
        inner = names
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inner = names + [child.name]
        kind, shown = "", []
        if isinstance(child, ast.Call):
            name = child.func.attr if isinstance(child.func, ast.Attribute) else getattr(child.func, "id", "")
            kind, shown = name, child.args if PRINTS.match(name) else []
        elif isinstance(child, ast.Raise) and isinstance(child.exc, ast.Call):
            kind, shown = "raise", child.exc.args
        elif isinstance(child, ast.Assign) and isinstance(child.value, (ast.JoinedStr, ast.BinOp)):
            kind, shown = "=", [child.value]
        for argument in shown:
            for text in texts(argument) or []:
                emit(".".join(inner), kind, text)
        walk(child, inner, emit)


def main():
    asked = json.load(sys.stdin)
    for release, folder in asked["folders"].items():
        for file in asked["files"]:
            path = os.path.join(folder, "sglang", "srt", file)
            if not os.path.exists(path):
                continue
            with open(path, encoding="utf-8-sig") as source:
                tree = ast.parse(source.read())
            walk(tree, [], lambda name, kind, text: print(json.dumps(
                {"release": release, "emitter": f"{file}::{name}", "kind": kind, "template": text})))


main()
