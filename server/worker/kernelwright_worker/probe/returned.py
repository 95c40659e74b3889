"""What comes of an entry whose host code goes on to compute with what its kernel wrote."""

from __future__ import annotations

import ast

from ..tensors import DTYPES
from .entries import Entry
from .search import Attempt, fit


def kernel_outputs(
    cases: list[dict[str, int]], runs: list[Attempt], taken: set[str]
) -> tuple[dict[str, dict], list[str]]:
    """What the kernel writes, by names that become `taken`, and the texts of its parameters for it."""
    outputs: dict[str, dict] = {}
    kept = []
    for parameter, (dtype, shape, part, _) in runs[0].arguments.items():
        shapes = [made.arguments.get(parameter, (dtype, [], part, True))[1] for made in runs]
        dims = _fitted(shapes, len(shape), cases)
        if part is not None or dims is None:
            continue
        name = free_name(parameter, taken)
        taken.add(name)
        outputs[name] = {"dtype": dtype, "shape": dims}
        kept.append(repr(parameter))
    return outputs, kept


def computed_outputs(
    entry: Entry, idle: Attempt, seen: tuple[list[dict[str, int]], list[Attempt]], taken: set[str]
) -> dict[int, tuple[str, dict]]:
    """What host code computed of what the kernel wrote, by the positions among what came back. `idle`: the call of
    the first run without its launches, with which other numbers come back; `seen`: sizes, and the runs with them.
    """
    cases, runs = seen
    results = runs[0].results
    if idle.stage != 3 or len(idle.contents) != len(results):
        return {}
    names = returned_names(entry.function.node)
    found: dict[int, tuple[str, dict]] = {}
    for index, (dtype, shape, part, written) in enumerate(results):
        is_same = idle.contents[index] == runs[0].contents[index]
        if written or part is not None or dtype not in DTYPES or is_same:
            continue
        dims = _fitted([made.results[index][1] for made in runs], len(shape), cases)
        if dims is None:
            continue
        named = names[index] if index < len(names) and len(names) == len(results) else "result"
        name = free_name(named, taken)
        taken.add(name)
        found[index] = (name, {"dtype": dtype, "shape": dims})
    return found


def _fitted(shapes: list[list[int]], rank: int, cases: list[dict[str, int]]) -> list | None:
    """The sizes of each dimension as expressions; None where there are others in some run, or nothing fits."""
    if any(len(each) != rank for each in shapes):
        return None
    dims = [fit([each[axis] for each in shapes], cases) for axis in range(rank)]
    return None if None in dims else dims


def free_name(name: str, taken: set[str]) -> str:
    """The name, with a number where it is taken."""
    free, number = name, 2
    while free in taken:
        free, number = "%s_%d" % (name, number), number + 1
    return free


def returned_names(function: ast.FunctionDef) -> list[str]:
    """The names that the last `return` of a function gives; empty where it gives more than names."""
    returns = [each for each in ast.walk(function) if isinstance(each, ast.Return) and each.value is not None]
    last = max(returns, key=lambda each: each.lineno).value if returns else None
    parts = last.elts if isinstance(last, ast.Tuple) else [last]
    names = []
    for part in parts:
        while isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            part = part.func.value
        if not isinstance(part, ast.Name) or part.id == "None":
            return []
        names.append(part.id)
    return names
