"""What one request asks for: calls of an entry, one after the other."""

from __future__ import annotations

import json
import struct
from typing import NamedTuple

from .wire import Wire


class Call(NamedTuple):
    """Which set of buffers a call uses, and what the tensors it is handed hold before it."""

    set: int
    contents: list[bytearray]


class Guard(NamedTuple):
    """So many bytes of one value before and behind each buffer, which no call may write."""

    bytes: int
    value: int


class Order(NamedTuple):
    """Calls that follow each other. `described`: the entry's arguments and outputs, see
    `server/host/worker/hardware/python/python-call.ts`.
    """

    cold: bool
    #: How many calls come before the timed ones.
    lead: int
    guard: Guard
    described: dict
    calls: list[Call]


def read_order(wire: Wire, head: tuple[int, ...]) -> Order:
    """The order that begins with this head. Buffers are the tensors that the entry is handed, then its outputs;
    of these nothing is sent. The words are a text of JSON, after its length in bytes.
    """
    _, cold, count, lead, buffers, words, *guard = head
    sizes = wire.words(buffers)
    wire.words(buffers)
    given = wire.words(2 * words)[1::2]
    text = struct.pack("<%dQ" % (words - 1), *given[1:])[: given[0]]
    described = json.loads(text.decode("utf-8"))
    handed = sizes[: len(described["tensors"])]
    calls = [Call(wire.words(1)[0], [wire.content(size) for size in handed]) for _ in range(count)]
    return Order(cold != 0, lead, Guard(*guard), described, calls)
