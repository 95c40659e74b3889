"""The streams of a program whose calls are timed: words of 64 bits and contents, as `runtime/entry/timed.hpp`
speaks them.
"""

from __future__ import annotations

import os
import struct

RUN, CODE, POOLS, GIVE, READY = 1, 2, 3, 4, 5
#: Flags of an order.
COLD, KEEPS = 1, 2
#: What a content is.
GIVEN, REPEATED, DRAWN = 0, 1, 2
RETURNED, RAISED, FAILED, OUTSIDE = 1, 2, 4, 8
#: The other side takes no longer message for a reply.
MOST_MESSAGE_BYTES = 4096


class EndOfStream(Exception):
    """Nobody asks any more."""


class Wire:
    """Reads and writes whole words and contents over two descriptors."""

    def __init__(self, source: int, target: int) -> None:
        self.source = source
        self._target = target

    def words(self, count: int) -> tuple[int, ...]:
        return struct.unpack("<%dQ" % count, self.content(8 * count))

    def content(self, size: int) -> bytearray:
        """So many bytes. Raises EndOfStream where fewer come."""
        content = bytearray(size)
        view, got = memoryview(content), 0
        while got < size:
            count = os.readv(self.source, [view[got:]])
            if count == 0:
                raise EndOfStream()
            got += count
        return content

    def reply(self, status: int, nanoseconds: float, message: str, calls: int) -> None:
        """The head of a reply; contents of so many calls follow it."""
        told = message.encode("utf-8")[:MOST_MESSAGE_BYTES]
        # Half a character at the end is none.
        told = told.decode("utf-8", "ignore").encode("utf-8")
        self.write(struct.pack("<QdQQ", status, nanoseconds, len(told), calls) + told)

    def write(self, content: bytes | bytearray | memoryview) -> None:
        view = memoryview(content)
        while len(view) > 0:
            view = view[os.write(self._target, view) :]


def private_wire() -> Wire:
    """Takes the standard streams away, so that nothing that code prints gets among the words."""
    source, target = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return Wire(source, target)
