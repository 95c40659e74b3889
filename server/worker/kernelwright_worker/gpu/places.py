"""Where a program lies while it runs on a GPU: it may write to one folder and reads another."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
import time

from ..source_files import PREFIX

#: In the folder of a program: the number of the process that started it and ends with it.
PROCESS_FILE = "process"
#: How long a program may take to end by itself.
GRACE_SECONDS = 1.0


class Places:
    """Programs that were handed over, by number, until they are removed."""

    def __init__(self) -> None:
        self._folders: dict[int, tuple[str, str]] = {}
        self._last = 0

    def put(self, program: bytes | None) -> dict[str, object]:
        """Writes an executable, where it is not one of this machine; gives its number, its path and its two folders."""
        writable, shown = (os.path.realpath(tempfile.mkdtemp(prefix=PREFIX)) for _ in range(2))
        self._last += 1
        self._folders[self._last] = (writable, shown)
        path = os.path.join(shown, "program")
        # Behind the walls it runs as a user that owns nothing.
        os.chmod(shown, 0o755)
        if program is not None:
            with open(path, "wb") as file:
                file.write(program)
            os.chmod(path, 0o755)
        return {
            "place": self._last,
            "program": path,
            "writable": writable,
            "shown": shown,
            "process": os.path.join(shown, PROCESS_FILE),
        }

    def remove(self, number: int) -> None:
        """Ends a program that still runs and removes it with what it wrote; nothing happens where the number is
        unknown. Over ssh nobody else can end it: a session that is given up leaves its programs running.
        """
        folders = self._folders.pop(number, None)
        if folders is None:
            return
        _end(folders[1])
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)

    def remove_all(self) -> None:
        """Removes what is still there, at the end of the process."""
        for number in list(self._folders):
            self.remove(number)


def _end(shown: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        with open(os.path.join(shown, PROCESS_FILE), encoding="ascii") as file:
            process = int(file.read())
        with open("/proc/%d/cmdline" % process, "rb") as file:
            is_ours = shown.encode() in file.read()
        if not is_ours:
            return
        os.kill(process, signal.SIGTERM)
        patience = time.monotonic() + GRACE_SECONDS
        while os.path.exists("/proc/%d" % process) and time.monotonic() < patience:
            time.sleep(0.02)
        os.kill(process, signal.SIGKILL)
