"""The tensors that the calls of an entry are handed, with memory beside them that no call may write."""

from __future__ import annotations

from typing import Any

import torch

from .order import Drawn, Guard
from ..tensors import DTYPES

#: What is used after the candidate's code has run is fetched before it can put anything else in its place.
_empty = torch.empty
_data_ptr = torch.Tensor.data_ptr


class Outside(Exception):
    """Memory beside a buffer was written: which buffer, and which byte from its start."""


class BufferSet:
    """Tensors of one description (`tensors` of an order). Contents are copied by `gpu`, never by torch."""

    def __init__(self, described: list[dict], guard: Guard) -> None:
        self._guard = guard.bytes
        #: What is handed over are views of these: they stay, whatever a candidate does with its tensors.
        self._memory: list[torch.Tensor] = []
        #: Where each tensor lies, and its bytes.
        self._places: list[tuple[int, int]] = []
        self.tensors = [self._made(each) for each in described]

    def _made(self, described: dict) -> torch.Tensor:
        dtype, shape = DTYPES[described["dtype"]], described["shape"]
        size = torch.Size(shape).numel() * dtype.itemsize
        memory = _empty(self._guard + size + self._guard, dtype=torch.uint8, device="cuda")
        self._memory.append(memory)
        self._places.append((_data_ptr(memory) + self._guard, size))
        return memory[self._guard : self._guard + size].view(dtype).view(shape)

    def fill(self, gpu: Any, contents: list[bytearray | int | Drawn], value: int) -> None:
        """Puts contents into the tensors, and the value beside them."""
        beside = bytearray([value]) * self._guard
        for (address, size), content in zip(self._places, contents):
            # As many bytes as the other side calculates for the same shape.
            if isinstance(content, Drawn):
                gpu.contents.draw(address, size, content)
            elif isinstance(content, int):
                gpu.contents.repeat(address, size, content)
            else:
                gpu.write(address, content)
            gpu.write(address - self._guard, beside)
            gpu.write(address + size, beside)

    def look(self, gpu: Any, value: int) -> None:
        """Raises Outside where memory beside a tensor holds something else."""
        for number, (address, size) in enumerate(self._places):
            behind = _first_other(gpu.read(address + size, self._guard), value)
            if behind is not None:
                raise Outside("%d %d" % (number, size + behind))
            before = _first_other(gpu.read(address - self._guard, self._guard)[::-1], value)
            if before is not None:
                raise Outside("%d %d" % (number, -1 - before))


def _first_other(content: bytearray, value: int) -> int | None:
    if content.count(value) == len(content):
        return None
    return next((place for place, each in enumerate(content) if each != value), None)
