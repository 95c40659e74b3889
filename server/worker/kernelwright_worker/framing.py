"""Newline-delimited JSON messages, each followed by the binary frames whose lengths its `frames` names."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from typing import BinaryIO

from .protocol import FRAME_LIMIT, HEADER_LIMIT


class ProtocolError(Exception):
    """The other side sent something that is no message: the stream cannot be trusted after it."""


class Channel:
    """Two-way stream of messages. Reading belongs to one thread; writing is safe from any."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self._reader = reader
        self._writer = writer
        self._lock = threading.Lock()

    @property
    def descriptor(self) -> int:
        """File descriptor of the reading side."""
        return self._reader.fileno()

    def read(self) -> tuple[dict, list[bytes]] | None:
        """The next message as (header, frames), or None at the end of the stream."""
        line = self._reader.readline(HEADER_LIMIT + 1)
        if not line:
            return None
        if not line.endswith(b"\n"):
            raise ProtocolError("a message was cut off or is longer than %d bytes" % HEADER_LIMIT)
        try:
            header = json.loads(line.decode("utf-8"))
        except ValueError as error:
            raise ProtocolError("not JSON: %r" % line[:80]) from error
        if not isinstance(header, dict):
            raise ProtocolError("a message must be a JSON object")
        return header, [self._frame(length) for length in header.get("frames", [])]

    def _frame(self, length: object) -> bytes:
        if not isinstance(length, int) or isinstance(length, bool) or not 0 <= length <= FRAME_LIMIT:
            raise ProtocolError("frame length %r is not allowed" % (length,))
        content = self._reader.read(length)
        if len(content) != length:
            raise ProtocolError("the stream ended within a frame")
        return content

    def write(self, header: dict, frames: Sequence = ()) -> None:
        """Sends one message; `frames` are bytes-like."""
        message = dict(header)
        message["frames"] = [
            len(memoryview(frame).cast("B")) if len(memoryview(frame)) else 0 for frame in frames
        ]
        line = json.dumps(message, separators=(",", ":"), allow_nan=False).encode("utf-8") + b"\n"
        with self._lock:
            self._writer.write(line)
            for frame in frames:
                self._writer.write(frame)
            self._writer.flush()


def private_channel() -> Channel:
    """Takes the standard streams away: the protocol moves to two private descriptors, standard input becomes
    empty, and what any code prints goes to standard error. So no printed line can ever be taken for a
    message.
    """
    reader = os.fdopen(os.dup(0), "rb")
    writer = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return Channel(reader, writer)
