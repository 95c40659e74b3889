"""Limits on what a process may use."""

from __future__ import annotations

import os
import resource
import sys

#: Address space that torch and Triton need to start at all.
LEAST_MEMORY_BYTES = 8 * 1024**3
#: Stands for memory without a limit.
UNLIMITED = 0


class Limits:
    """What a process and all that it starts may use: each process for itself, but `processes` (processes and
    threads at one time) all together.
    """

    def __init__(
        self, processor_seconds: int, memory_bytes: int, file_bytes: int, processes: int = 256
    ) -> None:
        self.processor_seconds = processor_seconds
        self.memory_bytes = memory_bytes
        self.file_bytes = file_bytes
        self.processes = processes


def share_of_memory(most: int) -> int:
    """The limit `most` in bytes, or three quarters of this machine's memory where that is less: the rest
    stays the user's.
    """
    try:
        physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return most
    return min(most, max(LEAST_MEMORY_BYTES, physical * 3 // 4))


def hold(limits: Limits, counts_alone: bool) -> list[str]:
    """Lowers the limits of this process and of all that it starts. `counts_alone`: the system counts this
    process's user apart from everybody else, so that a number of processes can be named. Gives the names of
    the limits that hold.
    """
    wanted = {
        "cpu-time": (resource.RLIMIT_CPU, limits.processor_seconds),
        "file-size": (resource.RLIMIT_FSIZE, limits.file_bytes),
        "core-dump": (resource.RLIMIT_CORE, 0),
    }
    if sys.platform.startswith("linux") and limits.memory_bytes != UNLIMITED:
        wanted["memory"] = (resource.RLIMIT_AS, limits.memory_bytes)
    if counts_alone:
        wanted["process-count"] = (resource.RLIMIT_NPROC, limits.processes)
    return [name for name, (kind, most) in wanted.items() if _lower(kind, most)]


def _lower(kind: int, most: int) -> bool:
    _, hard = resource.getrlimit(kind)
    value = most if hard == resource.RLIM_INFINITY else min(most, hard)
    try:
        resource.setrlimit(kind, (value, value))
    except (ValueError, OSError):
        # Some systems do not know this limit; the list of those that hold says so.
        return False
    return True
