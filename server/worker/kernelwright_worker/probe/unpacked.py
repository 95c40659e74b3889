"""Parameters that are tuples: `x, weight, out = data` tells their parts."""

from __future__ import annotations

import ast


def unpacked(function: ast.FunctionDef) -> dict[str, list[str]]:
    """The names of the parts of each parameter that the function takes apart as a whole."""
    given = function.args
    names = {each.arg for each in [*given.posonlyargs, *given.args, *given.kwonlyargs]}
    found: dict[str, list[str]] = {}
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Name):
            continue
        [target, *further] = node.targets
        if further or not isinstance(target, (ast.Tuple, ast.List)) or node.value.id not in names:
            continue
        if not all(isinstance(each, ast.Name) for each in target.elts):
            continue
        name = node.value.id
        parts = ["%s_%d" % (name, at) if each.id == "_" else each.id for at, each in enumerate(target.elts)]
        if len(set(parts)) == len(parts) and not set(parts) & (names - {name}):
            found.setdefault(name, parts)
    return found
