"""Running compilers: own process group, time and memory limit, bounded output, cancellable."""

from __future__ import annotations

import os
import signal
import subprocess
import threading

from ..walls import guard
from ..errors import WorkerError

OUTPUT_LIMIT = 1024 * 1024
MEMORY_LIMIT = 16 * 1024 * 1024 * 1024


class Cancelled(Exception):
    """The request that wanted this program was cancelled."""


class Running:
    """The programs of one request, so that a cancelled request ends them all."""

    def __init__(self):
        self._lock = threading.Lock()
        self._groups = set()
        self._cancelled = False

    def cancel(self):
        with self._lock:
            self._cancelled = True
            for group in self._groups:
                _kill_group(group)

    def run(self, command, folder, seconds):
        """Gives (exit status, standard output, standard error). Raises Cancelled or WorkerError
        worker-timeout / tool-missing.
        """
        with self._lock:
            if self._cancelled:
                raise Cancelled()
            child = _start(command, folder)
            self._groups.add(child.pid)
        guard.limit_child(child.pid, int(seconds) + 5, MEMORY_LIMIT)
        try:
            output, errors = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired as expired:
            _kill_group(child.pid)
            child.communicate()
            raise WorkerError(
                "worker-timeout", "%s took longer than %d s" % (os.path.basename(command[0]), seconds)
            ) from expired
        finally:
            with self._lock:
                self._groups.discard(child.pid)
        if self._cancelled:
            raise Cancelled()
        return child.returncode, _text(output), _text(errors)


def _start(command, folder):
    environment = {
        name: value
        for name, value in os.environ.items()
        if name in ("PATH", "HOME", "LD_LIBRARY_PATH", "CUDA_HOME", "SYSTEMROOT")
    }
    environment.update({"TMPDIR": folder, "LC_ALL": "C"})
    try:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise WorkerError(
            "tool-missing", "%s could not be started: %s" % (command[0], error.strerror)
        ) from error


def _kill_group(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        # It has just ended by itself.
        return


def _text(content):
    if len(content) > OUTPUT_LIMIT:
        half = OUTPUT_LIMIT // 2
        content = content[:half] + b"\n[output left out]\n" + content[-half:]
    return content.decode("utf-8", "replace")
