"""Counts what host code of an entry asks of a GPU beside work: copies to and from the host, and waits."""

from __future__ import annotations

import torch

from ..caller.streams import streams


class HostCalls:
    """Counts as `host-call-count.ts` does for CUDA's runtime: a copy waits itself, and a wait counts where work
    came before it and comes behind it.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begins anew."""
        self._to_host = {"calls": 0, "bytes": 0}
        self._to_device = {"calls": 0, "bytes": 0}
        self._waits = 0
        self._is_busy = False
        self._has_waited = False
        # Versions of memory that the host has a copy of, by address.
        self._copied = {}

    def told(self) -> dict:
        """The counts as one record."""
        return {"toHost": self._to_host, "toDevice": self._to_device, "waits": self._waits}

    def launched(self) -> None:
        """A kernel was launched, which may write to any memory."""
        self._copied.clear()
        self.worked()

    def worked(self) -> None:
        """Work of the GPU: an operation of torch."""
        self._waits += self._has_waited
        self._has_waited = False
        self._is_busy = True

    def waited(self) -> None:
        """Host code waits for the GPU."""
        self._has_waited = self._has_waited or self._is_busy
        self._is_busy = False

    def to_host(self, tensor: torch.Tensor) -> None:
        """The tensor's elements go to the host, unless it has them since a copy of all of the memory."""
        streams.wait_for_current()
        memory = tensor.untyped_storage().data_ptr()
        version = None if tensor.is_inference() else tensor._version
        if version is not None and self._copied.get(memory) == version:
            return
        size = tensor.numel() * tensor.element_size()
        if size == tensor.untyped_storage().nbytes():
            self._copied[memory] = version
        self._copy(self._to_host, size)

    def to_device(self, tensor: torch.Tensor) -> None:
        """What host code has made goes to the GPU."""
        self._copy(self._to_device, tensor.numel() * tensor.element_size())

    def _copy(self, copies: dict, size: int) -> None:
        copies["calls"] += 1
        copies["bytes"] += size
        self._has_waited = self._is_busy = False
