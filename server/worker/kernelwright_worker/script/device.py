"""The virtual GPU as a Python object: memory, modules and launches over the device protocol."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable

from . import protocol
from .wire import Bytes, Connection, DeviceError, DeviceLost, Fields

#: The variable that holds the path of the device's socket.
ADDRESS = "KERNELWRIGHT_DEVICE"


class Loaded:
    """A kernel that the device knows: its module, figures of its machine code and where its parameters lie."""

    def __init__(self, module: int, facts: protocol.KernelFacts) -> None:
        self.module = module
        self.name = facts.name
        self.shared = facts.shared_bytes
        self.local = facts.local_bytes
        self.registers = facts.registers
        self.most_threads = facts.max_threads
        self.parameters = [(place.offset, place.bytes) for place in facts.parameters]

    def block_of(self, values: Iterable[bytes]) -> bytes:
        """The parameters as the kernel reads them. `values` are little-endian bytes, one for each parameter."""
        size = max((at + length for at, length in self.parameters), default=0)
        block = bytearray(size)
        for (at, length), value in zip(self.parameters, values):
            if len(value) != length:
                raise ValueError(
                    "the kernel %s has a parameter of %d bytes where %d were passed"
                    % (self.name, length, len(value))
                )
            block[at : at + length] = value
        return bytes(block)


class Kept:
    """Bytes of the device that are kept here."""

    def __init__(self, content: memoryview) -> None:
        self.content = content
        #: True when a refetch has brought other bytes, until they are handed on.
        self.is_new = False


class Device:
    """Each method waits for its reply, except those that say otherwise: their replies are collected by
    `settle`.
    """

    def __init__(self, path: str) -> None:
        self._connection = Connection(path)
        self._process = os.getpid()
        self._expected = []
        hello = protocol.read_hello_reply(self._ask(protocol.HELLO, protocol.hello_request(protocol.VERSION)))
        if hello.version != protocol.VERSION:
            raise DeviceLost(
                "the virtual GPU speaks version %d of its protocol, this program version %d"
                % (hello.version, protocol.VERSION)
            )
        self.sanitizes = bool(hello.flags & protocol.DEVICE_FLAG_SANITIZES)
        self.name = hello.name
        self.memory = hello.memory_bytes
        #: Values of cudaDeviceAttr.
        self.attributes = {known.attribute: known.value for known in hello.attributes}

    @property
    def lock(self) -> threading.RLock:
        """To be held over what belongs together. A process that was forked off has no device: two would take
        each other's replies.
        """
        if os.getpid() != self._process:
            raise RuntimeError(
                "Triton kernels can be launched by the process that was started, not by one that it forked"
            )
        return self._connection.lock

    def allocate(self, size: int, name: str) -> int:
        """Memory for a tensor. Where the program made the tensor is not known, so that no place is named."""
        reply = self._ask(protocol.ALLOCATE, protocol.allocate_request(size, name, ""))
        return protocol.read_allocate_reply(reply).address

    def free(self, address: int) -> None:
        self._ask(protocol.FREE, protocol.free_request(address, ""))

    def write(self, address: int, content: Bytes, where: str) -> None:
        """Sends bytes without waiting."""
        size = len(content)
        request = protocol.write_request((address, size, size, 1), 0, where)
        self._post(None, protocol.WRITE, request, content)

    def refetch(self, address: int, kept: Kept, where: str) -> None:
        """Asks for bytes, which `settle` puts into `kept`. They do not come again when the device has them as
        they were at the last refetch of the same, and as they were written since.
        """
        size = len(kept.content)
        self._post(kept, protocol.REFETCH, protocol.refetch_request((address, size, size, 1), where))

    def load(self, ptx: str, cubin: bytes, name: str) -> Loaded:
        """Loads a module and gives its kernel of that name."""
        content = protocol.read_module_content(self._ask(protocol.LOAD, protocol.load_request(ptx, cubin)))
        for facts in content.kernels:
            if facts.name == name:
                return Loaded(content.module, facts)
        raise DeviceLost("the virtual GPU has no kernel %s in the module that it was given" % name)

    def launch(self, kernel: Loaded, shape: tuple, values: Iterable[bytes], where: str) -> None:
        """Sends a launch without waiting. `shape`: grid, threads, shared bytes, cooperative, and flags of how it is
        counted.
        """
        grid, threads, shared, cooperative, counting = shape
        flags = protocol.LAUNCH_FLAG_TRITON | counting
        if cooperative:
            flags |= protocol.LAUNCH_FLAG_COOPERATIVE
        request = protocol.launch_request(
            kernel.module,
            kernel.name,
            grid,
            (threads, 1, 1),
            shared,
            shared,
            flags,
            (0, 0, 0),
            where,
            kernel.block_of(values),
        )
        self._post(None, protocol.LAUNCH, request)

    def settle(self) -> None:
        """Waits for the replies to everything that was sent without waiting. Raises the first failure once
        all have come.
        """
        expected, self._expected = self._expected, []
        failure = None
        with self._connection.whole():
            for kept in expected:
                try:
                    self._take(kept)
                except DeviceError as error:
                    failure = failure or error
        if failure is not None:
            raise failure

    def _take(self, kept: Kept | None) -> None:
        body = self._connection.receive(None if kept is None else kept.content)
        if kept is not None:
            kept.is_new = len(body) > 0

    def printed(self) -> str:
        """Waits for the kernels and gives what they have printed since the last time."""
        reply = self._ask(protocol.SYNCHRONIZE, protocol.synchronize_request(""))
        return protocol.read_synchronize_reply(reply).printed

    def mark(self) -> tuple[int, int]:
        """Modelled nanoseconds of all launches that were counted so far, and how many of them were sampled."""
        mark = protocol.read_mark_reply(self._ask(protocol.MARK))
        return mark.modelled, mark.sampled

    def _ask(self, operation: int, *parts: Bytes) -> Fields:
        """The fields of the reply."""
        with self.lock, self._connection.whole():
            self.settle()
            self._connection.send(operation, *parts)
            return Fields(self._connection.receive())

    def _post(self, kept: Kept | None, operation: int, *parts: Bytes) -> None:
        with self._connection.whole():
            self._connection.send(operation, *parts)
            self._expected.append(kept)


def place_of_caller(own: tuple[str, ...]) -> str:
    """FILE:LINE of the innermost frame that lies in none of the folders `own`: where the program itself is."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(own) and not name.startswith("<"):
            return "%s:%d" % (name, frame.f_lineno)
        frame = frame.f_back
    return ""
