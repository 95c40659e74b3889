"""Python lists of numbers, and of tuples of numbers, that host code goes through: lengths, places, counts."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LIST = r"(?:typing\.)?(?:[Ll]ist|Sequence|Iterable|[Tt]uple)"
#: How a parameter is annotated that is a list of whole numbers, or of a few numbers each.
_NUMBERS = re.compile(_LIST + r"\[int(?:, \.\.\.)?\]\]?")
_ROWS = re.compile(_LIST + r"\[(?:typing\.)?[Tt]uple\[(\w+(?:, \w+)*)\](?:, \.\.\.)?\]\]?")
#: Names of lists whose numbers are parts of a whole.
_PARTS = re.compile(r"(^|_)(\w*lens|\w*lengths|counts?|splits?|sizes|sections|chunks)$|per_\w+$", re.I)
#: Numbers of each type, which differ from one row to the next where any may stand.
_VALUES = {"int": "0", "float": "0.5 + index / 8", "bool": "index % 2 == 0"}


def listed_choices(name: str, annotation: str, shapes: list[tuple[str | int, ...]]) -> list[str]:
    """Texts of lists for a parameter that is annotated as one, the likeliest first; none for another one.
    `shapes`: of tensors, by the names of their sizes.
    """
    rows = _ROWS.fullmatch(annotation)
    sizes = _leading_first(shapes)
    if rows:
        types = rows.group(1).split(", ")
        if not all(each in _VALUES for each in types):
            return []
        row = ", ".join(_VALUES[each] for each in types) + ("," if len(types) == 1 else "")
        return ["[(%s) for index in range(%s)]" % (row, each) for each in [*sizes, "2"]]
    if not _NUMBERS.fullmatch(annotation):
        return []
    parts = ["[%s - %s // 2, %s // 4, %s // 2 - %s // 4]" % ((each,) * 5) for each in sizes]
    each_row = [
        "[max(1, %s - index %% 4) for index in range(%s)]" % (most, count)
        for count in sizes
        for most in sizes
        if most != count
    ]
    shares = [
        "[%s // %s + (index < %s %% %s) for index in range(%s)]" % (whole, count, whole, count, count)
        for whole in sizes
        for count in sizes
        if whole != count
    ]
    few = ["[2, 2]", "[1, 1]", "[0, 1]", "[2]"]
    return [*parts, *each_row[:4], *shares[:12], *few] if _PARTS.search(name) else [*few, *parts]


def _leading_first(shapes: list[tuple[str | int, ...]]) -> list[str]:
    """Names of sizes, those of slowest dimensions first."""
    names: Iterable[str | int] = [
        *(shape[0] for shape in shapes if shape),
        *(each for shape in shapes for each in shape),
    ]
    return list(dict.fromkeys(each for each in names if isinstance(each, str) and each.isidentifier()))
