"""Compilers that wait for the next edit of a source. nvcc spends most of its time on headers; here they are read
ahead, by the same compiler with the same arguments. A source is served so once this has given nvcc's PTX to
the letter; whatever fails is left to nvcc.
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Callable
from typing import Protocol

from ..errors import WorkerError
from ..source_files import SourceFolder, without_folder
from .running import Cancelled
from .waiting import HAS_LEASES, Failed, WaitingCompiler
from .warm_commands import FIRST, WHOLE, Commands, read_commands, read_program, script, split_preprocessed

_MOST_WAITING = 2
_LOCAL_NAME = re.compile(r"(_INTERNAL_|_GLOBAL__N__)[0-9a-f]{8}(?=_)")
#: A compiler that nobody wanted for so long is ended: it holds some hundred megabytes.
_KEPT_SECONDS = 300


class Programs(Protocol):
    """Runs programs behind walls in a folder, to their end or beyond this call (`nvcc.Compilers`)."""

    def run(self, command: list[str], folder: str) -> tuple[int, str, str]: ...

    def start(self, command: list[str], folder: str) -> subprocess.Popen: ...


class Source:
    """One compilation. `key`: all that decides it but the texts, and whether it needs walls; `files` with the
    name of the one that is compiled; `command`: nvcc's words in a folder that has them; `assemble`: the
    assembler's; `compilers`: runs both.
    """

    def __init__(
        self,
        key: str,
        files: tuple[dict[str, str], str],
        words: tuple[Callable[[str], list[str]], Callable[[str], list[str]]],
        compilers: Programs,
    ) -> None:
        self.key = key
        self.files, self.main = files
        self.command, self.assemble = words
        self.compilers = compilers


class _Known:
    """What is known of a key."""

    def __init__(self) -> None:
        self.asked = False
        self.refused = False
        self.preparing = False
        self.start: tuple[str, Commands, str] | None = None
        self.waiting: WaitingCompiler | None = None


def has_idle_core() -> bool:
    """Whether fewer programs than there are cores wanted to run in the last minute; both count the whole machine,
    in a container too.
    """
    return os.getloadavg()[0] < (os.cpu_count() or 1)


class WarmCompilers:
    """Used by several threads. Nothing is prepared for a source that is compiled once, nor, as `has_room` says,
    at the cost of what else the machine does.
    """

    def __init__(self, has_room: Callable[[], bool] = has_idle_core) -> None:
        self._has_room = has_room
        self._lock = threading.Lock()
        self._known: dict[str, _Known] = {}

    def asked(self, key: str) -> None:
        """A source of this kind was wanted, and was there already."""
        with self._lock:
            self._known.setdefault(key, _Known()).asked = True

    def compile(self, source: Source) -> tuple[WaitingCompiler, str, str] | None:
        """(the compiler, which goes on to assemble and has to be closed; PTX; what was said), or None."""
        with self._lock:
            known = self._known.get(source.key)
            waiting = known.waiting if known is not None else None
            if known is None or waiting is None:
                return None
            known.waiting = None
        try:
            ptx, said = waiting.compile(source.files)
        except (Failed, OSError):
            waiting.close()
            self._prepare(source, None)
            return None
        self._prepare(source, None)
        return waiting, without_folder(ptx, waiting.folder), said

    def learn(self, source: Source, ptx: str) -> None:
        """nvcc has made this PTX: the next source of its kind may come from here."""
        with self._lock:
            known = self._known.setdefault(source.key, _Known())
            if not known.asked:
                known.asked = True
                return
        self._prepare(source, ptx)

    def close(self) -> None:
        with self._lock:
            waiting = [known.waiting for known in self._known.values() if known.waiting is not None]
            self._known.clear()
        for each in waiting:
            each.close()

    def _prepare(self, source: Source, ptx: str | None) -> None:
        """In a thread of its own: a compiler that waits, after a trial where there was none. `ptx`: what the
        trial has to give.
        """
        with self._lock:
            known = self._known[source.key]
            is_wanted = HAS_LEASES and not known.refused and not known.preparing and known.waiting is None
            if not is_wanted or (known.start is None and ptx is None) or not self._has_room():
                return
            known.preparing = True
        threading.Thread(target=self._prepared, args=(known, source, ptx), daemon=True).start()

    def _prepared(self, known: _Known, source: Source, ptx: str | None) -> None:
        try:
            if known.start is None:
                known.start = _start_of(source)
                trial = _waiting(source, known.start)
                try:
                    made, _ = trial.compile(source.files)
                    known.refused = _comparable(without_folder(made, trial.folder)) != _comparable(ptx)
                finally:
                    trial.close()
            if not known.refused:
                self._keep(known, _waiting(source, known.start))
        except (Failed, OSError, WorkerError, Cancelled):
            known.refused = True
        finally:
            known.preparing = False

    def _keep(self, known: _Known, compiler: WaitingCompiler) -> None:
        with self._lock:
            known.waiting = compiler
            others = [each for each in self._known.values() if each.waiting is not None and each is not known]
            spare = others[: max(0, len(others) + 1 - _MOST_WAITING)]
            ended = [each.waiting for each in spare]
            for each in spare:
                each.waiting = None
        for each in ended:
            each.close()
        timer = threading.Timer(_KEPT_SECONDS, self._forget, (known, compiler))
        timer.daemon = True
        timer.start()

    def _forget(self, known: _Known, compiler: WaitingCompiler) -> None:
        with self._lock:
            if known.waiting is not compiler:
                return
            known.waiting = None
        compiler.close()


def _comparable(ptx: str) -> str:
    """PTX without the number that the compiler makes of the text as it gets it, and puts into the names of what
    no other source sees.
    """
    return _LOCAL_NAME.sub(r"\1", ptx)


def _start_of(source: Source) -> tuple[str, Commands, str]:
    """(what comes before the user's code, the commands, the folder that they name). Raises Failed."""
    with SourceFolder(source.files) as sources:
        command = _written(source, sources.path)
        _, output, errors = source.compilers.run([command[0], "--dryrun", *command[1:]], sources.path)
        commands = read_commands(output + errors, command[-1])
        if commands is None:
            raise Failed()
        words = ["/usr/bin/env", *("%s=%s" % each for each in commands.environment.items())]
        _, output, errors = source.compilers.run([*words, *commands.preprocess, "-###"], sources.path)
        # The driver itself cannot be stopped while its program reads.
        program = read_program(output + errors)
        if program is None:
            raise Failed()
        commands = Commands(program, commands.compile, commands.environment)
        status, _, _ = source.compilers.run([*words, *commands.preprocess], sources.path)
        if status != 0:
            raise Failed()
        with open(os.path.join(sources.path, WHOLE), encoding="utf-8", errors="surrogateescape") as file:
            parts = split_preprocessed(file.read(), set(source.files))
        if parts is None:
            raise Failed()
        return parts[0], commands, sources.path


def _written(source: Source, folder: str) -> list[str]:
    """nvcc's words, and the file that includes the one that they name."""
    command = source.command(folder)
    with open(os.path.join(folder, FIRST), "w", encoding="utf-8") as file:
        file.write('#include "%s"\n' % command[-1])
    return command


def _waiting(source: Source, known: tuple[str, Commands, str]) -> WaitingCompiler:
    start, commands, folder = known
    sources = SourceFolder({})
    sources.__enter__()
    _written(source, sources.path)
    moved = commands.moved(folder, sources.path)
    shell = ["/bin/sh", "-c", script(moved, source.assemble(sources.path))]
    compiler = WaitingCompiler(sources, start, source.main)
    try:
        compiler.hold(source.compilers.start(shell, sources.path))
    except (Failed, OSError, WorkerError):
        compiler.close()
        raise
    return compiler
