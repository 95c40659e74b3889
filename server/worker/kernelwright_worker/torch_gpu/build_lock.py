"""The lock of a build of an extension: a file, as other builds by torch know it."""

from __future__ import annotations

import fcntl
import os

#: What stands in a lock that its process holds, so that it is known to be left when nobody does.
_HELD = b"held by kernelwright"


def take(path: str) -> int | None:
    """Makes the lock, or takes over one that a process of ours has left. Returns its open file; None where
    another build is at work, or may be.
    """
    try:
        made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except FileExistsError:
        return _taken_over(path)
    fcntl.flock(made, fcntl.LOCK_EX)
    os.write(made, _HELD)
    return made


def _taken_over(path: str) -> int | None:
    try:
        left = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(left, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_ours = os.read(left, len(_HELD) + 1) == _HELD
        # Who held it may have ended its build and deleted it in between.
        if is_ours and os.path.samestat(os.fstat(left), os.stat(path)):
            return left
    except OSError:
        pass
    os.close(left)
    return None
