"""A GPU does one thing at a time: what runs beside a timed call falsifies its time."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import tempfile
import threading

#: How long a claim waits before it tries again, in seconds.
PAUSE_SECONDS = 0.05
#: Characters of a command that are told.
MOST_COMMAND = 100


class Claims:
    """The GPUs that this process keeps, by the number of the request that claimed each. A lock on a file of the
    machine's temporary folder keeps the other processes away; the system frees it when this process ends.
    """

    def __init__(self) -> None:
        self._held: dict[int, int] = {}
        self._guard = threading.Lock()

    def take(self, request: int, uuid: str, cancelled: threading.Event) -> bool:
        """Waits until nobody else has the GPU. False where the request was cancelled meanwhile."""
        descriptor = _open(lock_path(uuid))
        while not cancelled.is_set():
            if _locked(descriptor):
                with self._guard:
                    self._held[request] = descriptor
                return True
            cancelled.wait(PAUSE_SECONDS)
        os.close(descriptor)
        return False

    def release(self, request: int) -> None:
        """Gives a GPU back; nothing happens where the request holds none."""
        with self._guard:
            descriptor = self._held.pop(request, None)
        if descriptor is not None:
            os.close(descriptor)


def holder(uuid: str) -> str:
    """Who keeps the GPU, as people know it: the process that started the one with the lock, and its command. Empty
    where the system does not tell.
    """
    try:
        status = os.stat(lock_path(uuid))
        with open("/proc/locks", encoding="ascii") as file:
            lines = [line.split() for line in file]
        place = "%02x:%02x:%d" % (os.major(status.st_dev), os.minor(status.st_dev), status.st_ino)
        worker = next(int(line[4]) for line in lines if line[1] == "FLOCK" and line[5] == place)
        process = _parent(worker)
        with open("/proc/%d/cmdline" % process, "rb") as file:
            words = file.read().decode("utf-8", "replace").split("\0")
    except (OSError, IndexError, ValueError, StopIteration):
        return ""
    command = " ".join([*(os.path.basename(word) for word in words[:2]), *words[2:]]).strip()
    return "process %d (%s)" % (process, command[:MOST_COMMAND])


def _parent(process: int) -> int:
    with open("/proc/%d/stat" % process, encoding="utf-8", errors="replace") as file:
        # A name in brackets may hold anything.
        return int(file.read().rpartition(")")[2].split()[1])


def lock_path(uuid: str) -> str:
    """The file that stands for a GPU, the same for all processes of the machine."""
    return os.path.join(tempfile.gettempdir(), "kernelwright-gpu-%s.lock" % re.sub(r"[^\w-]", "_", uuid))


def _open(path: str) -> int:
    """The file is left behind: removing it would let two processes lock two files of one name."""
    flags = os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        # In a folder that all may write to, Linux refuses to open another user's file for writing.
        return os.open(path, os.O_RDONLY | flags)
    except FileNotFoundError:
        try:
            return os.open(path, os.O_RDONLY | os.O_CREAT | os.O_EXCL | flags, 0o644)
        except FileExistsError:
            return os.open(path, os.O_RDONLY | flags)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EINTR):
            return False
        raise
    return True
