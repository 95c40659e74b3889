"""Ends host code of a candidate that computes for too long, in the line that it has come to."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import types
from collections.abc import Callable, Iterator

#: Seconds of processor time between two looks.
_STEP = 1
#: Parts of Triton that work for minutes on a large kernel.
_COMPILERS = ("compiler", "backends")


# Not an Exception: what falls back to other code when anything is raised has no more time either.
class HostCodeTooLong(BaseException):
    """Host code has computed for longer than it may."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[Callable[[], float]]:
    """Raises HostCodeTooLong once what runs inside has used so many seconds of the processor outside of Triton's
    compilers; never for 0. Gives a function that tells how many these are so far. For the main thread.
    """
    spent = 0
    folders = _compiler_folders()

    def look(_number: int, frame: types.FrameType | None) -> None:
        nonlocal spent
        if _is_within(frame, folders):
            return
        spent += _STEP
        if seconds and spent >= seconds:
            raise HostCodeTooLong("it has used %d s of the processor and has not come to an end" % spent)

    before = signal.signal(signal.SIGPROF, look)
    signal.siginterrupt(signal.SIGPROF, False)
    signal.setitimer(signal.ITIMER_PROF, _STEP, _STEP)
    try:
        yield lambda: spent
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _compiler_folders() -> tuple[str, ...]:
    triton = sys.modules.get("triton")
    if triton is None or triton.__file__ is None:
        return ()
    folder = os.path.dirname(triton.__file__)
    return tuple(os.path.join(folder, part) + os.sep for part in _COMPILERS)


def _is_within(frame: types.FrameType | None, folders: tuple[str, ...]) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith(folders):
            return True
        frame = frame.f_back
    return False
