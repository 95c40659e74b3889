"""The connection to the device, and numbers and texts as they go over it (server/host/program/PROTOCOL.md)."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from typing import Union

#: What holds bytes one after the other.
Bytes = Union[bytes, bytearray, memoryview]

_HEADER = struct.Struct("<IIQ")
#: Longer parts are sent as they are, without a copy.
_WORTH_ITS_OWN_CALL = 1 << 16


class DeviceError(Exception):
    """The device answered with a status of `cudaError_t` other than 0."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class DeviceLost(Exception):
    """The device is not there any more, or sent something that is no reply."""


class Connection:
    """A connection to the device. Requests are answered in order; several may be on their way."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path)
        #: Held while requests and their replies are exchanged.
        self.lock = threading.RLock()

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """For what belongs together. When anything but a failure that the device has told cuts it short (an
        exception that a signal's handler raises, say), replies no longer fit their requests, and the
        connection ends.
        """
        try:
            yield
        except DeviceError:
            raise
        except BaseException:
            self._socket.close()
            raise

    def send(self, operation: int, *parts: Bytes) -> None:
        """Sends one request; the parts are bytes-like and follow each other."""
        message = [_HEADER.pack(operation, 0, sum(len(part) for part in parts)), *parts]
        try:
            for piece in (
                message if any(len(part) > _WORTH_ITS_OWN_CALL for part in parts) else [b"".join(message)]
            ):
                self._socket.sendall(piece)
        except OSError as error:
            raise DeviceLost("the virtual GPU has ended: %s" % error) from None

    def receive(self, into: bytearray | memoryview | None = None) -> bytearray | memoryview:
        """The body of the next reply; with `into`, a writable buffer, the body is put there, or nothing when
        it is empty. Raises DeviceError for a failure.
        """
        status, _, length = _HEADER.unpack(self._take(bytearray(_HEADER.size)))
        if status != 0:
            raise DeviceError(status, bytes(self._take(bytearray(length))).decode("utf-8", "replace"))
        if into is None:
            return self._take(bytearray(length))
        if length == 0:
            return bytearray()
        if len(into) != length:
            raise DeviceLost("the virtual GPU sent %d bytes where %d were asked for" % (length, len(into)))
        return self._take(into)

    def _take(self, buffer: bytearray | memoryview) -> bytearray | memoryview:
        view, filled = memoryview(buffer), 0
        while filled < len(view):
            try:
                count = self._socket.recv_into(view[filled:])
            except OSError as error:
                raise DeviceLost("the virtual GPU has ended: %s" % error) from None
            if count == 0:
                raise DeviceLost("the virtual GPU has ended")
            filled += count
        return buffer


class Fields:
    """Reads the fields of a reply one after the other."""

    def __init__(self, body: Bytes) -> None:
        self._body = bytes(body)
        self._at = 0

    def count(self) -> int:
        return self._next("<I")

    def signed(self) -> int:
        return self._next("<i")

    def wide(self) -> int:
        return self._next("<Q")

    def text(self) -> str:
        length = self.count()
        self._at += length
        return self._body[self._at - length : self._at].decode("utf-8", "replace")

    def _next(self, form: str) -> int:
        (value,) = struct.unpack_from(form, self._body, self._at)
        self._at += struct.calcsize(form)
        return value


def count(*values: int) -> bytes:
    """Numbers of four bytes each."""
    return struct.pack("<%dI" % len(values), *values)


def wide(*values: int) -> bytes:
    """Numbers of eight bytes each."""
    return struct.pack("<%dQ" % len(values), *values)


def sized(content: str | Bytes) -> bytes:
    """Text, or bytes, with its length before it."""
    data = content.encode("utf-8") if isinstance(content, str) else bytes(content)
    return count(len(data)) + data


def listed(elements: Sequence[bytes]) -> bytes:
    """Packed elements with their number before them."""
    return count(len(elements)) + b"".join(elements)
