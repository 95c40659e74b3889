"""Parameters of torch modules, and those of their buffers that hold nothing yet, as inputs of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ..tensors import NAMES
from .values.choices import Choice, Tensor
from .entries import Entry
from .returned import free_name
from .search import fit
from .sizes import apart, first_sizes, sizes_in
from .text.conditions import Rules

if TYPE_CHECKING:
    from .attempts import Attempts

#: Whole numbers that are data where a module has a matrix of them; others may be places.
_DATA = (torch.int8, torch.uint8, torch.int16, torch.int32)


def take_state(entry: Entry, attempts: Attempts) -> bool:
    """Makes the state of a module inputs; false where its sizes follow no rule that is known."""
    modules = _modules(entry, attempts)
    if modules is None:
        return False
    cases = apart(entry)
    found = [_state(each, attempts) for each in modules]
    for path, tensor in found[0].items():
        if any(path not in case for case in found):
            continue
        dims = [fit([list(case[path].shape)[axis] for case in found], cases) for axis in range(tensor.dim())]
        if None in dims:
            return False
        alias = free_name(path.replace(".", "__"), {*entry.tensors(), *sizes_in(entry)})
        choice = Choice("?", Tensor(NAMES[tensor.dtype], tuple(dims)), "probed")
        entry.state.append((path.replace(".", "__"), alias, choice))
    return True


def _modules(entry: Entry, attempts: Attempts) -> list[torch.nn.Module] | None:
    """The module with two assignments of sizes. A constructor may take no smaller ones than the first, as with
    `dim // heads in (32, 64)`: then the rules of the entry say so from here on.
    """
    first, asked = first_sizes(entry), entry.asked
    for least in [{}, *({name: value} for name, value in first.items()), first]:
        entry.asked = asked.join(Rules(least=least))
        built = [_built(entry, sizes, attempts) for sizes in apart(entry)]
        if None not in built:
            return built
    entry.asked = asked
    return None


def _state(built: torch.nn.Module, attempts: Attempts) -> dict[str, torch.Tensor]:
    """The tensors of a module by their path. A buffer that holds zeros is filled by whoever loads a checkpoint: with
    zeros any kernel would be right.
    """
    parameters = dict(built.named_parameters())
    buffers = {path: each for path, each in built.named_buffers() if _is_empty(each, attempts)}
    return {path: each for path, each in {**parameters, **buffers}.items() if each.dtype in NAMES}


def _is_empty(buffer: torch.Tensor, attempts: Attempts) -> bool:
    if buffer.dim() == 0 or buffer.numel() < 2 or buffer.is_complex():
        return False
    if not buffer.is_floating_point() and (buffer.dim() < 2 or buffer.dtype not in _DATA):
        return False
    return attempts.is_unwritten(buffer) or not bool(buffer.any())


def _built(entry: Entry, sizes: dict[str, int], attempts: Attempts) -> torch.nn.Module | None:
    chosen = {each.alias: each.choice for each in entry.making if each.choice}
    tensors = {alias: choice.tensor for alias, choice in chosen.items() if choice.tensor}
    try:
        built = attempts.evaluate(entry.maker(), sizes, tensors)
    except Exception:
        return None
    return built if isinstance(built, torch.nn.Module) else None
