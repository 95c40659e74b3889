"""Shapes that code compares with, `x.shape == (batch, chunks * dim)`, and sizes that follow from others,
`chunks = (length + chunk - 1) // chunk`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .conditions import conditions_of

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
    for sides in _equal(function):
        listed = [side.elts for side in sides if isinstance(side, (ast.Tuple, ast.List))]
        texts = [_text(size, derived, _DEPTH) for size in listed[0]] if listed else [""]
        for name in map(_shaped, sides):
            if name is not None and all(texts):
                found.setdefault(name, texts)
    return found


def compared_sizes(
    function: ast.FunctionDef, constants: dict[str, int], making: tuple[str, ...] = ()
) -> dict[str, dict[int, str]]:
    """Single sizes of tensors, by dimension (from the end below zero), that the function asserts to follow from numbers that it is given:
    `row_bytes == (samples + 3) // 4`.
    """
    given = {*(each.arg for each in [*function.args.args, *function.args.kwonlyargs]), *making}
    numbers = {name: ast.Constant(value) for name, value in constants.items()}
    named = _named_sizes(function)
    found: dict[str, dict[int, str]] = {}
    for sides in _equal(function):
        for one, other in [sides, sides[::-1]] if len(sides) == 2 else []:
            place = named.get(ast.unparse(one)) or _size_asked(one)
            names = {each.id for each in ast.walk(other) if isinstance(each, ast.Name)} - set(constants)
            computed = names and names <= given and not isinstance(other, ast.Name)
            text = _text(other, numbers, _DEPTH) if place and computed else ""
            if text:
                found.setdefault(place[0], {}).setdefault(place[1], text)
    return found


def _equal(function: ast.FunctionDef) -> Iterator[list[ast.expr]]:
    """The sides of comparisons that have to be equal."""
    for test, holds in conditions_of(function):
        for each in ast.walk(test) if holds else _alternatives(test):
            kind = ast.Eq if holds else ast.NotEq
            if isinstance(each, ast.Compare) and all(isinstance(op, kind) for op in each.ops):
                if holds or len(each.ops) == 1:
                    yield [each.left, *each.comparators]


def _alternatives(test: ast.expr) -> list[ast.expr]:
    """What leads to an error each by itself: the parts of `a or b`."""
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]


def _named_sizes(function: ast.FunctionDef) -> dict[str, tuple[str, int]]:
    """Names of single sizes, by what they are of: `rows, columns = x.shape`, `rows = x.shape[0]`."""
    found: dict[str, tuple[str, int]] = {}
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        [target] = node.targets
        whole, single = _shaped(node.value), _size_asked(node.value)
        if isinstance(target, (ast.Tuple, ast.List)) and whole is not None:
            found.update({ast.unparse(each): (whole, axis) for axis, each in enumerate(target.elts)})
        elif isinstance(target, ast.Name) and single is not None:
            found[target.id] = single
    return found


def _size_asked(node: ast.expr) -> tuple[str, int] | None:
    """The tensor and the dimension of `x.shape[0]` and `x.size(0)`."""
    if isinstance(node, ast.Call) and len(node.args) == 1:
        whole, axis = _shaped(ast.Call(node.func, [], [])), node.args[0]
    elif isinstance(node, ast.Subscript):
        whole, axis = _shaped(node.value), node.slice
    else:
        return None
    try:
        number = ast.literal_eval(axis)
    except ValueError:
        return None
    return (whole, number) if whole is not None and type(number) is int else None


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
