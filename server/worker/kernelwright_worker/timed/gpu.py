"""A GPU by NVIDIA's driver: contents of memory, the second-level cache and times, without torch between."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from .gpu_contents import GpuContents

#: Of CUdevice_attribute.
_SECOND_LEVEL_BYTES = 38
_NOT_READY = 600
#: Bytes that are overwritten at least: no cache holds them.
_LEAST_FLUSH_BYTES = 256 * 1024**2
#: Milliseconds for which the GPU is busy before the first call, so that Python, which makes it, is ahead.
HEAD_START = 0.5
#: Milliseconds: work that goes on for longer behind the last event was hidden from it.
_HIDDEN = 0.02
#: By the names that the library has; of two the first that is there.
_FUNCTIONS = (
    "cuInit",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDevicePrimaryCtxRetain",
    "cuCtxSetCurrent",
    "cuCtxSynchronize",
    "cuEventCreate",
    "cuEventRecord",
    "cuEventQuery",
    "cuEventSynchronize",
    "cuEventElapsedTime|cuEventElapsedTime_v2",
    "cuMemAlloc_v2",
    "cuMemcpyHtoD_v2",
    "cuMemcpyDtoH_v2",
    "cuMemcpyDtoDAsync_v2",
    "cuMemFree_v2",
    "cuMemsetD8Async",
    "cuMemsetD16Async",
    "cuMemsetD32Async",
    "cuModuleLoadData",
    "cuModuleGetFunction",
    "cuLaunchKernel",
    "cuGetErrorName",
)
#: What older drivers lack.
_OPTIONAL = ("cuCtxResetPersistingL2Cache", "cuProfilerStart", "cuProfilerStop")


class DriverFailure(Exception):
    """The name of what a function of the driver said."""


class Gpu:
    """The first GPU that this process sees. Its functions are looked up once, before a candidate's code is
    there: nothing that this puts in the place of functions of torch or Triton reaches them.
    """

    def __init__(self, library: str = "libcuda.so.1") -> None:
        """Raises OSError where there is no such library, DriverFailure where it has no GPU."""
        loaded = ctypes.CDLL(library)
        self._calls = {names.split("|")[0]: _found(loaded, names) for names in _FUNCTIONS}
        self._calls.update({name: getattr(loaded, name) for name in _OPTIONAL if hasattr(loaded, name)})
        device, context, size = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_int()
        self._must("cuInit", 0)
        self._must("cuDeviceGet", ctypes.byref(device), 0)
        # The context that torch has as well.
        self._must("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._must("cuCtxSetCurrent", context)
        self._first, self._last, self._after = (self._event() for _ in range(3))
        self._must("cuDeviceGetAttribute", ctypes.byref(size), _SECOND_LEVEL_BYTES, device)
        self._flushed = max(2 * size.value, _LEAST_FLUSH_BYTES)
        self._memory = ctypes.c_uint64()
        self._must("cuMemAlloc_v2", ctypes.byref(self._memory), ctypes.c_size_t(self._flushed))
        self._flushes = self._flushes_for(HEAD_START)
        self._mark = self._mark_for_driver
        self.contents = GpuContents(self._must)

    def write(self, address: int, content: bytearray) -> None:
        if content:
            source = (ctypes.c_char * len(content)).from_buffer(content)
            self._must("cuMemcpyHtoD_v2", ctypes.c_uint64(address), source, ctypes.c_size_t(len(content)))

    def read(self, address: int, size: int) -> bytearray:
        content = bytearray(size)
        if size > 0:
            target = (ctypes.c_char * size).from_buffer(content)
            self._must("cuMemcpyDtoH_v2", target, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return content

    def synchronize(self) -> None:
        self._must("cuCtxSynchronize")

    def flush(self) -> None:
        """Overwrites the second-level cache, for so long that calls can be made ahead meanwhile."""
        self._ask("cuCtxResetPersistingL2Cache")
        for _ in range(self._flushes):
            self._flush_once()

    def begin(self) -> None:
        self._must("cuEventRecord", self._first, None)

    def is_behind(self) -> bool:
        """Whether the GPU has reached `begin` already: it may have waited for calls since."""
        return self._calls["cuEventQuery"](self._first) != _NOT_READY

    def end(self) -> float:
        """Nanoseconds from `begin` to the end of all work, also of streams that the last event does not wait
        for.
        """
        self._must("cuEventRecord", self._last, None)
        self._must("cuCtxSynchronize")
        self._must("cuEventRecord", self._after, None)
        self._must("cuEventSynchronize", self._after)
        span, behind = self._between(self._first, self._last), self._between(self._last, self._after)
        return 1e6 * (span + behind if behind > _HIDDEN else span)

    def profile(self, on: bool) -> None:
        """Marks for tools what is to be looked at."""
        self._mark(on)

    def shown_to(self, mark: Callable[[bool], None]) -> None:
        """Has another tool told than NVIDIA's, which the driver tells."""
        self._mark = mark

    def _mark_for_driver(self, on: bool) -> None:
        self._ask("cuProfilerStart" if on else "cuProfilerStop")

    def _flushes_for(self, milliseconds: float) -> int:
        self._flush_once()
        self.synchronize()
        self.begin()
        self._flush_once()
        return min(100, 1 + int(milliseconds * 1e6 / max(self.end(), 1e4)))

    def _flush_once(self) -> None:
        self._must("cuMemsetD8Async", self._memory, 0x5A, ctypes.c_size_t(self._flushed), None)

    def _event(self) -> ctypes.c_void_p:
        event = ctypes.c_void_p()
        self._must("cuEventCreate", ctypes.byref(event), 0)
        return event

    def _between(self, first: ctypes.c_void_p, last: ctypes.c_void_p) -> float:
        span = ctypes.c_float()
        self._must("cuEventElapsedTime", ctypes.byref(span), first, last)
        return span.value

    def _ask(self, name: str) -> None:
        """Calls a function that not every driver has, and whose failure means nothing."""
        if name in self._calls:
            self._calls[name]()

    def _must(self, name: str, *arguments: object) -> None:
        status = self._calls[name](*arguments)
        if status != 0:
            told = ctypes.c_char_p()
            known = self._calls["cuGetErrorName"](status, ctypes.byref(told)) == 0
            raise DriverFailure(told.value.decode() if known and told.value else "%s: %d" % (name, status))


def _found(library: ctypes.CDLL, names: str) -> Any:
    first, _, other = names.partition("|")
    return getattr(library, first if hasattr(library, first) or not other else other)
