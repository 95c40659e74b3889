"""Pairs of whole numbers that say where a part of a size begins and ends, by their names."""

from __future__ import annotations

import re

#: What a beginning and its end are called, as a word of their names.
_WORDS = (
    ("start", "end"),
    ("start", "stop"),
    ("begin", "end"),
    ("first", "last"),
    ("from", "to"),
    ("lo", "hi"),
    ("low", "high"),
)
#: The same by a letter, which counts beside another word alone.
_LETTERS = ("s", "e")


def ends_of_parts(names: list[str]) -> dict[str, str]:
    """For the numbers among these that begin or end a part of a size: what is tried for them first.

    A part is of the size that shares a word with it, else of the only one, or of the one at its place; empty
    where that is not clear.
    """
    parts = [(one, other) for one in names for other in names if _is_part(one, other)]
    taken = {name for part in parts for name in part}
    sizes = [name for name in names if name not in taken]
    if len(taken) < 2 * len(parts):
        return {}
    found = {}
    for place, (begin, end) in enumerate(parts):
        size = _called_like(begin, sizes)
        if size is None and len(sizes) not in (1, len(parts)):
            return {}
        size = size or sizes[place % len(sizes)]
        found[begin] = "%s // 4" % size
        # Whether the end belongs to the part or not, it lies within the size.
        found[end] = "%s - 1" % size
    return found


def _is_part(one: str, other: str) -> bool:
    words, others = _words(one), _words(other)
    if len(words) != len(others):
        return False
    differing = [pair for pair in zip(words, others) if pair[0] != pair[1]]
    return len(differing) == 1 and (differing[0] in _WORDS or (len(words) > 1 and differing[0] == _LETTERS))


def _called_like(name: str, sizes: list[str]) -> str | None:
    """`rows` of `row_start`."""
    words = [word for word in _words(name) if len(word) > 1]
    return next((size for size in sizes if any(size.lower().startswith(word) for word in words)), None)


def _words(name: str) -> list[str]:
    """The words of `row_start`, `S_ROW` and `rowStart`."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]
