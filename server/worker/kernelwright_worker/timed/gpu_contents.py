"""Fills memory of a GPU with contents that are made there, and keeps what calls have left, by NVIDIA's driver."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from .contents import THREADS, WIDTHS, blocks_for, halves, kernels, units
from .order import Drawn, Pool

#: Calls a function of the driver by its name. Raises where it fails.
_Must = Callable[..., None]
_FILLS = {
    1: ("cuMemsetD8Async", ctypes.c_ubyte),
    2: ("cuMemsetD16Async", ctypes.c_ushort),
    4: ("cuMemsetD32Async", ctypes.c_uint),
}


class GpuContents:
    """All work is given to the default stream."""

    def __init__(self, must: _Must) -> None:
        self._must = must
        self._kernels: dict[int, ctypes.c_void_p] = {}
        self._pools: list[tuple[int, ctypes.c_uint64, int]] = []
        #: Memory for copies, by what is kept there: its size and address.
        self._copies: dict[tuple[int, int], tuple[int, ctypes.c_uint64]] = {}

    def hold(self, pools: list[Pool]) -> None:
        """Copies pools to the GPU, in the place of earlier ones. Raises what the driver says where it cannot
        draw from them.
        """
        if not self._kernels:
            self._load()
        for _, address, _ in self._pools:
            self._must("cuMemFree_v2", address)
        self._pools = []
        for pool in pools:
            address = self._made(len(pool.content))
            source = (ctypes.c_char * len(pool.content)).from_buffer(pool.content)
            self._must("cuMemcpyHtoD_v2", address, source, ctypes.c_size_t(len(pool.content)))
            self._pools.append((pool.width, address, len(pool.content) // pool.width))

    def draw(self, address: int, size: int, drawn: Drawn) -> None:
        """Fills memory with elements of a pool."""
        width, pool, count = self._pools[drawn.pool]
        wanted = size // width
        if wanted == 0:
            return
        low, high = halves(drawn.seed)
        given = (
            *(ctypes.c_uint64(address), ctypes.c_uint64(wanted), pool),
            *(ctypes.c_uint32(each) for each in (count - 1, low, high, drawn.mask)),
        )
        places = (ctypes.c_void_p * len(given))(*(ctypes.addressof(each) for each in given))
        extents = (blocks_for(wanted), 1, 1, THREADS, 1, 1, 0)
        self._must("cuLaunchKernel", self._kernels[width], *extents, None, places, None)

    def repeat(self, address: int, size: int, pattern: int) -> None:
        """Fills memory with a pattern of 8 bytes, the last of which may be cut."""
        if size == 0:
            return
        unit = units(pattern, size)
        if unit is None:
            content = bytearray((pattern.to_bytes(8, "little") * (size // 8 + 1))[:size])
            source = (ctypes.c_char * size).from_buffer(content)
            self._must("cuMemcpyHtoD_v2", ctypes.c_uint64(address), source, ctypes.c_size_t(size))
            return
        width, value = unit
        name, word = _FILLS[width]
        self._must(name, ctypes.c_uint64(address), word(value), ctypes.c_size_t(size // width), None)

    def copied(self, place: tuple[int, int], address: int, size: int) -> int:
        """Copies memory to where no call can reach it; gives the address there, or its own where there is no
        memory left. `place` stands for what is kept: the copy before it is gone.
        """
        if size == 0:
            return address
        held, copy = self._copies.get(place, (0, None))
        if held != size:
            if copy is not None:
                self._must("cuMemFree_v2", self._copies.pop(place)[1])
            try:
                copy = self._made(size)
            except Exception:
                return address
            self._copies[place] = (size, copy)
        self._must("cuMemcpyDtoDAsync_v2", copy, ctypes.c_uint64(address), ctypes.c_size_t(size), None)
        return copy.value

    def _load(self) -> None:
        module = ctypes.c_void_p()
        self._must("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(kernels().encode()))
        for width in WIDTHS:
            kernel = ctypes.c_void_p()
            self._must("cuModuleGetFunction", ctypes.byref(kernel), module, b"draw_%d" % width)
            self._kernels[width] = kernel

    def _made(self, size: int) -> ctypes.c_uint64:
        address = ctypes.c_uint64()
        self._must("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address
