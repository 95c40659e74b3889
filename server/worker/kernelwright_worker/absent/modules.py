"""Stands in for modules that this Python lacks while a file is imported: kernels seldom need all that their file
draws in. What is used of one later raises what the import would have raised.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import traceback
import types
from collections.abc import Iterator, Sequence

from .guards import is_alone, is_guarded, modules_at
from .names import Importing, absent_name

#: Without these nothing runs.
_NEEDED = {"torch", "triton"}
#: Modules that are stood in for.
_STOOD_IN: set[str] = set()


class _AbsentModule(types.ModuleType):
    def __getattr__(self, name: str) -> object:
        if name == "__version__":
            return "0.0.0"
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        if _does_without(sys._getframe(1)):
            raise AttributeError("module %r is not here, nor is its %r" % (self.__name__, name))
        return absent_name("%s.%s" % (self.__name__, name))


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Comes after all other finders, for the names that are stood in for and what lies below them."""

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] not in _STOOD_IN or _does_without(sys._getframe(1)):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _AbsentModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """There is nothing to run."""


def _does_without(frame: types.FrameType | None) -> bool:
    """Whether who imports knows what to do without the module: it asks for it, or handles that it is missing."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith(__name__.partition(".")[0]):
            return False
        if module == "importlib.util":
            return True
        if not module.startswith("importlib") and is_guarded(frame.f_code.co_filename, frame.f_lineno):
            return True
        frame = frame.f_back
    return False


def finds_own(error: BaseException, folder: str) -> bool:
    """Whether a module that was not found is one of the file's own project, and is found from now on."""
    place = _own_place(error, folder)
    if place is None or place in sys.path:
        return False
    sys.path.insert(0, place)
    importlib.invalidate_caches()
    return True


def may_stand_in(error: BaseException, folder: str) -> bool:
    """Whether a module that was not found is from now on stood in for: none of the file's own project, and none
    without which nothing runs.
    """
    found = not_found(error)
    if found is None or found.name is None:
        return False
    name = found.name.partition(".")[0]
    if name in _NEEDED or name in _STOOD_IN or _is_there(name) or _own_place(found, folder) is not None:
        return False
    _STOOD_IN.add(name)
    if not any(isinstance(each, _Finder) for each in sys.meta_path):
        sys.meta_path.append(_Finder())
    return True


@contextlib.contextmanager
def importing() -> Iterator[None]:
    """While a file is imported: names that are not there may be asked for and called."""
    Importing.now = True
    try:
        yield
    finally:
        Importing.now = False


def not_found(error: BaseException | None) -> ModuleNotFoundError | None:
    """What the import of a module raised that is not here; a file may have raised an error of its own instead, which
    says what to install.
    """
    while isinstance(error, ImportError):
        if isinstance(error, ModuleNotFoundError) and error.name:
            return error
        error = error.__cause__ or error.__context__
    return None


def _is_there(name: str) -> bool:
    """A package that is there, and lacks a part."""
    return name in sys.modules or importlib.util.find_spec(name) is not None


def _own_place(error: BaseException, folder: str) -> str | None:
    """The folder of the project below which the module lies that was not found."""
    found = not_found(error)
    if found is None or found.name is None:
        return None
    wanted = _wanted(found)
    for path, _, _ in os.walk(folder):
        if any(_holds(path, each.split(".")) for each in wanted):
            return path
    return None


def _wanted(error: ModuleNotFoundError) -> list[str]:
    """The whole names of what the statement imports that failed: the error names the first part that is missing."""
    name = str(error.name)
    frames = [each for each in traceback.extract_tb(error.__traceback__) if "<frozen" not in each.filename]
    written = modules_at(frames[-1].filename, frames[-1].lineno or 0) if frames else []
    return [each for each in written if each == name or each.startswith(name + ".")] or [name]


def _holds(folder: str, parts: list[str]) -> bool:
    """Whether a module lies below a folder that is itself no package."""
    path = os.path.join(folder, *parts)
    is_module = is_alone(path + ".py") or os.path.isfile(os.path.join(path, "__init__.py"))
    is_folder = len(parts) > 1 and os.path.isdir(path)
    return (is_module or is_folder) and not os.path.isfile(os.path.join(folder, "__init__.py"))
