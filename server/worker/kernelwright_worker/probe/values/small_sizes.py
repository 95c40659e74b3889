"""The first numbers that sizes get."""

from __future__ import annotations

import re

from .usual import USUAL

#: Values of sizes that are told apart in the results of a run, by the position of the dimension from the end.
_SMALL = [64, 32, 16, 8, 128, 256, 4, 48]
#: Beside sizes called so, n is how many pictures there are.
_PLANE = {"h", "w"}
#: What is launched for one after the other; one letter says so beside how many of them a row goes to.
_EXPERTS = re.compile(r"(n_?|num_?)?(local_?)?experts", re.I)
_ROUTES, _BATCH = {"k", "topk", "top_k"}, {"b", "batch"}
#: The width of a table of pages and how many pages there are; a row of a table usually has so many at least.
_TABLE = re.compile(r"max_(num_)?(pages|blocks)\w*|(pages|blocks)_per_(seq|req|row|batch)\w*", re.I)
_PAGES = re.compile(r"(num|n|total)_(pages|blocks)", re.I)
_USUAL_WIDTH = 32


def small_sizes(names: list[str]) -> dict[str, int]:
    """A different small power of two for each size; what is called batch or heads is smaller still."""
    values: dict[str, int] = {}
    free = list(_SMALL)
    for name in names:
        wanted = 2 if re.match(r"(b|bs|bsz|batch\w*)$", name, re.I) else None
        if name.lower() == "n" and _PLANE <= {each.lower() for each in names}:
            wanted = 2
        wanted = 4 if re.match(r"(h|n_?heads?|num_heads|heads|g|groups)$", name, re.I) else wanted
        is_routed = _ROUTES & {each.lower() for each in names} and not _BATCH & {
            each.lower() for each in names
        }
        wanted = 4 if _EXPERTS.fullmatch(name) or (name == "E" and is_routed) else wanted
        if any(_TABLE.fullmatch(each) for each in names):
            # Rows of few pages, of which there are many: lengths are up to what a row of the table leads to.
            wanted = 128 if _PAGES.fullmatch(name) else 8 if _TABLE.fullmatch(name) else wanted
        if wanted in values.values() or wanted is None:
            wanted = next((each for each in free if each not in values.values()), 64)
        values[name] = wanted
    return values


def is_short(name: str, size: int) -> bool:
    """Whether a size is called the length of a sequence, or that of a row of pages, and is less than what is usual:
    a loop over a few shows nothing of what its turns cost.
    """
    return size < max(USUAL.length(name), _USUAL_WIDTH if _TABLE.fullmatch(name) else 0)
