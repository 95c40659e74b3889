"""Gives sizes names of their own that a guess has made equal, where a tensor has one twice: with `x [N, K]` and
`w [N, K]` a product `[N, N]` that takes one number of rows for the other would be right.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from ..budget import Budget
from ..entries import Entry
from ..search import Attempt, Try
from ..text.conditions import Rules
from ..sizes import first_sizes, sizes_in
from ..values.choices import Choice, named_size
from ..values.parameters import Parameter

#: Sizes that are tried under a name of their own; each takes two runs on the virtual GPU at most.
_MOST_TRIED = 8
#: Numbers below are counts of a few, which half as many of are too few.
_LEAST = 2


@dataclasses.dataclass(frozen=True)
class _Tied:
    """A place in a call where a size stands by a guess: an axis of a tensor, or a number."""

    parameter: Parameter
    size: str
    axis: int | None


class Untying:
    """Tries sizes by names of their own."""

    def __init__(self, run: Try, dry: Try, budget: Budget, renew: Callable[[Entry], bool]) -> None:
        """`run`: a call on the virtual GPU; `dry`: one without it; `renew`: takes the state of a module again, and
        says whether its sizes follow from the present ones.
        """
        self._run, self._dry, self._budget, self._renew = run, dry, budget, renew

    def untie(self, entry: Entry, made: Attempt) -> Attempt:
        """Changes the choices of `entry`; `made`: what came of the present ones. Gives what comes of the last."""
        tried = 0
        for tied in _tied(entry):
            if tried == _MOST_TRIED or self._budget.is_spent:
                break
            # What stood twice before may be apart by now.
            if tied.size not in _twice(entry, made):
                continue
            tried += 1
            made = self._apart(entry, tied, made) or made
        return made

    def _apart(self, entry: Entry, tied: _Tied, made: Attempt) -> Attempt | None:
        """A call with another number there, where fewer and more of it run as well: the present choice else stays."""
        parameter = tied.parameter
        kept, state, count = parameter.chosen, list(entry.state), len(parameter.choices)
        name = _free_name(entry, tied)
        parameter.choices.append(_renamed(parameter.choice, tied.axis, name))
        parameter.chosen = count
        asked = entry.asked
        again = self._renewed(entry, (tied, name), made)
        if again is not None:
            return again
        entry.asked = asked
        del parameter.choices[count:]
        parameter.chosen, entry.state = kept, state
        return None

    def _renewed(self, entry: Entry, named: tuple[_Tied, str], made: Attempt) -> Attempt | None:
        (tied, name), before = named, first_sizes(entry)
        if not self._renew(entry):
            return None
        fewer, more = ({**before, name: value} for value in (before[tied.size] // 2, 2 * before[tied.size]))
        cases = [fewer, more]
        if tied.axis is None and self._dry(entry, more).stage < 3:
            # It may be a part, as of a group: then it divides the other.
            entry.asked = entry.asked.join(Rules(divided=((tied.size, name),)))
            cases = [fewer]
        if any(self._dry(entry, case).stage < 3 for case in cases) or not self._renew(entry):
            return None
        ran = (self._run(entry, case) for case in [*cases, first_sizes(entry)])
        return last if all(self._is_alike(last := each, made) for each in ran) else None

    @staticmethod
    def _is_alike(made: Attempt, before: Attempt) -> bool:
        is_whole = made.left == 0 or before.left > 0
        return made.stage == 3 and is_whole and len(made.results) == len(before.results)


def _tied(entry: Entry) -> list[_Tied]:
    """Sizes that a guess has put in more than one place, numbers first: they are told by those who call."""
    numbers, axes = [], []
    for each in entry.parameters:
        choice = each.choice
        if choice is None or choice.origin != "guessed":
            continue
        if choice.tensor is None:
            if choice.text in sizes_in(entry):
                numbers.append(_Tied(each, choice.text, None))
            continue
        whole = [(axis, size) for axis, size in enumerate(choice.tensor.dims) if isinstance(size, str)]
        axes += [_Tied(each, size, axis) for axis, size in whole if size.isidentifier()]
    sizes = first_sizes(entry)
    return [each for each in [*numbers, *axes] if sizes[each.size] >= _LEAST]


def _twice(entry: Entry, made: Attempt) -> set[str]:
    """Sizes that a tensor of the call, or one that comes back, has more than once, and those of several numbers."""
    sizes = first_sizes(entry)
    names = {value: name for name, value in sizes.items()}
    shapes = [list(each.tensor.dims) for each in entry.tensors().values()]
    shapes += [[names.get(size, 1) for size in shape] for _, shape, *_ in made.results]
    shapes.append([each.choice.text for each in entry.parameters if each.choice and not each.choice.tensor])
    return {each for shape in shapes for each in shape if each in sizes and shape.count(each) > 1}


def _renamed(choice: Choice, axis: int | None, name: str) -> Choice:
    if axis is None:
        return dataclasses.replace(choice, text=name)
    dims = [name if at == axis else size for at, size in enumerate(choice.tensor.dims)]
    return dataclasses.replace(choice, tensor=dataclasses.replace(choice.tensor, dims=tuple(dims)))


def _free_name(entry: Entry, tied: _Tied) -> str:
    """The name of the number; of an axis that of the tensor, with its place, but `rows` where that says it."""
    taken = {*sizes_in(entry), *entry.tensors()}
    own = str(named_size(tied.parameter.name))
    if tied.axis is not None:
        own = "%s_%d" % (own.lower(), tied.axis)
        is_first = tied.axis == 0 and len(tied.parameter.choice.tensor.dims) == 2
        own = "rows" if is_first and "rows" not in taken else own
    while own in taken:
        own += "_"
    return own
