"""Starts a program that nobody trusts on a virtual GPU, behind walls: `python -I -S FOLDER program ARGUMENTS --
COMMAND`, where ARGUMENTS are its current and only writable folder, further folders that it may read (one a line), names of walls without which it is not started (with `,` between them), seconds of processor time, and devices of
a GPU (with `,` between them; empty for a virtual one). The variable KERNELWRIGHT_PROCESS names a file that gets the number of this
process, by which the program can be ended where it is nobody's child.
"""

from __future__ import annotations

import os

from .launcher import launch
from .limits import UNLIMITED, share_of_memory
from .needed import listed, view_of

MEMORY_BYTES = 24 * 1024**3
FILE_BYTES = 256 * 1024**2
PROCESS = "KERNELWRIGHT_PROCESS"
#: What NVIDIA's driver reads of the machine besides its devices.
GPU_FOLDERS = ("/sys/bus/pci/devices", "/sys/devices/system", "/sys/module/nvidia")


def start(arguments: list[str]) -> int:
    """Becomes the program; returns only when it cannot be started."""
    writable, readable, required, seconds, devices, _, *command = arguments
    if PROCESS in os.environ:
        with open(os.environ[PROCESS], "w", encoding="ascii") as file:
            file.write(str(os.getpid()))
    gpu = GPU_FOLDERS if devices else ()
    view = view_of([*readable.splitlines(), *gpu, *listed("LD_LIBRARY_PATH")], writable)
    # The driver reserves addresses for the memory of all GPUs and of the machine, far more than it uses.
    memory = UNLIMITED if devices else share_of_memory(MEMORY_BYTES)
    limits = [seconds, str(memory), str(FILE_BYTES)]
    return launch([view.writable, "\n".join(view.readable), required, *limits, devices, "--", *command])
