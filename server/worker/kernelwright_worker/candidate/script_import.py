"""Imports a file of which only the definitions matter: what a script does besides is not done."""

from __future__ import annotations

import os
import traceback
import types

from triton.runtime.jit import JITFunction

from ..absent.modules import finds_own, importing, may_stand_in, not_found
from .definitions import definitions_only, is_definition_at
from .importing import import_file

#: Statements of a script that are left out one after the other.
_MOST_RETRIES = 24


class LaunchedAtImport(BaseException):
    """The file launches a kernel while it is imported: it is a script."""


class ScriptImport:
    """One file below `folder`, imported as its project would."""

    def __init__(self, folder: str, name: str) -> None:
        self._folder = folder
        self._name = name
        self._path = os.path.join(folder, name)
        #: Modules that are stood in for, and the lines that import them; 0 outside of the file.
        self.absent: list[tuple[BaseException, int]] = []

    def load(self) -> types.ModuleType:
        """The module. A file that launches kernels, or fails in what is no definition, is imported again with
        its definitions only. Raises what the definitions raise.
        """
        with open(self._path, encoding="utf-8") as file:
            text = file.read()
        failed: set[int] = set()
        first = None
        while True:
            try:
                with importing():
                    return self._import()
            except (Exception, SystemExit, LaunchedAtImport) as error:
                line = self._line_of(error)
                if finds_own(error, self._folder):
                    continue
                if may_stand_in(error, self._folder):
                    self.absent.append((not_found(error) or error, line or 0))
                    continue
                first = first or error
                is_script = failed or isinstance(error, LaunchedAtImport)
                if line is None or line in failed or len(failed) >= _MOST_RETRIES:
                    raise first from None
                if not is_script and is_definition_at(text, line):
                    raise
                failed.add(line)
            with open(self._path, "w", encoding="utf-8", newline="") as file:
                file.write(definitions_only(text, failed))

    def _import(self) -> types.ModuleType:
        launch = JITFunction.run

        def refuse(*_, **__) -> None:
            raise LaunchedAtImport()

        JITFunction.run = refuse
        try:
            return import_file(self._folder, self._name)
        finally:
            JITFunction.run = launch

    def _line_of(self, error: BaseException) -> int | None:
        """The line of the module's own code in which an exception came up."""
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.name == "<module>" and os.path.realpath(frame.filename) == os.path.realpath(self._path):
                return frame.lineno
        return None
