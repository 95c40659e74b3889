"""Gives tables that are guessed the shape of what kernels read of them. A table that is long enough by accident, as
`[rows, 64]` with 32 rows in place of `[seq, 32]` with 64, is too short or too long with other sizes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import math
import re
from collections.abc import Iterator

from ..budget import Budget
from ..entries import Entry
from ..search import Attempt, Try, fit, shape_in
from ..sizes import first_sizes, size_names, sizes_in, told_apart
from ..values.choices import may_lead
from ..values.parameters import Parameter

#: How much longer a table is made to see where reads end, along its first axis.
_ROOM = 8
#: Sizes with which ends have to be known.
_LEAST_CASES = 2
#: What groups along one size are as many as.
_PART = re.compile(r"ceil_div\(\w+, \d+\)|\w+ // \d+")
#: Sizes, and where reads end with them, in elements.
End = tuple[dict[str, int], int]


class Reaching:
    """Measures how far tensors are read, with several sizes."""

    def __init__(self, run: Try, dry: Try, measure: Try, budget: Budget) -> None:
        """`run`: a call on the virtual GPU; `dry`: one without it; `measure`: `run` that tells
        how far inputs are read, and whose work is not counted yet.
        """
        self._run, self._dry, self._measure, self._budget = run, dry, measure, budget

    def settle(self, entry: Entry, made: Attempt) -> Attempt:
        """Changes the choices of `entry`; `made`: what came of the present ones. Gives what comes of the last."""
        # The numbers of a table, small as they are now, may lead to all that a tensor has.
        if any(may_lead(each.tensor) for each in entry.tensors().values()):
            return made
        read = [each for each in entry.parameters if _is_table(each) and each.alias not in made.changed]
        tables = [each for each in read if not self._decides(entry, each)]
        kept = [(table, table.chosen) for table in tables]
        ends = self._ends(entry, tables, made)
        for table in tables:
            _take_shape(entry, table, ends[table.alias])
        if all(table.chosen == before for table, before in kept):
            return made
        again = self._alike(entry, made)
        if again is not None:
            return again
        for table, before in kept:
            table.chosen = before
        return made

    def _decides(self, entry: Entry, table: Parameter) -> bool:
        """Whether the length of a table decides what is launched: it is what the work is taken from."""
        sizes = first_sizes(entry)
        before = self._dry(entry, sizes)
        with _roomy([table]):
            after = self._dry(entry, sizes)
        seen = lambda made: (
            made.stage,
            made.blocks,
            made.constants,
            [shape for _, shape, *_ in made.results],
        )
        return seen(before) != seen(after)

    def _ends(self, entry: Entry, tables: list[Parameter], before: Attempt) -> dict[str, list[End]]:
        """Where reads of each table end, by its name, with those sizes with which the call runs and leaves no rest of
        its results where all tables are long. Empty lists where it works otherwise than `before` then.
        """
        ends: dict[str, list[End]] = {table.alias: [] for table in tables}
        with _roomy(tables):
            for index, sizes in enumerate(told_apart(entry) if tables else ()):
                if self._budget.is_spent or self._dry(entry, sizes).stage < 3:
                    continue
                made = self._measure(entry, sizes)
                self._budget.charge(made.instructions)
                if index == 0 and made.instructions != before.instructions:
                    break
                for alias in ends if made.stage == 3 and made.left == 0 else ():
                    ends[alias].append((sizes, made.read.get(alias, 0)))
        return ends

    def _alike(self, entry: Entry, before: Attempt) -> Attempt | None:
        """The last of calls with all sizes, where each runs, and the one with the first sizes as before."""
        for sizes in reversed(told_apart(entry)):
            if self._dry(entry, sizes).stage < 3:
                return None
            made = self._run(entry, sizes)
            if made.stage < 3:
                return None
        same = [shape for _, shape, *_ in made.results] == [shape for _, shape, *_ in before.results]
        return made if same and made.instructions == before.instructions else None


@contextlib.contextmanager
def _roomy(tables: list[Parameter]) -> Iterator[None]:
    """Tables are longer meanwhile."""
    kept = [table.chosen for table in tables]
    for table in tables:
        first, *dims = table.choice.tensor.dims
        _choose(table, ("%d * (%s)" % (_ROOM, first), *dims), table.choice.origin)
    try:
        yield
    finally:
        for table, chosen in zip(tables, kept):
            table.choices.pop()
            table.chosen = chosen


def _choose(table: Parameter, dims: tuple[str | int, ...], origin: str) -> None:
    tensor = dataclasses.replace(table.choice.tensor, dims=dims)
    table.choices.append(dataclasses.replace(table.choice, tensor=tensor, origin=origin))
    table.chosen = len(table.choices) - 1


def _take_shape(entry: Entry, table: Parameter, ends: list[End]) -> None:
    """Chooses the shape whose end is where reads end, unless that of the present one is, or it is not known."""
    tensor = table.choice.tensor
    is_so = all(end == math.prod(shape_in(tensor, sizes)) for sizes, end in ends)
    if is_so or len(ends) < _LEAST_CASES or any(end == 0 for _, end in ends):
        return
    dims = _shape_of(_sizes_beside(entry, table), ends)
    if dims:
        _choose(table, dims, "probed")


def _is_table(parameter: Parameter) -> bool:
    """Whether a tensor has a shape that nothing in the source names."""
    choice = parameter.choice
    if parameter.flat or choice is None or choice.tensor is None or choice.origin != "guessed":
        return False
    return len(choice.tensor.dims) > 0


def _shape_of(known: list[str], ends: list[End]) -> tuple[str | int, ...]:
    """One to three sizes whose product ends there in all cases: those that the call has beside the tensor, and a number
    or a part of one of them. Empty where there are none.
    """
    cases = [{name: sizes[name] for name in known} for sizes, _ in ends]
    if not known or not cases:
        return ()
    for rank in (1, 2, 3):
        for outer in itertools.product(known, repeat=rank - 1):
            wholes = [math.prod(case[name] for name in outer) for case in cases]
            if any(end % whole for (_, end), whole in zip(ends, wholes)):
                continue
            rest = fit([end // whole for (_, end), whole in zip(ends, wholes)], cases)
            if isinstance(rest, int) or rest in known:
                return (*outer, rest)
            if rest is not None and _PART.fullmatch(rest):
                return (rest, *outer)
    return ()


def _sizes_beside(entry: Entry, parameter: Parameter) -> list[str]:
    """Names of sizes that the call has without the tensor."""
    dims = [each.tensor.dims for alias, each in entry.tensors().items() if alias != parameter.alias]
    named = {name for shape in dims for size in shape for name in size_names(size)}
    named |= {each.choice.text for each in entry.parameters if each.choice and not each.choice.tensor}
    return [name for name in sizes_in(entry) if name in named]
