"""Tensors that torch hands out with nothing in them, so that the sanitizer can tell of kernels that read them
before anything is written.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from .known_addresses import IN_THIS_PROCESS, Range

#: What fills such memory: as a number of 64 bits no program writes it, and as floating point it is no number.
_PATTERN = 0x7FF4DEAD7FB5175A
#: More separate pieces than these are not told apart.
_MOST_PIECES = 4096


class NeverWritten:
    """The storages that torch.empty and its kin have made, while they live."""

    def __init__(self) -> None:
        self._ranges = {}
        self._empty = torch.empty

    def install(self) -> None:
        for owner, names in (
            (torch, ("empty", "empty_like", "empty_strided")),
            (torch.Tensor, ("new_empty", "new_empty_strided")),
        ):
            for name in names:
                setattr(owner, name, self._noting(getattr(owner, name)))

    def held(self, memory: Range) -> list[tuple[int, int]]:
        """The ranges of bytes in which a storage holds anything; a half-written group of eight bytes counts
        as written.
        """
        known = self._ranges.pop(memory.key, None)
        if known is None or known.storage.expired() or (known.host, known.size) != (memory.host, memory.size):
            return [(0, memory.size)]
        words = memory.size // 8
        differs = self._words(torch.UntypedStorage._new_with_weak_ptr(known.storage.cdata), words) != _PATTERN
        zero = torch.zeros(1, dtype=torch.int8, device=differs.device)
        edges = torch.diff(differs.to(torch.int8), prepend=zero, append=zero).nonzero().flatten().tolist()
        if len(edges) > 2 * _MOST_PIECES:
            return [(0, memory.size)]
        return [(8 * start, 8 * end) for start, end in zip(edges[::2], edges[1::2])] + [
            (8 * words, memory.size)
        ]

    def _noting(self, make: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
        @functools.wraps(make)
        def empty(*arguments: Any, **named: Any) -> torch.Tensor:
            tensor = make(*arguments, **named)
            if (
                type(tensor) is torch.Tensor
                and tensor.device.type in IN_THIS_PROCESS
                and tensor.layout is torch.strided
                and "out" not in named
            ):
                self._note(tensor.untyped_storage())
            return tensor

        return empty

    def _note(self, storage: torch.UntypedStorage) -> None:
        if storage.nbytes() < 8:
            return
        for key in [key for key, each in self._ranges.items() if each.storage.expired()]:
            del self._ranges[key]
        self._ranges[storage._cdata] = Range(storage)
        self._words(storage, storage.nbytes() // 8).fill_(_PATTERN)

    def _words(self, storage: torch.UntypedStorage, count: int) -> torch.Tensor:
        return self._empty(0, dtype=torch.int64, device=storage.device).set_(storage, 0, (count,))
