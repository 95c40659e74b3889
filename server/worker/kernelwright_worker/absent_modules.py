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
import types
from collections.abc import Iterator, Sequence
from typing import NoReturn

#: Without these nothing runs.
_NEEDED = {"torch", "triton"}


class _State:
    """What is stood in for, and whether a file is being imported."""

    names: set[str] = set()
    importing = False


class _Absent(type):
    """A name of a module that is not there: a base class, an annotation or a decorator while a file is imported."""

    def __getattr__(cls, name: str) -> _Absent:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _name("%s.%s" % (cls.path, name))

    def __call__(cls, *given: object, **named: object) -> object:
        if "path" not in vars(cls):
            # A class of the file's own, with such a base.
            return super().__call__(*given, **named)
        if not _State.importing:
            raise _error(cls.path)
        decorated = given[0] if len(given) == 1 and not named else None
        return decorated if isinstance(decorated, (types.FunctionType, type)) else cls

    def __getitem__(cls, _: object) -> _Absent:
        return cls

    def __or__(cls, _: object) -> _Absent:
        return cls

    def __ror__(cls, _: object) -> _Absent:
        return cls

    def _needed(cls, *_: object) -> NoReturn:
        """Something depends on what the name stands for."""
        raise _error(cls.path)

    __iter__ = __len__ = __contains__ = __enter__ = __int__ = __float__ = __index__ = _needed
    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = _needed

    def __instancecheck__(cls, instance: object) -> bool:
        return cls in type(instance).__mro__


def _name(path: str) -> _Absent:
    return _Absent(path.rpartition(".")[2], (), {"path": path})


def _error(path: str) -> ModuleNotFoundError:
    name = path.partition(".")[0]
    return ModuleNotFoundError("No module named '%s'" % name, name=name)


class _AbsentModule(types.ModuleType):
    def __getattr__(self, name: str) -> object:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _name("%s.%s" % (self.__name__, name))


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Comes after all other finders, for the names that are stood in for and what lies below them."""

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] not in _State.names:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _AbsentModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """There is nothing to run."""


def may_stand_in(error: BaseException, folder: str) -> bool:
    """Whether a module that was not found is from now on stood in for: none of the file's own project, and none
    without which nothing runs.
    """
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return False
    name = error.name.partition(".")[0]
    if name in _NEEDED or name in _State.names or _is_there(name) or _is_of_project(name, folder):
        return False
    _State.names.add(name)
    if not any(isinstance(each, _Finder) for each in sys.meta_path):
        sys.meta_path.append(_Finder())
    return True


@contextlib.contextmanager
def importing() -> Iterator[None]:
    """While a file is imported: names that are not there may be asked for and called."""
    _State.importing = True
    try:
        yield
    finally:
        _State.importing = False


def _is_there(name: str) -> bool:
    """A package that is there, and lacks a part."""
    return name in sys.modules or importlib.util.find_spec(name) is not None


def _is_of_project(name: str, folder: str) -> bool:
    for _, folders, files in os.walk(folder):
        if name in folders or "%s.py" % name in files:
            return True
    return False
