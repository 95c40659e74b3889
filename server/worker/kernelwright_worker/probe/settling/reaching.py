"""Gives tables that are guessed the shape of what kernels read of them. A table that is long enough by accident, as
`[rows, 64]` with 32 rows in place of `[seq, 32]` with 64, is too short or too long with other sizes.
"""

from __future__ import annotations

import dataclasses
import itertools
import math

from ..budget import Budget
from ..entries import Entry
from ..search import Attempt, Try, fit, shape_in
from ..sizes import first_sizes, odd_sizes, other_sizes, size_names, sizes_in
from ..values.choices import Choice
from ..values.parameters import Parameter

#: How much longer a table is made to see where reads end, along its first axis.
_ROOM = 8
#: Tables that are looked at; each takes four runs on the virtual GPU at most.
_MOST_TABLES = 4


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
        if any("int" in each.tensor.dtype for each in entry.tensors().values()):
            return made
        tried = 0
        for parameter in entry.parameters:
            if tried == _MOST_TABLES or self._budget.is_spent:
                break
            if not _is_table(parameter) or parameter.alias in made.changed:
                continue
            tried += 1
            made = self._settled(entry, parameter, made) or made
        return made

    def _settled(self, entry: Entry, parameter: Parameter, made: Attempt) -> Attempt | None:
        cases = _cases(entry)
        kept, count = parameter.chosen, len(parameter.choices)
        ends = self._ends(entry, parameter, cases)
        dims = ends and _shape_of(entry, parameter, cases, ends)
        if not dims:
            return None
        tensor = dataclasses.replace(parameter.choice.tensor, dims=dims)
        parameter.choices.append(dataclasses.replace(parameter.choice, tensor=tensor, origin="probed"))
        parameter.chosen = count
        again = self._alike(entry, made)
        if again is None:
            del parameter.choices[count:]
            parameter.chosen = kept
        return again

    def _ends(self, entry: Entry, parameter: Parameter, cases: list[dict[str, int]]) -> list[int]:
        """Where reads of the tensor end, in elements, with each of the sizes. Empty where its present shape ends
        there as well, or it is not known.
        """
        kept, choice = parameter.chosen, parameter.choice
        first, *dims = choice.tensor.dims
        roomy = dataclasses.replace(choice.tensor, dims=("%d * %s" % (_ROOM, first), *dims))
        parameter.choices.append(dataclasses.replace(choice, tensor=roomy))
        parameter.chosen = len(parameter.choices) - 1
        try:
            return self._measured(entry, parameter.alias, (choice, cases))
        finally:
            parameter.choices.pop()
            parameter.chosen = kept

    def _measured(self, entry: Entry, alias: str, of: tuple[Choice, list[dict[str, int]]]) -> list[int]:
        present, cases = of
        ends = []
        for sizes in cases:
            if self._budget.is_spent or self._dry(entry, sizes).stage < 3:
                return []
            made = self._measure(entry, sizes)
            self._budget.charge(made.instructions)
            if made.stage < 3 or alias not in made.read:
                return []
            ends.append(made.read[alias])
        shapes = [math.prod(shape_in(present.tensor, sizes)) for sizes in cases]
        return [] if ends == shapes else ends

    def _alike(self, entry: Entry, before: Attempt) -> Attempt | None:
        """The last of calls with all sizes, where each runs, and the one with the first sizes as before."""
        if any(self._dry(entry, sizes).stage < 3 for sizes in _cases(entry)):
            return None
        for sizes in reversed(_cases(entry)):
            made = self._run(entry, sizes)
            if made.stage < 3:
                return None
        same = [shape for _, shape, *_ in made.results] == [shape for _, shape, *_ in before.results]
        return made if same and made.instructions == before.instructions else None


def _cases(entry: Entry) -> list[dict[str, int]]:
    first = first_sizes(entry)
    return [first, other_sizes(first, entry.rules), odd_sizes(first, entry.rules)]


def _is_table(parameter: Parameter) -> bool:
    """Whether a tensor has a shape of several dimensions that nothing in the source names."""
    choice = parameter.choice
    if parameter.flat or choice is None or choice.tensor is None or choice.origin != "guessed":
        return False
    return len(choice.tensor.dims) > 1


def _shape_of(
    entry: Entry, parameter: Parameter, cases: list[dict[str, int]], ends: list[int]
) -> tuple[str | int, ...]:
    """One to three sizes whose product ends there in all cases: those that the call has beside the tensor, the last of
    which may be a number. Empty where there are none.
    """
    known = _sizes_beside(entry, parameter)
    others = [{name: case[name] for name in known} for case in cases]
    for rank in (1, 2, 3):
        for outer in itertools.product(known, repeat=rank - 1):
            wholes = [math.prod(case[name] for name in outer) for case in others]
            if any(end % whole for end, whole in zip(ends, wholes)):
                continue
            inner = fit([end // whole for end, whole in zip(ends, wholes)], others) if known else None
            if isinstance(inner, int) or inner in known:
                return (*outer, inner)
    return ()


def _sizes_beside(entry: Entry, parameter: Parameter) -> list[str]:
    """Names of sizes that the call has without the tensor."""
    dims = [each.tensor.dims for alias, each in entry.tensors().items() if alias != parameter.alias]
    named = {name for shape in dims for size in shape for name in size_names(size)}
    named |= {each.choice.text for each in entry.parameters if each.choice and not each.choice.tensor}
    return [name for name in sizes_in(entry) if name in named]
