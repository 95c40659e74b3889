"""Arguments that a file states itself: collections of kernel problems give those of a module's call by
`get_inputs()`, and those of making the module by `get_init_inputs()`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import torch

from ..tensors import NAMES
from .values.choices import Choice, Tensor
from .values.parameters import Parameter
from .entries import Entry
from .text.reading import Hint

_CALLING = "get_inputs"
_MAKING = "get_init_inputs"
#: A constant that is a size; smaller ones are flags and counts of everything.
_LEAST_SIZE = 3


@dataclasses.dataclass(frozen=True)
class Names:
    """What the numbers of a file are called."""

    #: Whole numbers of the module, by name.
    constants: dict[str, int]
    #: Hints for the parameters of the call.
    hints: dict[str, Hint]


def stated_entry(entry: Entry, evaluate: Callable[[str], object], names: Names) -> Entry | None:
    """The entry with what its file states as the only choices, and the stated values of its sizes; None where the
    file states nothing that can be written down.
    """
    if not entry.module:
        return None
    try:
        calling, making = evaluate(_CALLING + "()"), evaluate(_MAKING + "()")
    except Exception:
        return None
    if not isinstance(calling, (list, tuple)) or not isinstance(making, (list, tuple)):
        return None
    if len(calling) > len(entry.calling) or len(making) > len(entry.making):
        return None
    sizes: dict[str, int] = {}
    by_value = {value: name for name, value in reversed(names.constants.items()) if value >= _LEAST_SIZE}

    def named(value: int, said: str | None) -> str | int:
        """The name of a size, which has this value from now on; the number where its name has another one."""
        name = by_value.get(value, said)
        if name is None or value < _LEAST_SIZE or sizes.get(name, value) != value:
            return value
        sizes[name] = value
        return name

    given = [
        _stated(parameter, value, names.hints.get(parameter.name, Hint()), named)
        for parameter, value in [*zip(entry.calling, calling), *zip(entry.making, making)]
    ]
    if None in given:
        return None
    told = {each.name: each for each in given if each}
    left = [*entry.calling[len(calling) :], *entry.making[len(making) :]]
    if any(each.choices[0] is not None for each in left):
        return None
    return dataclasses.replace(
        entry,
        calling=[told.get(each.name, each) for each in entry.calling],
        making=[told.get(each.name, each) for each in entry.making],
        state=[],
        gradients=[],
        stated=sizes,
    )


def _stated(
    parameter: Parameter, value: object, hint: Hint, named: Callable[[int, str | None], str | int]
) -> Parameter | None:
    """A parameter with its stated value as the only choice; None where the value is of no kind that a spec holds."""
    if isinstance(value, torch.Tensor):
        said = [*hint.dims, *([None] * value.dim())]
        dims = tuple(named(size, said[axis]) for axis, size in enumerate(value.shape))
        dtype = NAMES.get(value.dtype)
        choice = Choice("?", Tensor(dtype, dims), "inferred") if dtype else None
    elif isinstance(value, int) and not isinstance(value, bool):
        choice = Choice(str(named(value, None)), origin="inferred")
    elif _is_plain(value):
        choice = Choice(repr(value), origin="inferred")
    else:
        choice = None
    return choice and dataclasses.replace(parameter, choices=[choice], chosen=0)


def _is_plain(value: object) -> bool:
    """Whether the value's text gives it again."""
    if isinstance(value, (list, tuple)):
        return all(_is_plain(each) for each in value)
    return value is None or isinstance(value, (bool, int, float, str))
