"""A private temporary folder with the candidate's files; nothing is ever written outside of it."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time

from .errors import WorkerError

PREFIX = "kernelwright-worker-"
ABANDONED_SECONDS = 24 * 3600
_alive = set()


class SourceFolder:
    """Context manager: writes the files, removes the folder at the end."""

    def __init__(self, files: dict[str, str]) -> None:
        self._files = files
        self.path = ""

    def __enter__(self) -> SourceFolder:
        self.path = os.path.realpath(tempfile.mkdtemp(prefix=PREFIX))
        _alive.add(self.path)
        for name, text in self._files.items():
            target = inside(self.path, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        _alive.discard(self.path)


def remove_all() -> None:
    """Removes what is still there of this process, at its end."""
    for path in list(_alive):
        shutil.rmtree(path, ignore_errors=True)


def clean_up_when_terminated() -> None:
    """A process that is asked to end removes its folders first."""

    def end(*_) -> None:
        remove_all()
        os._exit(0)

    signal.signal(signal.SIGTERM, end)


def prune_abandoned() -> None:
    """Removes folders that processes which were killed left behind, a day later."""
    base = tempfile.gettempdir()
    for name in os.listdir(base):
        path = os.path.join(base, name)
        try:
            if (
                name.startswith(PREFIX)
                and os.lstat(path).st_uid == os.getuid()
                and os.lstat(path).st_mtime < time.time() - ABANDONED_SECONDS
            ):
                shutil.rmtree(path, ignore_errors=True)
        except OSError:
            # Somebody else removed it first.
            continue


def inside(folder: str, name: str) -> str:
    """Absolute path of a POSIX relative name inside the folder. Raises path-outside-workspace for everything
    else.
    """
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or "\0" in name or any(part in ("", ".", "..") for part in parts):
        raise WorkerError("path-outside-workspace", "%r is not a plain relative path" % name)
    target = os.path.join(folder, *parts)
    if os.path.commonpath([os.path.realpath(os.path.dirname(target)), folder]) != folder:
        raise WorkerError("path-outside-workspace", "%r leads outside of the candidate's folder" % name)
    return target


def without_folder(text: str, folder: str) -> str:
    """Makes paths below the folder relative to it, wherever they stand in a compiler's text."""
    return text.replace(folder + "/", "")


def ptx_without_folder(ptx: str, folder: str) -> str:
    """The same for PTX. In what it holds for debuggers, byte by byte, the name that was drawn for the private
    folder around this one becomes a line of its length: one source has one PTX in all processes.
    """
    drawn = os.path.basename(os.path.dirname(folder))
    return without_folder(ptx, folder).replace(_debug_bytes(drawn), _debug_bytes("_" * len(drawn)))


def _debug_bytes(text: str) -> str:
    return "\n".join(".b8 %d" % each for each in text.encode("utf-8"))
