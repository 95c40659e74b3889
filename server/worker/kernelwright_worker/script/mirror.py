"""Copies of the program's storages in device memory. The host's memory leads before a launch, the device's
after it.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import torch

from .device import Kept
from .known_addresses import Range

if TYPE_CHECKING:
    from .device import Device
    from ..torch_gpu.extension_launches import Block
    from .known_addresses import KnownAddresses
    from .never_written import NeverWritten

#: Contents are compared and sent in pieces of this many bytes, so that a change of one element moves little.
PIECE = 1 << 18
#: No request is longer: the device takes none that is as long as the largest tensors.
MOST_SENT = 1 << 26
#: Device addresses agree with the host's to this many bytes: Triton chooses its code by the host's address.
ALIGNMENT = 16
#: Larger storages are not searched for addresses.
TABLE_BYTES = 1 << 20

_memcmp = ctypes.CDLL(None).memcmp
_memcmp.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class Mirror:
    """One device buffer for each storage that a launch was given, with the same address for as long as the
    storage lives. What both sides last agreed on is kept here, so that only what changed since then is
    moved: whoever writes to a tensor's memory (torch, numpy, C code) is noticed, whatever torch's own
    counters say. Addresses in tensors of 64-bit integers are the host's on one side and the device's on
    the other.
    """

    def __init__(
        self, device: Device, known: KnownAddresses | None, never_written: NeverWritten | None = None
    ) -> None:
        self._device = device
        self._known = known
        self._never_written = never_written
        self._copies = {}

    def begin(self) -> Upload:
        """A new launch."""
        for key in [key for key, copy in self._copies.items() if copy.range.storage.expired()]:
            # The weak reference has kept the storage's identity from being given to another one.
            self._copies.pop(key).release(self._device)
        return Upload(self._device, self._known, self._copy_of)

    def _copy_of(self, memory: Range, name: str) -> Copy:
        known = self._copies.get(memory.key)
        if known is not None and (known.range.host, known.range.size) == (memory.host, memory.size):
            return known
        if known is not None:
            # The storage was resized: its memory is another one now.
            known.release(self._device)
        held = [(0, memory.size)] if self._never_written is None else self._never_written.held(memory)
        made = self._copies[memory.key] = Copy(memory, held)
        made.allocate(self._device, name)
        return made


class Upload:
    """What one launch needs on the device."""

    def __init__(
        self, device: Device, known: KnownAddresses | None, copy_of: Callable[[Range, str], Copy]
    ) -> None:
        self._device = device
        self._known = known
        self._copy_of = copy_of
        #: The copies that the launch may touch, by their storage.
        self.copies = {}
        # : The positions of the arguments that point to each, by storage; None for one that is reached in
        # another way.
        self._positions = {}

    @property
    def size(self) -> int:
        """Bytes of all copies."""
        return sum(copy.range.size for copy in self.copies.values())

    def address(self, position: int, name: str, tensor: torch.Tensor) -> int:
        """Device address of the first element of the tensor that is the argument at `position`."""
        storage = tensor.untyped_storage()
        self._positions.setdefault(storage._cdata, set()).add(position)
        copy = self.copies.get(storage._cdata)
        if copy is None:
            copy = self.copies[storage._cdata] = self._copy_of(Range(storage), name)
            copy.is_table = (
                bool(self._known)
                and tensor.dtype in (torch.int64, torch.uint64)
                and copy.range.size <= TABLE_BYTES
            )
        return copy.address + tensor.data_ptr() - copy.range.host

    def block_address(self, memory: Range | Block, number: int) -> int:
        """Device address of a host address that lies in `memory`."""
        copy = self.copies.get(memory.key)
        if copy is None:
            copy = self.copies[memory.key] = self._copy_of(memory, "")
        return copy.address + number - copy.range.host

    def translated(self, number: int) -> int:
        """A number as the device is to see it: the device address where it is the address of a known tensor."""
        memory = self._known.find(number) if self._known and number > ALIGNMENT else None
        if memory is None:
            return number
        self._positions.setdefault(memory.key, set()).add(None)
        return self.block_address(memory, number)

    def send(self, where: str) -> None:
        """Makes the device hold what the host holds."""
        for copy in list(self.copies.values()):
            if copy.is_table:
                copy.send_table(self._device, where, self.translated)
        for copy in self.copies.values():
            if not copy.is_table:
                copy.send(self._device, where)

    def ask(self, stored: set[int] | None, where: str) -> None:
        """Asks for what the launch may have changed. `stored`: positions of the arguments that it may store
        through; None: all.
        """
        for copy in self._changed(stored):
            copy.ask(self._device, where)

    def drop(self, stored: set[int] | None) -> None:
        """Leaves the host as it is, whatever the launch has changed: the next one gets the host's bytes."""
        for copy in self._changed(stored):
            copy.forget()

    def _changed(self, stored: set[int] | None) -> Iterator[Copy]:
        for key, copy in self.copies.items():
            if stored is None or None in self._positions[key] or not stored.isdisjoint(self._positions[key]):
                yield copy

    def receive(self) -> None:
        """Makes the host hold what has come from the device."""
        for copy in self.copies.values():
            copy.receive_table(self._original) if copy.is_table else copy.receive()

    def _original(self, number: int) -> int:
        for copy in self.copies.values():
            if copy.address <= number < copy.address + max(copy.range.size, 1):
                return number - copy.address + copy.range.host
        return number


class Copy:
    """A storage's device buffer and the bytes that both sides last agreed on, as the device has them."""

    def __init__(self, memory: Range, held: list[tuple[int, int]]) -> None:
        """`held`: the ranges of bytes in which the memory holds anything."""
        self.range = memory
        self._held = held
        self.address = 0
        #: True while the storage may hold addresses.
        self.is_table = False
        self._start = 0
        self._agreed = (ctypes.c_char * memory.size)()
        self._bytes = memoryview(self._agreed).cast("B")
        self._kept = Kept(self._bytes)
        self._sent = b""
        self._fresh = True

    def allocate(self, device: Device, name: str) -> None:
        # Room before the first byte gives the device address the host's alignment; torch's own memory needs
        # none.
        slack = self.range.host % ALIGNMENT
        self._start = device.allocate(self.range.size + slack, name)
        self.address = self._start + slack

    def send(self, device: Device, where: str) -> None:
        if self._fresh:
            # Where the memory holds nothing, host and device differ without harm.
            ctypes.memmove(self._agreed, self.range.host, self.range.size)
        for at, end in self._changed():
            ctypes.memmove(ctypes.addressof(self._agreed) + at, self.range.host + at, end - at)
            for part in range(at, end, MOST_SENT):
                device.write(self.address + part, self._bytes[part : min(part + MOST_SENT, end)], where)
        self._fresh = False

    def send_table(self, device: Device, where: str, translated: Callable[[int], int]) -> None:
        words = self.range.size // 8
        form = struct.Struct("<%dQ" % words)
        host = ctypes.string_at(self.range.host, self.range.size)
        self._sent = form.pack(*map(translated, form.unpack_from(host))) + host[8 * words :]
        if self._fresh or self._sent != self._bytes:
            self._bytes[:] = self._sent
            device.write(self.address, self._bytes, where)
        self._fresh = False

    def ask(self, device: Device, where: str) -> None:
        """Asks for the device's bytes; once they have come, they are handed to the host."""
        if self.range.size > 0:
            device.refetch(self.address, self._kept, where)

    def forget(self) -> None:
        """The device's bytes are of no use."""
        self._fresh = True

    def receive(self) -> None:
        if not self._kept.is_new:
            return
        self._kept.is_new = False
        for at, end in self._changed():
            ctypes.memmove(self.range.host + at, ctypes.addressof(self._agreed) + at, end - at)

    def receive_table(self, original: Callable[[int], int]) -> None:
        if self._sent == self._bytes:
            return
        for at in range(0, self.range.size, 8):
            now = bytes(self._bytes[at : at + 8])
            if now != self._sent[at : at + 8]:
                if len(now) == 8:
                    now = original(int.from_bytes(now, "little")).to_bytes(8, "little")
                ctypes.memmove(self.range.host + at, now, len(now))

    def release(self, device: Device) -> None:
        device.free(self._start)

    def _changed(self) -> list:
        """Ranges in which host and device differ; neighbours are joined. At first, all that is held."""
        size = self.range.size
        if self._fresh:
            return [each for each in self._held if each[0] < each[1]]
        ranges, agreed = [], ctypes.addressof(self._agreed)
        for at in range(0, size, PIECE):
            end = min(at + PIECE, size)
            if _memcmp(self.range.host + at, agreed + at, end - at) == 0:
                continue
            if ranges and ranges[-1][1] == at:
                ranges[-1] = (ranges[-1][0], end)
            else:
                ranges.append((at, end))
        return ranges
