"""Larger and smaller sizes for host code that takes others than those that are tried first: what it asks for may not
stand in words that are read (`assert x.numel() >= 4096`), and small tensors may go another way.
"""

from __future__ import annotations

import dataclasses

from .entries import Entry
from .search import Attempt, Try, find_arguments
from .sizes import first_sizes

#: What sizes are multiplied with, one after the other.
_SCALES = (4, 16, 1 / 4)
#: Sizes below are counts of a few, such as heads.
_LEAST_LONG = 8


def find_scaled(entry: Entry, run: Try) -> Attempt:
    """Finds arguments with which an entry runs; where it refuses all, or launches nothing, with other sizes."""
    best = find_arguments(entry, run)
    asked, sizes = entry.rules, first_sizes(entry)
    for scale in _SCALES:
        # What fails after a launch does so for another reason.
        if best.stage in (1, 3):
            return best
        kept, rules = [each.chosen for each in entry.parameters], entry.rules
        wanted = {name: int(value * scale) for name, value in sizes.items() if value >= _LEAST_LONG}
        bound = {"least" if scale > 1 else "most": wanted}
        entry.rules = asked.join(dataclasses.replace(type(asked)(), **bound))
        scaled = find_arguments(entry, run)
        if scaled.stage in (1, 3) or scaled.rank > best.rank:
            best = scaled
            continue
        entry.rules = rules
        for each, chosen in zip(entry.parameters, kept):
            each.chosen = chosen
    return best
