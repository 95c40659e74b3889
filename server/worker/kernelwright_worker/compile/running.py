"""Running compilers: behind walls, in a process group of their own, with limits, bounded output, cancelled by
request.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading

from ..errors import WorkerError
from ..walls import launcher
from ..walls.limits import Limits
from ..walls.view import View

OUTPUT_LIMIT = 1024 * 1024
MEMORY_LIMIT = 16 * 1024 * 1024 * 1024
FILE_LIMIT = 1024 * 1024 * 1024
#: Without them a source could show what lies on this machine, by including it.
REQUIRED_WALLS = ("network", "other-files", "read-only")
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "CUDA_HOME", "CPATH", "CPLUS_INCLUDE_PATH", "SYSTEMROOT")


class Cancelled(Exception):
    """The request that wanted this program was cancelled."""


class Running:
    """The programs of one request, so that a cancelled request ends them all."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._groups: set[int] = set()
        self._cancelled = False

    def cancel(self) -> None:
        """Ends the programs; none is started any more."""
        with self._lock:
            self._cancelled = True
            for group in self._groups:
                _kill_group(group)

    def run(
        self, command: list[str], view: View, seconds: float, walled: bool = True
    ) -> tuple[int, str, str]:
        """Gives (exit status, standard output, standard error). The program sees `view` and nothing else of
        the disk; `walled` false: it is started with what walls there are. Raises Cancelled or WorkerError
        worker-timeout / tool-missing / walls-missing.
        """
        launched = _walled(command, view, seconds, walled)
        with self._lock:
            if self._cancelled:
                raise Cancelled()
            child = _start(launched, view.writable)
            self._groups.add(child.pid)
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
        told = _text(errors)
        if child.returncode == launcher.MISSING_STATUS and told.startswith(launcher.MARK):
            raise WorkerError(
                "walls-missing",
                "compilers cannot be walled off here, so a source could show any file of this machine by "
                "including it (missing: %s)" % told[len(launcher.MARK) :].strip(),
            )
        if child.returncode == launcher.CANNOT_RUN_STATUS and told.startswith(command[0]):
            raise WorkerError("tool-missing", told.strip())
        return child.returncode, _text(output), told


class Children:
    """Every program that was started and may still run, whoever waits for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: list[subprocess.Popen] = []
        self._ended = False

    def start(
        self, launched: list[str], folder: str, environment: dict[str, str], stdin: int
    ) -> subprocess.Popen:
        """Raises Cancelled once all were ended, OSError where it cannot be started."""
        with self._lock:
            if self._ended:
                raise Cancelled()
            self._running = [each for each in self._running if each.poll() is None]
            child = subprocess.Popen(
                launched,
                cwd=folder,
                env=environment,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            self._running.append(child)
            return child

    def end_all(self) -> None:
        with self._lock:
            self._ended = True
            running = [each for each in self._running if each.poll() is None]
            for each in running:
                _kill_group(each.pid)
            for each in running:
                each.wait()


_children = Children()


def end_all() -> None:
    """Ends every program, also one that is only read ahead for the next request, and waits until they are gone;
    none is started any more.
    """
    _children.end_all()


def start(command: list[str], view: View, seconds: float, walled: bool = True) -> subprocess.Popen:
    """A program that goes on behind walls, as `Running.run` starts it, with streams both ways."""
    return _start(_walled(command, view, seconds, walled), view.writable, subprocess.PIPE)


def _walled(command: list[str], view: View, seconds: float, walled: bool) -> list[str]:
    bounds = Limits(int(seconds) + 5, MEMORY_LIMIT, FILE_LIMIT)
    return launcher.command_line(view, bounds, REQUIRED_WALLS if walled else (), command)


def _start(command: list[str], folder: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen:
    environment = {name: value for name, value in os.environ.items() if name in PASSED_ON}
    environment.update({"HOME": folder, "TMPDIR": folder, "LC_ALL": "C"})
    try:
        return _children.start(command, folder, environment, stdin)
    except OSError as error:
        raise WorkerError(
            "tool-missing", "%s could not be started: %s" % (command[0], error.strerror)
        ) from error


def _kill_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        # It has just ended by itself.
        return


def _text(content: bytes) -> str:
    if len(content) > OUTPUT_LIMIT:
        half = OUTPUT_LIMIT // 2
        content = content[:half] + b"\n[output left out]\n" + content[-half:]
    return content.decode("utf-8", "replace")
