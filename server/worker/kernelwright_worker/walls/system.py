"""The few calls of Linux that Python's library lacks, over libc."""

from __future__ import annotations

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
SIGKILL = 9

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

_loaded = []


def libc() -> ctypes.CDLL | None:
    """The C library of this process; None on systems other than Linux."""
    if not sys.platform.startswith("linux"):
        return None
    if not _loaded:
        _loaded.append(ctypes.CDLL(None, use_errno=True))
    return _loaded[0]


def control(option: int, *values: int) -> bool:
    """prctl(2) with up to four values. True when it was done."""
    library = libc()
    filled = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    return library is not None and library.prctl(option, *filled) == 0


def call(number: int, *values: object) -> int:
    """syscall(2): its result, -1 for a failure. Whole numbers are passed in 64 bits."""
    library = libc()
    if library is None:
        return -1
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in values]
    return int(library.syscall(ctypes.c_long(number), *wide))


def kernel_version() -> tuple[int, int]:
    """Version of the running kernel, for instance (6, 1); (0, 0) when it does not say."""
    parts = os.uname().release.split("-")[0].split(".") if sys.platform.startswith("linux") else []
    try:
        return int(parts[0]), int(parts[1])
    except (IndexError, ValueError):
        return 0, 0


def is_below(path: str, folder: str) -> bool:
    """True for the folder itself and for everything in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def home_folder() -> str:
    """The user's home, resolved."""
    return os.path.realpath(os.path.expanduser("~"))
