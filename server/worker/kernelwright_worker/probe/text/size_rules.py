"""Shapes that code compares with, `x.shape == (batch, chunks * dim)`, and sizes that follow from others,
`chunks = (length + chunk - 1) // chunk`.
"""

from __future__ import annotations

import ast

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv)
#: Sizes that follow from sizes that follow from others.
_DEPTH = 4


def compared_shapes(function: ast.FunctionDef, constants: dict[str, int]) -> dict[str, list[str]]:
    """The sizes of each tensor whose shape the function asserts as a tuple, as expressions over what is given.
    `constants`: whole numbers with names.
    """
    numbers = {name: ast.Constant(value) for name, value in constants.items()}
    derived = {**numbers, **_derived_sizes(function)}
    found: dict[str, list[str]] = {}
    for node in ast.walk(function):
        if not isinstance(node, ast.Assert):
            continue
        for each in ast.walk(node.test):
            if not isinstance(each, ast.Compare) or not all(isinstance(kind, ast.Eq) for kind in each.ops):
                continue
            sides = [each.left, *each.comparators]
            listed = [side.elts for side in sides if isinstance(side, (ast.Tuple, ast.List))]
            texts = [_text(size, derived, _DEPTH) for size in listed[0]] if listed else [""]
            for name in map(_shaped, sides):
                if name is not None and all(texts):
                    found.setdefault(name, texts)
    return found


def _shaped(node: ast.expr) -> str | None:
    """`x` of `x.shape` and `x.size()`."""
    if isinstance(node, ast.Call) and not node.args:
        node = node.func
    is_shape = isinstance(node, ast.Attribute) and node.attr in ("shape", "size")
    return node.value.id if is_shape and isinstance(node.value, ast.Name) else None


def _derived_sizes(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """What names are assigned that are computed with whole numbers; of several assignments the last."""
    found: dict[str, ast.expr] = {}
    given = {each.arg for each in [*function.args.args, *function.args.kwonlyargs]}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name not in given and not isinstance(node.value, ast.Constant) and _text(node.value, {}, 1):
                found[name] = node.value
    return found


def _text(node: ast.expr, derived: dict[str, ast.expr], depth: int) -> str:
    """A size as an expression; empty where it is none."""
    if isinstance(node, ast.Constant):
        return str(node.value) if type(node.value) is int and node.value > 0 else ""
    if isinstance(node, ast.Name):
        further = derived.get(node.id)
        return _text(further, derived, depth - 1) if further is not None and depth > 0 else node.id
    if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS):
        parts = [_text(each, derived, depth) for each in (node.left, node.right)]
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//"}[type(node.op)]
        return "%s %s %s" % (_whole(parts[0]), sign, _whole(parts[1])) if all(parts) else ""
    if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "cdiv" and len(node.args) == 2:
        parts = [_text(each, derived, depth) for each in node.args]
        return "ceil_div(%s, %s)" % tuple(parts) if all(parts) else ""
    return ""


def _whole(text: str) -> str:
    return "(%s)" % text if " " in text and not text.startswith("ceil_div") else text
