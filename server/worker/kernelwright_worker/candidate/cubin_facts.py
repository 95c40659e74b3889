"""What a cubin says of its kernel, for host code that computes its grid from it."""

from __future__ import annotations

import struct
from collections.abc import Iterator

#: Attributes of a function in the section that is about all of them.
_FRAME_BYTES, _REGISTERS = 0x11, 0x2F
#: A record of this format has a size and as many bytes; the others have two bytes.
_SIZED = 4
_SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")


def registers_and_frame(cubin: bytes) -> tuple[int, int]:
    """Registers of a thread and bytes of its frame, the most of any function; zeros for what is no cubin."""
    registers, frame = 0, 0
    try:
        for attribute, value in _records(_section(cubin, b".nv.info")):
            if attribute == _REGISTERS:
                registers = max(registers, value)
            elif attribute == _FRAME_BYTES:
                frame = max(frame, value)
    except (struct.error, OverflowError):
        return 0, 0
    return registers, frame


def _section(elf: bytes, wanted: bytes) -> bytes:
    (start,) = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [_SECTION_HEADER.unpack_from(elf, start + index * size) for index in range(count)]
    if names >= count:
        return b""
    texts = headers[names][4]
    for name, _, _, _, offset, length, *_ in headers:
        if elf.startswith(wanted + b"\0", texts + name):
            return elf[offset : offset + length]
    return b""


def _records(section: bytes) -> Iterator[tuple[int, int]]:
    """Attribute and value of the records that are about one function."""
    at = 0
    while at + 4 <= len(section):
        kind, attribute, size = struct.unpack_from("<BBH", section, at)
        at += 4
        if kind != _SIZED:
            continue
        if size == 8:
            yield attribute, struct.unpack_from("<II", section, at)[1]
        at += size
