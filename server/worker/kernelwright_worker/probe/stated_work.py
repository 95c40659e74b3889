"""How much of the sizes that a file states a check has time for."""

from __future__ import annotations

import math
from collections.abc import Callable

#: Warp-level instructions of a shape that the file states: some seconds.
_STATED_WORK = 40_000_000
#: How often the largest stated size is halved, and up to what sizes stay what they are in any case.
_MOST_HALVINGS, _NARROWEST = 24, 32
#: Programs of which each multiprocessor of a large GPU has one: they stay while other sizes can be smaller.
_FILLING = 128
#: Up to this a size is the width of something, and not made smaller for the sake of the grid.
_WIDTH = 64
#: How often a run in between tells how work grows.
_MOST_RUNS = 3
#: What a size is multiplied with to see whether the grid follows it.
_LONGER = 16

Sizes = dict[str, int]


class StatedSizes:
    """The stated sizes, or so much of the largest ones that a run is not too much work. How work grows with
    them is told by runs on the way: that of attention grows with the square of a length.

    `instructions`: of a run with the sizes, None where they do not run. `blocks`: of the launch with them.
    """

    def __init__(
        self,
        first: Sizes,
        work: int,
        instructions: Callable[[Sizes], int | None],
        blocks: Callable[[Sizes], int],
    ) -> None:
        self._known, self._work, self._power = first, max(1, work), 1.0
        self._instructions, self._blocks_of = instructions, blocks
        #: Small sizes with their blocks, and those of them that the grid follows.
        self._small, self._small_blocks, self._followed = first, 0, frozenset()

    def affordable(self, told: Sizes) -> Sizes | None:
        """The stated sizes beside the first ones, as small as need be; None where that is too small."""
        wanted = {name: told.get(name, value) for name, value in self._known.items()}
        sizes = self._smaller(wanted, told)
        for _ in range(_MOST_RUNS):
            if sizes is None or self._is_sure(sizes) or not self._learns(self._between(sizes)):
                break
            sizes = self._smaller(wanted, told)
        return sizes

    def _learns(self, between: Sizes) -> bool:
        """Whether a run with other sizes told how work grows."""
        growth = self._growth(between)
        work = self._instructions(between) if growth > 1 else None
        if work is None:
            return False
        self._power = max(0.5, math.log(max(1, work) / self._work) / math.log(growth))
        self._known, self._work = between, max(1, work)
        return True

    def _blocks(self, sizes: Sizes) -> float:
        """About how many blocks the launch has: tensors of large sizes take long to make."""
        if self._small_blocks == 0:
            first = self._small
            plain = self._blocks_of(first)
            longer = {name: {**first, name: _LONGER * size} for name, size in first.items()}
            self._followed = frozenset(
                name for name, each in longer.items() if self._blocks_of(each) > max(1, plain)
            )
            longest = {name: _LONGER * first[name] for name in self._followed}
            self._small = {**first, **longest}
            self._small_blocks = max(1, self._blocks_of(self._small))
        return self._small_blocks * math.prod(sizes[name] / self._small[name] for name in self._followed)

    def _is_sure(self, sizes: Sizes) -> bool:
        """Whether a run is not too much even if work grows with the square."""
        return self._work * max(1.0, self._growth(sizes)) ** 2 <= _STATED_WORK

    def _growth(self, sizes: Sizes) -> float:
        return math.prod(sizes[name] / value for name, value in self._known.items())

    def _smaller(self, wanted: Sizes, told: Sizes) -> Sizes | None:
        sizes = dict(wanted)
        for _ in range(_MOST_HALVINGS):
            if self._work * max(1.0, self._growth(sizes)) ** self._power <= _STATED_WORK:
                return sizes
            name = self._too_large(sizes, told)
            if name is None:
                return None
            sizes[name] //= 2
        return sizes

    def _too_large(self, sizes: Sizes, told: Sizes) -> str | None:
        """The size to be halved: the largest, but none that leaves a GPU idle while there is another one.
        Small ones are widths of heads, channels and taps, which stay what they are as long as they can.
        """
        names = sorted((each for each in told if each in sizes), key=lambda name: -sizes[name])
        if not names or sizes[names[0]] <= _NARROWEST:
            return None
        if self._blocks(sizes) < _FILLING:
            return names[0]
        for name in names:
            if sizes[name] > _WIDTH and self._blocks({**sizes, name: sizes[name] // 2}) >= _FILLING:
                return name
        return names[0]

    def _between(self, sizes: Sizes) -> Sizes:
        """Sizes on the way from the known ones, with which a run is not too much even if work grows with the
        square: halved, so that whole parts of a block stay whole.
        """
        between = {name: max(size, self._known[name]) for name, size in sizes.items()}
        while not self._is_sure(between):
            name = max(between, key=lambda each: between[each] / self._known[each])
            if between[name] < 2 * self._known[name]:
                return self._known
            between[name] //= 2
        return between
