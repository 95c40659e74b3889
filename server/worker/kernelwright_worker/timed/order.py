"""What one request asks for: calls of an entry, one after the other."""

from __future__ import annotations

import json
import struct
from typing import NamedTuple

from .wire import COLD, DRAWN, KEEPS, REPEATED, Wire


class Pool(NamedTuple):
    """Elements of `width` bytes each, a power of two of them, that contents are drawn from."""

    width: int
    content: bytearray


class Drawn(NamedTuple):
    """A content of elements that a seed draws; `mask`: which of an element's lowest bits it clears."""

    pool: int
    seed: int
    mask: int


class Call(NamedTuple):
    """Which set of buffers a call uses, and what the tensors it is handed hold before it: bytes, 8 bytes that are
    repeated (a number), or what is drawn.
    """

    set: int
    contents: list[bytearray | int | Drawn]


class Guard(NamedTuple):
    """So many bytes of one value before and behind each buffer, which no call may write."""

    bytes: int
    value: int


class Order(NamedTuple):
    """Calls that follow each other. `described`: the entry's arguments and outputs, see
    `server/host/worker/hardware/python/python-call.ts`.
    """

    cold: bool
    #: The outputs stay until they are asked for.
    keeps: bool
    #: How many calls come before the timed ones.
    lead: int
    guard: Guard
    described: dict
    calls: list[Call]


def read_order(wire: Wire, head: tuple[int, ...]) -> Order:
    """The order that begins with this head. Buffers are the tensors that the entry is handed, then its outputs;
    of these nothing is sent. The words are a text of JSON, after its length in bytes.
    """
    _, flags, count, lead, buffers, words, *guard = head
    sizes = wire.words(buffers)
    wire.words(buffers)
    given = wire.words(2 * words)[1::2]
    text = struct.pack("<%dQ" % (words - 1), *given[1:])[: given[0]]
    described = json.loads(text.decode("utf-8"))
    handed = sizes[: len(described["tensors"])]
    calls = [Call(wire.words(1)[0], [_content(wire, size) for size in handed]) for _ in range(count)]
    return Order(bool(flags & COLD), bool(flags & KEEPS), lead, Guard(*guard), described, calls)


def read_pools(wire: Wire, count: int) -> list[Pool]:
    """So many pools, which follow the head of their request."""
    about = wire.words(2 * count)
    return [Pool(width, wire.content(size)) for width, size in zip(about[::2], about[1::2])]


def _content(wire: Wire, size: int) -> bytearray | int | Drawn:
    (how,) = wire.words(1)
    if how == REPEATED:
        return wire.words(1)[0]
    return Drawn(*wire.words(3)) if how == DRAWN else wire.content(size)
