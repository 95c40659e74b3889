"""Parameters that are tuples: `x, weight, out = data` tells their parts. Sizes that are asserted to have a number."""

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


def asserted_sizes(function: ast.FunctionDef) -> dict[str, str]:
    """The numbers that a function asserts names to have: `assert colours == 3`."""
    numbers: dict[str, str] = {}
    for node in ast.walk(function):
        if not isinstance(node, ast.Assert):
            continue
        for each in ast.walk(node.test):
            if not isinstance(each, ast.Compare) or not isinstance(each.ops[0], ast.Eq):
                continue
            for one, other in ((each.left, each.comparators[0]), (each.comparators[0], each.left)):
                number = other.value if isinstance(other, ast.Constant) else None
                if isinstance(one, ast.Name) and type(number) is int and number > 0:
                    numbers[one.id] = str(number)
    return numbers
