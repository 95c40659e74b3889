"""Gives tensors the smallest shapes with which an entry runs as before."""

from __future__ import annotations

import math

from ..budget import Budget
from ..entries import Entry
from ..search import Attempt, Try, shape_in
from ..sizes import first_sizes, other_sizes, size_names
from ..values.choices import may_lead
from ..values.parameters import Parameter

#: Runs on the virtual GPU in which tensors are smaller: of shapes that are guessed, and of flat memory.
_MOST_SHRINKS, _MOST_FLAT_SHRINKS = 16, 120


class Shrinking:
    """Gives tensors whose shapes nothing in the source names the smallest ones that a kernel does not leave."""

    def __init__(self, run: Try, dry: Try, budget: Budget) -> None:
        """`run`: a call on the virtual GPU; `dry`: one without it."""
        self._run, self._dry, self._budget = run, dry, budget
        self._left = _MOST_SHRINKS

    def shrink(self, entry: Entry, made: Attempt) -> None:
        """Changes the choices of `entry`; `made`: what came of the present ones."""
        flat = [each for each in entry.parameters if each.flat]
        if flat:
            self._left = _MOST_FLAT_SHRINKS
        first = first_sizes(entry)
        other = other_sizes(first, entry.rules)
        made_other = self._run(entry, other) if flat else None
        is_led = any(may_lead(each.tensor) for each in entry.tensors().values())
        # What is read beyond a tensor may lie in one that is larger than need be, and seem to be right: those
        # that are written, of which all that is touched is seen, come first.
        for parameter in sorted(entry.parameters, key=lambda each: each.alias not in made.changed):
            choice = parameter.choice
            if choice is None or choice.tensor is None or choice.origin != "guessed":
                continue
            if not parameter.flat:
                # The numbers of a table, small as they are now, may lead to all that a tensor has.
                if is_led and parameter.alias not in made.changed:
                    continue
                self._shrink_one(entry, parameter, (first, made))
            elif made_other is not None and made_other.stage == 3:
                self._shrink_flat(entry, parameter, [(first, made), (other, made_other)])

    def _shrink_one(self, entry: Entry, parameter: Parameter, case: Case) -> None:
        kept, whole = parameter.chosen, math.prod(shape_in(parameter.choice.tensor, case[0]))
        # Of as many elements the shape with fewer dimensions is less of an accident.
        rank = lambda each: (each[0], len(parameter.choices[each[1]].tensor.dims), each[1])
        for elements, index in sorted(_of_sizes(parameter, case[0]), key=rank):
            if elements >= whole or self._is_over:
                break
            parameter.chosen = index
            if self._runs_alike(entry, case):
                kept = index
                break
        parameter.chosen = kept

    def _shrink_flat(self, entry: Entry, parameter: Parameter, cases: list[Case]) -> None:
        """Of memory only the number of elements counts: what runs with some runs with more. Of shapes that have
        as many with the first sizes, the one that has least with the others.
        """
        kept = parameter.chosen

        def runs(index: int, case: Case) -> bool:
            parameter.chosen = index
            return self._runs_alike(entry, case)

        others = {index: elements for elements, index in _of_sizes(parameter, cases[1][0])}
        ranked = sorted(
            (elements, others[index], index) for elements, index in _of_sizes(parameter, cases[0][0])
        )
        low, high = 0, len(ranked) - 1
        while low < high and not self._is_over:
            middle = (low + high) // 2
            # All that have as many elements do alike.
            if runs(ranked[middle][2], cases[0]):
                high = middle
            else:
                low = middle + 1
        least = ranked[high][0]
        for elements, _, index in ranked:
            if elements >= least and not self._is_over and runs(index, cases[1]):
                kept = index if elements == least or runs(index, cases[0]) else kept
                break
        parameter.chosen = kept

    def _runs_alike(self, entry: Entry, case: Case) -> bool:
        """Whether the entry runs on the virtual GPU as before: results of the same shapes, and as much work (what
        the sizes of the work are taken from may not shrink).
        """
        sizes, made = case
        if self._dry(entry, sizes).stage < 3:
            return False
        self._left -= 1
        again = self._run(entry, sizes)
        same = _shapes(again) == _shapes(made) and again.instructions == made.instructions
        return again.stage == 3 and same and set(again.changed) == set(made.changed)

    @property
    def _is_over(self) -> bool:
        return self._left <= 0 or self._budget.is_spent


#: Sizes, and what came of a call with them.
Case = tuple[dict[str, int], Attempt]


def _of_sizes(parameter: Parameter, sizes: dict[str, int]) -> list[tuple[int, int]]:
    """How many elements each choice has that is a tensor of the present type and of these sizes, and its index."""
    dtype = parameter.choice.tensor.dtype
    return [
        (math.prod(shape_in(other.tensor, sizes)), index)
        for index, other in enumerate(parameter.choices)
        if other
        and other.tensor
        and other.tensor.dtype == dtype
        and all(name in sizes for each in other.tensor.dims for name in size_names(each))
    ]


def _shapes(made: Attempt) -> list[list[int]]:
    return [shape for _, shape, *_ in made.results]
