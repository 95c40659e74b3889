"""Parameters that are tuples: `x, weight, out = data` tells their parts. Sizes that are asserted to have a number."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable
from typing import Protocol


@dataclasses.dataclass(frozen=True)
class Parts:
    """What a parameter that is more than one value is made of."""

    #: The text of the whole, where `%s` stands for that of its parts, or each for that of one.
    form: str
    #: Names of the parts, each with that of the field that it is; empty where they stand in their order.
    members: dict[str, str]
    #: So many parts stand for all, which are of their kinds in turn; 0 where each is of its own.
    kinds: int = 0


def unpacked(function: ast.FunctionDef) -> dict[str, Parts]:
    """The parts of each parameter that the function takes apart as a whole."""
    given = function.args
    names = {each.arg for each in [*given.posonlyargs, *given.args, *given.kwonlyargs]}
    found: dict[str, Parts] = {}
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
            form = "(%s,)" if len(parts) == 1 else "(%s)"
            found.setdefault(name, Parts(form, dict.fromkeys(parts, "")))
    return found


class Sizes(Protocol):
    """What is known of a tensor's sizes."""

    rank: int | None
    dims: list[str | None]
    last: dict[int, str]


def same_sizes(function: ast.FunctionDef, tensors: Iterable[Sizes]) -> dict[str, str]:
    """Names of sizes that a function asserts to be equal, by one of them: that of a tensor with all of its sizes."""
    same = _asserted_equal(function)
    for tensor in tensors:
        for axis, name in tensor.last.items():
            whole = tensor.rank == len(tensor.dims) and -axis <= len(tensor.dims)
            known = tensor.dims[axis] if whole else None
            first = same.get(name, name)
            if known is not None and known != first:
                same = {each: known if value == first else value for each, value in same.items()}
                same[first] = known
    return same


def _asserted_equal(function: ast.FunctionDef) -> dict[str, str]:
    """Names that a function asserts to have the value of another one, by that one: `assert Lq == Lk and Lk == Lv`."""
    same: dict[str, str] = {}
    for node in ast.walk(function):
        if not isinstance(node, ast.Assert):
            continue
        tests = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
        if isinstance(node.test, ast.BoolOp) and not isinstance(node.test.op, ast.And):
            continue
        for each in tests:
            if not isinstance(each, ast.Compare) or not all(isinstance(op, ast.Eq) for op in each.ops):
                continue
            sides = [each.left, *each.comparators]
            names = [same.get(side.id, side.id) for side in sides if isinstance(side, ast.Name)]
            for name in names[1:]:
                if name != names[0]:
                    same.update(
                        {other: names[0] for other in [name, *(k for k, v in same.items() if v == name)]}
                    )
    return same


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
