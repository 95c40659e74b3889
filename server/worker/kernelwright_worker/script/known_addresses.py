"""Addresses that a program takes of its tensors with data_ptr() and passes on as numbers, or as tensors of
numbers.
"""

from __future__ import annotations

import sys

import torch
from torch.multiprocessing.reductions import StorageWeakRef

#: Devices whose tensors lie in memory of this process: those of the virtual GPU do until a launch.
IN_THIS_PROCESS = ("cpu", "cuda")


class Range:
    """Where a storage lies in main memory, for as long as it lives."""

    def __init__(self, storage: torch.UntypedStorage) -> None:
        self.storage = StorageWeakRef(storage)
        self.key = storage._cdata
        self.host = storage.data_ptr()
        self.size = storage.nbytes()

    def holds(self, address: int) -> bool:
        return self.host <= address < self.host + max(self.size, 1)


class KnownAddresses:
    """The storages whose address the program has asked for; what Triton and torch ask themselves does not
    count.
    """

    def __init__(self, own: tuple[str, ...]) -> None:
        self._own = own
        self._ranges = {}

    def install(self) -> None:
        ask = torch.Tensor.data_ptr

        def data_ptr(tensor: torch.Tensor) -> int:
            if tensor.device.type in IN_THIS_PROCESS and not sys._getframe(1).f_code.co_filename.startswith(
                self._own
            ):
                self.note(tensor.untyped_storage())
            return ask(tensor)

        torch.Tensor.data_ptr = data_ptr

    def note(self, storage: torch.UntypedStorage) -> None:
        known = self._ranges.get(storage._cdata)
        if known is None or (known.host, known.size) != (storage.data_ptr(), storage.nbytes()):
            self._ranges[storage._cdata] = Range(storage)

    def __bool__(self) -> bool:
        return bool(self._ranges)

    def find(self, address: int) -> Range | None:
        """The range that holds a host address, or None."""
        for key in [key for key, each in self._ranges.items() if each.storage.expired()]:
            del self._ranges[key]
        return next((each for each in self._ranges.values() if each.holds(address)), None)
