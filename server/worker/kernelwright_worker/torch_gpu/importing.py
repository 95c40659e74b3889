"""Changes to modules that are made when a program imports them, so that who does not need them does not wait."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Callable


def change_when_imported(name: str, change: Callable[[types.ModuleType], None]) -> None:
    """Calls `change` with the module of that name: now when it is there, else as soon as it is imported."""
    known = sys.modules.get(name)
    if known is not None:
        change(known)
    else:
        sys.meta_path.insert(0, _Finder(name, change))


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, name: str, change: Callable[[types.ModuleType], None]) -> None:
        self._name = name
        self._change = change

    def find_spec(
        self, name: str, path: object, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        execute = spec.loader.exec_module

        def execute_and_change(module: types.ModuleType) -> None:
            execute(module)
            self._change(module)

        spec.loader.exec_module = execute_and_change
        return spec
