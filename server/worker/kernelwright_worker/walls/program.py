"""Starts a program that nobody trusts on a virtual GPU, behind walls: `python -I -S FOLDER program ARGUMENTS --
COMMAND`, where ARGUMENTS are its current and only writable folder, one more folder that it may read (its own),
names of walls without which it is not started (with `,` between them), and seconds of processor time.
"""

from __future__ import annotations

from .launcher import launch
from .limits import share_of_memory
from .needed import listed, view_of

MEMORY_BYTES = 24 * 1024**3
FILE_BYTES = 256 * 1024**2


def start(arguments: list[str]) -> int:
    """Becomes the program; returns only when it cannot be started."""
    writable, readable, required, seconds, _, *command = arguments
    view = view_of([readable, *listed("LD_LIBRARY_PATH")], writable)
    limits = [seconds, str(share_of_memory(MEMORY_BYTES)), str(FILE_BYTES)]
    return launch([view.writable, "\n".join(view.readable), required, *limits, "--", *command])
