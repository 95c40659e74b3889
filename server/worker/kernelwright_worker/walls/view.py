"""What is in view of a process behind walls."""

from __future__ import annotations

from collections.abc import Sequence


class View:
    """`readable`: absolute paths of folders and files that are there, as they are named and as they resolve.
    `writable`: the one folder that may be written to. `memory_bytes`: 0 when the folder is the one on disk;
    else it is laid into memory, empty and at most this large. `devices`: paths below /dev that may be used, besides
    those that every process has.
    """

    def __init__(
        self, readable: list[str], writable: str, memory_bytes: int = 0, devices: Sequence[str] = ()
    ) -> None:
        self.readable = readable
        self.writable = writable
        self.memory_bytes = memory_bytes
        self.devices = list(devices)
