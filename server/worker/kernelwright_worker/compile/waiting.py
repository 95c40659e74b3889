"""A device compiler that has read the headers of a source and waits for the rest of it."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import threading
import time

from ..source_files import SourceFolder, inside
from .warm_commands import MODULE, REST, START, WHOLE

#: A write lease (fcntl(2)) on the rest holds whoever opens it. Only Linux has it.
HAS_LEASES = hasattr(fcntl, "F_SETLEASE")
_READ_SECONDS = 60
#: A source that takes longer is left to nvcc, which tells what is wrong with it.
_STEP_SECONDS = 30


class Failed(Exception):
    """The compiler waits no more, or what it read is not what the source begins with."""


class WaitingCompiler:
    """One process behind walls, for one source. `sources`: its folder, in which nothing but what all edits share
    lies yet.
    """

    def __init__(self, sources: SourceFolder, process: subprocess.Popen, start: str) -> None:
        self._sources = sources
        self._process = process
        self._start = start
        self._lease = -1
        self.folder = sources.path

    @staticmethod
    def prepare(sources: SourceFolder, start: str) -> int:
        """Writes what is read first, and makes the rest wait; gives the descriptor that holds the lease. OSError
        where the file system has no leases.
        """
        with open(os.path.join(sources.path, START), "w", encoding="utf-8") as file:
            file.write('%s#include "%s"\n' % (start, REST))
        lease = os.open(os.path.join(sources.path, REST), os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.fcntl(lease, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        return lease

    def hold(self, lease: int) -> None:
        """Waits until the compiler asks for the rest, and stops it there. Raises Failed."""
        self._lease = lease
        until = time.monotonic() + _READ_SECONDS
        while fcntl.fcntl(lease, fcntl.F_GETLEASE) == fcntl.F_WRLCK:
            if self._process.poll() is not None or time.monotonic() > until:
                raise Failed()
            time.sleep(0.02)
        self._order()

    def compile(self, files: dict[str, str]) -> tuple[str, str]:
        """(PTX, what the compilers said). Raises Failed for anything that is not a success."""
        for name, text in files.items():
            target = inside(self.folder, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        if self._step() != 0:
            raise Failed()
        whole = self._read(WHOLE)
        if not whole.startswith(self._start):
            raise Failed()
        os.pwrite(self._lease, whole[len(self._start) :].encode("utf-8"), 0)
        os.close(self._lease)
        self._lease = -1
        if self._step() != 0:
            raise Failed()
        return self._read(MODULE), self._read("preprocessed.out") + self._read("compiled.out")

    def assemble(self) -> tuple[int, str]:
        """(exit status, what the assembler said) for the PTX that lies in the folder by now."""
        return self._step(), self._read("assembled.out")

    def close(self) -> None:
        if self._process.poll() is None:
            self._kill()
        self._process.communicate()
        if self._lease >= 0:
            os.close(self._lease)
        self._sources.__exit__()

    def _order(self) -> None:
        try:
            self._process.stdin.write(b"go\n")
            self._process.stdin.flush()
        except OSError as error:
            raise Failed() from error

    def _step(self) -> int:
        self._order()
        timer = threading.Timer(_STEP_SECONDS, self._kill)
        timer.start()
        told = self._process.stdout.readline().strip()
        timer.cancel()
        if not told.isdigit():
            raise Failed()
        return int(told)

    def _kill(self) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            # It has just ended by itself.
            return

    def _read(self, name: str) -> str:
        try:
            with open(os.path.join(self.folder, name), encoding="utf-8", errors="surrogateescape") as file:
                return file.read()
        except OSError as error:
            raise Failed() from error
