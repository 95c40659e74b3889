"""Launches of extensions: the runtime that they are linked with asks here for the memory of tensors."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..script import protocol
from ..script.wire import DeviceError

if TYPE_CHECKING:
    from ..script.driver import ScriptDriver

_UNKNOWN = 999
_PLACE_BYTES = 4096

_BEGIN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
_END = ctypes.CFUNCTYPE(ctypes.c_int)
_FLAGS = ctypes.CFUNCTYPE(ctypes.c_uint32)
_PLACE = ctypes.CFUNCTYPE(ctypes.c_void_p)


class _Owner(ctypes.Structure):
    """KernelwrightOwner of server/runtime/memory/owned-elsewhere.hpp."""

    _fields_ = [
        ("begin", _BEGIN),
        ("end", _END),
        ("range_of", ctypes.c_void_p),
        ("flags", _FLAGS),
        ("place", _PLACE),
    ]


class Block:
    """Memory of the GPU that a tensor holds, known by an address in it."""

    def __init__(self, library: ctypes.CDLL, host: int, size: int, number: int) -> None:
        self._library = library
        self._number = number
        self.key = ("block", number)
        self.host = host
        self.size = size
        #: Who tells whether it is still there.
        self.storage = self

    def expired(self) -> bool:
        found = find_block(self._library, self.host)
        return found is None or found.key != self.key


def find_block(library: ctypes.CDLL, address: int) -> Block | None:
    """The block that holds a host address, or None."""
    start, number = ctypes.c_uint64(), ctypes.c_uint64()
    size = library.kernelwright_range_of(address, ctypes.byref(start), ctypes.byref(number))
    return Block(library, start.value, size, number.value) if size > 0 else None


class ExtensionLaunches:
    """Brings the tensors that a launch's parameters point into to the device, and back after it."""

    def __init__(self, library: ctypes.CDLL, driver: ScriptDriver) -> None:
        self._library = library
        self._driver = driver
        self._upload = None
        self._place = ctypes.create_string_buffer(_PLACE_BYTES)
        # Kept here for as long as the runtime may call them.
        self._owner = _Owner(
            _BEGIN(self._guarded(self._begin)),
            _END(self._guarded(self._end)),
            ctypes.cast(library.kernelwright_range_of, ctypes.c_void_p).value,
            _FLAGS(self._flags),
            _PLACE(self._where),
        )

    def register(self, runtime: ctypes.CDLL) -> None:
        """`runtime`: the library that extensions are linked with."""
        runtime.kernelwrightRegisterOwner(ctypes.byref(self._owner))

    def _guarded(self, does: Callable[..., None]) -> Callable[..., int]:
        def answer(*arguments: int) -> int:
            try:
                does(*arguments)
            except DeviceError as error:
                # The extension gets the status alone.
                sys.stderr.write("kernelwright: %s\n" % error)
                return error.status
            except BaseException:
                sys.excepthook(*sys.exc_info())
                return _UNKNOWN
            return 0

        return answer

    def _begin(self, parameters: int, size: int) -> None:
        words = (ctypes.c_uint64 * (size // 8)).from_address(parameters)
        self._upload = upload = self._driver.mirror.begin()
        for position, word in enumerate(words):
            block = find_block(self._library, word) if word else None
            if block is not None:
                words[position] = upload.block_address(block, word)
        upload.send(self._driver.place())
        self._driver.device.settle()

    def _end(self) -> None:
        try:
            self._upload.ask(None, self._driver.place())
            self._driver.device.settle()
            self._upload.receive()
        finally:
            self._driver.show_printed()

    def _flags(self) -> int:
        self._driver.launched += 1
        return protocol.LAUNCH_FLAG_COUNTED if self._driver.is_counting else 0

    def _where(self) -> int:
        self._place.value = self._driver.place().encode()[: _PLACE_BYTES - 1]
        return ctypes.addressof(self._place)
