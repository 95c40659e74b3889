"""Larger and smaller sizes for host code that takes others than those that are tried first: what it asks for may
not stand in words that are read (`assert x.numel() >= 4096`), and small tensors, or those below a constant of the
file, may go another way.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from .entries import Entry
from .search import Attempt, Try, find_arguments
from .sizes import first_sizes
from .values.small_sizes import is_short
from .values.usual import USUAL

#: What sizes are multiplied with, one after the other.
_SCALES = (4, 16, 1 / 4)
#: Sizes below are counts of a few, such as heads.
_LEAST_LONG = 8
#: Numbers of host code beyond which another kernel may be launched: their bounds, and how many are tried.
_LEAST_LIMIT, _MOST_LIMIT, _MOST_LIMITS = 16, 2**18, 6
#: Lines of PTX up to which sizes grow that a kernel is compiled for, as `BLOCK=triton.next_power_of_2(n)`:
#: with them its code grows, and what its compilers take grows faster. Lines are taken to grow with a block,
#: so that no clock has a part in what is found.
_MOST_LINES = 3_000


def find_scaled(entry: Entry, run: Try, constants: dict[str, int]) -> Attempt:
    """Finds arguments with which an entry runs; where it refuses all, or launches nothing, with other sizes.
    `constants`: whole numbers of the file, by name.
    """
    best = find_arguments(entry, run)
    asked, sizes = entry.asked, first_sizes(entry)
    for scale in _SCALES:
        # What fails after a launch does so for another reason.
        if best.stage in (1, 3):
            return best
        kept, rules = [each.chosen for each in entry.parameters], entry.asked
        wanted = {name: int(value * scale) for name, value in sizes.items() if value >= _LEAST_LONG}
        bound = {"least" if scale > 1 else "most": wanted}
        entry.asked = asked.join(dataclasses.replace(type(asked)(), **bound))
        scaled = find_arguments(entry, run)
        if scaled.stage in (1, 3) or scaled.rank > best.rank:
            best = scaled
            continue
        entry.asked = rules
        for each, chosen in zip(entry.parameters, kept):
            each.chosen = chosen
    return _beyond_limits(entry, run, best, constants)


def _beyond_limits(entry: Entry, run: Try, best: Attempt, constants: dict[str, int]) -> Attempt:
    """Where all went well and the kernel was not launched: one size after the other beyond a number that the host code
    names.
    """
    asked = entry.asked
    if best.stage != 2:
        return best
    for limit in _limits(entry, constants):
        for name, value in first_sizes(entry).items():
            if value >= limit:
                continue
            entry.asked = asked.join(dataclasses.replace(type(asked)(), least={name: 2 * limit}))
            if run(entry, first_sizes(entry)).stage in (1, 3):
                # What it takes for granted of the others may be another thing there.
                return find_arguments(entry, run)
            entry.asked = asked
    return best


def _limits(entry: Entry, constants: dict[str, int]) -> list[int]:
    """Whole numbers of the file, and of the function that is called, the smallest first."""
    numbers = {*entry.numbers(), *(each for each in constants.values() if type(each) is int)}
    return sorted(each for each in numbers if _LEAST_LIMIT <= each <= _MOST_LIMIT)[:_MOST_LIMITS]


class CompiledSizes:
    """Sizes that a kernel is compiled for, and how far they may grow."""

    def __init__(
        self, dry: Callable[[Entry, dict[str, int]], Attempt], entry: Entry, first: dict[str, int]
    ) -> None:
        before = dry(entry, first).constants
        self._names = {
            name
            for name in first
            if before and dry(entry, {**first, name: 2 * first[name]}).constants not in ({}, before)
        }
        self._lines = 1

    def compiled(self, made: Attempt) -> None:
        """Takes note of the code of a run, from which on sizes are to grow."""
        self._lines = max(1, made.lines)

    def double(self, name: str) -> bool:
        """Whether one more of a size's doublings leaves the code short enough, which is then counted."""
        if name not in self._names:
            return True
        if 2 * self._lines > _MOST_LINES:
            return False
        self._lines *= 2
        return True


#: Blocks of which each multiprocessor of a large GPU has one.
FILLING_BLOCKS = 128
#: How much work may grow in filling a GPU: a launch of a few blocks says little of what a rewrite is worth.
_MOST_WIDENED = 16_000_000
#: How much more blocks there have to be with a size that is doubled.
_LEAST_GROWTH = 1.5


class Widening:
    """Sizes with which a launch of few blocks has so many that they fill a GPU, as far as the work allows."""

    def __init__(
        self, blocks: Callable[[dict[str, int]], int], fits: Callable[[str, dict[str, int]], bool]
    ) -> None:
        self._blocks = blocks
        self._fits = fits

    def proposals(self, sizes: dict[str, int], work: int, shares: int) -> list[dict[str, int]]:
        """Larger sizes, the largest first. `shares`: between how many runs the work is divided."""
        blocks = self._blocks(sizes)
        if not 0 < blocks < FILLING_BLOCKS:
            return []
        # What is no length makes more of the same blocks: the work grows as they do.
        names = sorted(self._growing(sizes, blocks), key=lambda name: USUAL.length(name) > 0)
        found: list[dict[str, int]] = []
        while blocks < FILLING_BLOCKS and 2 * work <= _MOST_WIDENED // shares:
            name = next((each for each in names if self._fits(each, _doubled(sizes, each))), None)
            if name is None:
                break
            sizes = _doubled(sizes, name)
            blocks, before = self._blocks(sizes), blocks
            if blocks < _LEAST_GROWTH * before:
                break
            # The work of a loop over a sequence grows with each of its ends.
            work *= 4 if USUAL.length(name) else 2
            found.append(sizes)
        return found[::-1]

    def _growing(self, sizes: dict[str, int], blocks: int) -> list[str]:
        return [name for name in sizes if self._blocks(_doubled(sizes, name)) >= _LEAST_GROWTH * blocks]


def _doubled(sizes: dict[str, int], name: str) -> dict[str, int]:
    return {**sizes, name: 2 * sizes[name]}


@dataclasses.dataclass(frozen=True)
class Growth:
    """How far sizes may grow: by what a size fits, and by the work that is grown by a factor with each doubling."""

    fits: Callable[[str, dict[str, int]], bool]
    compiled: CompiledSizes
    most_work: float
    #: Lengths go on growing beyond what is usual.
    fills: bool

    def grown(self, sizes: dict[str, int], able: list[str], work: float, factor: float) -> dict[str, int]:
        """The sizes with these of them doubled one after the other, lengths of sequences that are short ones first."""
        growing = list(able)
        while growing and work * factor <= self.most_work:
            name = next((each for each in growing if is_short(each, sizes[each])), growing[0])
            growing.remove(name)
            larger = {**sizes, name: 2 * sizes[name]}
            may = self.fills or is_short(name, sizes[name])
            if may and self.fits(name, larger) and self.compiled.double(name):
                sizes, work = larger, work * factor
                growing.append(name)
        return sizes
