"""The virtual GPU as a Python object: memory, modules and launches over the device protocol."""

from __future__ import annotations

import os
import struct
import sys

from .wire import VERSION, Connection, DeviceError, DeviceLost, Fields, count, sized, wide

_HELLO, _ALLOCATE, _FREE, _WRITE, _LOAD, _LAUNCH, _SYNCHRONIZE, _MARK, _FETCH = 1, 2, 3, 4, 8, 9, 10, 11, 17
_SANITIZES = 1
_COOPERATIVE, _COUNTED, _TRITON = 1, 2, 8
#: The variable that holds the path of the device's socket.
ADDRESS = "KERNELWRIGHT_DEVICE"


class Loaded:
    """A kernel that the device knows: its module, figures of its machine code and where its parameters lie."""

    def __init__(self, module, fields):
        self.module = module
        self.name = fields.text()
        self.shared, self.local, self.registers, self.most_threads = (fields.count() for _ in range(4))
        self.parameters = [(fields.count(), fields.count()) for _ in range(fields.count())]

    def block_of(self, values):
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


class Device:
    """Each method waits for its reply, except those that say otherwise: their replies are collected by
    `settle`.
    """

    def __init__(self, path):
        self._connection = Connection(path)
        self._process = os.getpid()
        self._expected = []
        fields = Fields(self._ask(_HELLO, count(VERSION)))
        version = fields.count()
        if version != VERSION:
            raise DeviceLost(
                "the virtual GPU speaks version %d of its protocol, this program version %d"
                % (version, VERSION)
            )
        self.sanitizes = bool(fields.count() & _SANITIZES)
        self.name = fields.text()
        self.memory = fields.wide()
        fields.wide()
        fields.wide()
        #: Values of cudaDeviceAttr.
        self.attributes = {fields.count(): fields.signed() for _ in range(fields.count())}

    @property
    def lock(self):
        """To be held over what belongs together. A process that was forked off has no device: two would take
        each other's replies.
        """
        if os.getpid() != self._process:
            raise RuntimeError(
                "Triton kernels can be launched by the process that was started, not by one that it forked"
            )
        return self._connection.lock

    def allocate(self, size, name):
        """Memory for a tensor. Where the program made the tensor is not known, so that no place is named."""
        return struct.unpack("<Q", self._ask(_ALLOCATE, wide(size), sized(name), sized("")))[0]

    def free(self, address):
        self._ask(_FREE, wide(address), sized(""))

    def write(self, address, content, where):
        """Sends bytes without waiting."""
        size = len(content)
        self._post(None, _WRITE, wide(address, size, size, 1, 0), sized(where), content)

    def fetch(self, address, into, where):
        """Asks for bytes, which `settle` puts into the writable buffer `into`."""
        self._post(into, _FETCH, wide(address, len(into), len(into), 1), sized(where))

    def load(self, ptx, cubin, name):
        """Loads a module and gives its kernel of that name."""
        fields = Fields(self._ask(_LOAD, sized(ptx), count(len(cubin)), cubin))
        module = fields.wide()
        for _ in range(fields.count()):
            loaded = Loaded(module, fields)
            if loaded.name == name:
                return loaded
        raise DeviceLost("the virtual GPU has no kernel %s in the module that it was given" % name)

    def launch(self, kernel, shape, values, where):
        """Sends a launch without waiting. `shape`: grid, threads, shared bytes, cooperative, counted."""
        grid, threads, shared, cooperative, counted = shape
        flags = (_COOPERATIVE if cooperative else 0) | (_COUNTED if counted else 0) | _TRITON
        self._post(
            None,
            _LAUNCH,
            wide(kernel.module),
            sized(kernel.name),
            count(*grid, threads, 1, 1, shared, shared, flags),
            sized(where),
            sized(kernel.block_of(values)),
        )

    def settle(self):
        """Waits for the replies to everything that was sent without waiting. Raises the first failure once
        all have come.
        """
        expected, self._expected = self._expected, []
        failure = None
        with self._connection.whole():
            for into in expected:
                try:
                    self._connection.receive(into)
                except DeviceError as error:
                    failure = failure or error
        if failure is not None:
            raise failure

    def printed(self):
        """Waits for the kernels and gives what they have printed since the last time."""
        return Fields(self._ask(_SYNCHRONIZE)).text()

    def modelled(self):
        """Modelled nanoseconds of all launches that were counted so far."""
        return struct.unpack("<QQ", self._ask(_MARK))[1]

    def _ask(self, operation, *parts):
        with self.lock, self._connection.whole():
            self.settle()
            self._connection.send(operation, *parts)
            return self._connection.receive()

    def _post(self, into, operation, *parts):
        with self._connection.whole():
            self._connection.send(operation, *parts)
            self._expected.append(into)


def place_of_caller(own):
    """FILE:LINE of the innermost frame that lies in none of the folders `own`: where the program itself is."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(own) and not name.startswith("<"):
            return "%s:%d" % (name, frame.f_lineno)
        frame = frame.f_back
    return ""
