"""The classes whose window layers the releases pool: prints one JSON object, lists by release.

`windowClasses.py ROOT=VERSION...`. Nothing of a release is imported: only literals are read.
"""

import ast
import json
import sys
from pathlib import Path


def literal(node, names):
    """The strings of a set, tuple or list, with those of other names in it."""
    if isinstance(node, ast.Call):
        return literal(node.args[0], names)
    found = []
    for item in node.elts:
        found += names[item.value.id] if isinstance(item, ast.Starred) else [item.value]
    return found


def classes_of(root):
    tree = ast.parse((Path(root) / "sglang/srt/configs/model_config.py").read_text())
    names = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and "ARCHS" in ast.unparse(node.targets[0]):
            try:
                names[node.targets[0].id] = literal(node.value, names)
            except (AttributeError, IndexError):
                continue
        if getattr(node, "name", None) == "is_hybrid_swa_model":
            (listed,) = [one for one in node.body if isinstance(one, ast.Assign)]
            return literal(listed.value, names)
    return []


print(json.dumps({version: classes_of(root) for root, version in (a.rsplit("=", 1) for a in sys.argv[1:])}))
