"""Copies of the program's storages in device memory. The host's memory leads before a launch, the device's after it."""
from __future__ import annotations

import ctypes

from torch.multiprocessing.reductions import StorageWeakRef

#: Contents are compared and sent in pieces of this many bytes, so that a change of one element moves little.
PIECE = 1 << 18
#: Device addresses agree with the host's to this many bytes: Triton chooses its code by the host's address.
ALIGNMENT = 16

_memcmp = ctypes.CDLL(None).memcmp
_memcmp.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class Mirror:
    """
    One device buffer for each storage that a launch was given, with the same address for as long as the storage lives. What both sides
    last agreed on is kept here, so that only what changed since then is moved: whoever writes to a tensor's memory (torch, numpy, C
    code) is noticed, whatever torch's own counters say.
    """

    def __init__(self, device):
        self._device = device
        self._copies = {}

    def upload(self, tensors, where):
        """
        Makes the device hold what the tensors, a list of (name, tensor), hold. Gives the device address of each tensor's first element
        and the copies that they lie in.
        """
        self._forget_dead()
        used, addresses = {}, []
        for name, tensor in tensors:
            storage = tensor.untyped_storage()
            copy = used.get(storage._cdata)
            if copy is None:
                copy = used[storage._cdata] = self._copy_of(storage, name)
            addresses.append(copy.address + tensor.data_ptr() - copy.host)
        for copy in used.values():
            copy.send(self._device, where)
        return addresses, list(used.values())

    def _copy_of(self, storage, name):
        known = self._copies.get(storage._cdata)
        if known is not None and (known.host, known.size) == (storage.data_ptr(), storage.nbytes()):
            return known
        if known is not None:
            # The storage was resized: its memory is another one now.
            known.release(self._device)
        made = self._copies[storage._cdata] = _Copy(storage)
        made.allocate(self._device, name)
        return made

    def _forget_dead(self):
        # The weak reference keeps the storage's identity from being given to another one while we hold it.
        for key in [key for key, copy in self._copies.items() if copy.storage.expired()]:
            self._copies.pop(key).release(self._device)


class _Copy:
    """A storage's device buffer and the bytes that both sides last agreed on."""

    def __init__(self, storage):
        self.storage = StorageWeakRef(storage)
        self.host = storage.data_ptr()
        self.size = storage.nbytes()
        self.address = 0
        self._start = 0
        self._agreed = (ctypes.c_char * self.size)()
        self._bytes = memoryview(self._agreed).cast("B")
        self._fresh = True

    def allocate(self, device, name):
        # Room before the first byte gives the device address the host's alignment; torch's own memory needs none.
        slack = self.host % ALIGNMENT
        self._start = device.allocate(self.size + slack, name)
        self.address = self._start + slack

    def send(self, device, where):
        """Brings the device up to date with the host."""
        for at, end in self._changed():
            ctypes.memmove(ctypes.addressof(self._agreed) + at, self.host + at, end - at)
            device.write(self.address + at, self._bytes[at:end], where)
        self._fresh = False

    def ask(self, device, where):
        """Asks for the device's bytes; once they have come, `receive` hands them to the host."""
        device.read(self.address, self._bytes, where)

    def receive(self):
        for at, end in self._changed():
            ctypes.memmove(self.host + at, ctypes.addressof(self._agreed) + at, end - at)

    def release(self, device):
        device.free(self._start)

    def _changed(self):
        """Ranges in which host and device differ; neighbours are joined. All of a copy that holds nothing yet."""
        if self._fresh:
            return [(0, self.size)] if self.size else []
        ranges, agreed = [], ctypes.addressof(self._agreed)
        for at in range(0, self.size, PIECE):
            end = min(at + PIECE, self.size)
            if _memcmp(self.host + at, agreed + at, end - at) == 0:
                continue
            if ranges and ranges[-1][1] == at:
                ranges[-1] = (ranges[-1][0], end)
            else:
                ranges.append((at, end))
        return ranges
