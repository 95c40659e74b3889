"""A preprocessor and a device compiler that have read the headers of a source and wait for the rest of it."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import threading
import time

from ..source_files import SourceFolder, inside
from .warm_commands import MODULE, REST, START, WHOLE

#: A write lease (fcntl(2)) on a file holds whoever opens it. Only Linux has it.
HAS_LEASES = hasattr(fcntl, "F_SETLEASE")
_READ_SECONDS = 60
#: A source that takes longer is left to nvcc, which tells what is wrong with it.
_STEP_SECONDS = 30


class Failed(Exception):
    """The compiler waits no more, or what it read is not what the source begins with."""


class HeldFile:
    """An empty file of a folder, for which whoever opens it waits until it gets its text. OSError where the file
    system has no leases.
    """

    def __init__(self, folder: str, name: str) -> None:
        path = inside(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self._lease = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.fcntl(self._lease, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        except OSError:
            self.close()
            raise

    @property
    def is_wanted(self) -> bool:
        """Whether somebody waits for it."""
        return fcntl.fcntl(self._lease, fcntl.F_GETLEASE) != fcntl.F_WRLCK

    def give(self, text: str) -> None:
        content = text.encode("utf-8")
        while content:
            content = content[os.write(self._lease, content) :]
        self.close()

    def close(self) -> None:
        if self._lease >= 0:
            os.close(self._lease)
        self._lease = -1


class WaitingCompiler:
    """One process behind walls, for one source. `sources`: its folder, in which nothing but what all edits share
    lies yet; `start`: what comes before the user's code; `main`: the user's file that is compiled.
    """

    def __init__(self, sources: SourceFolder, start: str, main: str) -> None:
        self._sources = sources
        self._start = start
        self._main = main
        self._process: subprocess.Popen | None = None
        self.folder = sources.path
        with open(os.path.join(self.folder, START), "w", encoding="utf-8") as file:
            file.write('%s#include "%s"\n' % (start, REST))
        self._rest = HeldFile(self.folder, REST)
        self._source = HeldFile(self.folder, main)

    def hold(self, process: subprocess.Popen) -> None:
        """Waits until the programs of a process ask for what is held, and stops them there. Raises Failed."""
        self._process = process
        until = time.monotonic() + _READ_SECONDS
        while not (self._rest.is_wanted and self._source.is_wanted):
            if process.poll() is not None or time.monotonic() > until:
                raise Failed()
            time.sleep(0.02)
        self._order()

    def compile(self, files: dict[str, str]) -> tuple[str, str]:
        """(PTX, what the compilers said). Raises Failed for anything that is not a success."""
        for name, text in files.items():
            if name == self._main:
                continue
            target = inside(self.folder, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        self._source.give(files[self._main])
        if self._step() != 0:
            raise Failed()
        whole = self._read(WHOLE)
        if not whole.startswith(self._start):
            raise Failed()
        self._rest.give(whole[len(self._start) :])
        if self._step() != 0:
            raise Failed()
        return self._read(MODULE), self._read("preprocessed.out") + self._read("compiled.out")

    def assemble(self) -> tuple[int, str]:
        """(exit status, what the assembler said) for the PTX that lies in the folder by now."""
        return self._step(), self._read("assembled.out")

    def close(self) -> None:
        if self._process is not None:
            if self._process.poll() is None:
                self._kill()
            self._process.communicate()
        self._rest.close()
        self._source.close()
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
