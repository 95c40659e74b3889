"""What stands for a name of a package that is not there: a base class, an annotation, a decorator, a question about the
machine. What the program depends on beyond that raises what the import would have raised.
"""

from __future__ import annotations

import re
from typing import NoReturn

#: Questions about the machine and about what is installed.
_QUESTION = re.compile(
    r"^_?(is|has|have|can|should|supports?)_|(^|_)(available|installed|supported|enabled)$", re.I
)
#: What the machine is: a GPU that runs CUDA.
_PRESENT = re.compile(r"(^|_)(cuda|nvidia)($|_)", re.I)
#: Calls that make a version of its text.
_VERSIONS = {"Version", "LooseVersion", "StrictVersion", "parse", "parse_version"}
#: Names of what only tells, and calls that make such.
_TELLING = re.compile(r"^_?(logger|logging|log|(init|get)_?logger)$", re.I)


class Importing:
    """Whether a file is being imported: names may be called then."""

    now = False


class Absent(type):
    """A name of a module that is not there."""

    def __getattr__(cls, name: str) -> object:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return absent_name("%s.%s" % (cls.path, name))

    def __call__(cls, *given: object, **named: object) -> object:
        if "path" not in vars(cls):
            # A class of the file's own, with such a base.
            return super().__call__(*given, **named)
        name = cls.path.rpartition(".")[2]
        if name in _VERSIONS and len(given) == 1 and isinstance(given[0], str):
            return Version(given[0])
        answer = None if named else _answer(cls.path)
        if answer is not None and not any(callable(each) for each in given):
            return answer
        if not Importing.now:
            raise missing(cls.path)
        decorated = given[0] if len(given) == 1 and not named else None
        return decorated if _is_decorated(decorated) else cls

    def __bool__(cls) -> bool:
        answer = _answer(cls.path) if "path" in vars(cls) else True
        if answer is None:
            raise missing(cls.path)
        return answer

    def __getitem__(cls, _: object) -> Absent:
        return cls

    def __or__(cls, _: object) -> Absent:
        return cls

    def __ror__(cls, _: object) -> Absent:
        return cls

    def _needed(cls, *_: object) -> NoReturn:
        """Something depends on what the name stands for."""
        raise missing(cls.path)

    __iter__ = __len__ = __contains__ = __enter__ = __int__ = __float__ = __index__ = _needed
    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = _needed

    def __instancecheck__(cls, instance: object) -> bool:
        return cls in type(instance).__mro__


class Version(tuple):
    """The numbers of a version, which compare as versions do."""

    def __new__(cls, text: str) -> Version:
        numbers = [int(each) for each in re.findall(r"\d+", text.partition("+")[0])[:3]]
        return super().__new__(cls, (*numbers, 0, 0, 0)[:3])

    @property
    def release(self) -> tuple[int, ...]:
        return tuple(self)

    major = property(lambda self: self[0])
    minor = property(lambda self: self[1])
    micro = property(lambda self: self[2])


class _Silent:
    """What tells something to nobody."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _Silent()

    def __call__(self, *_: object, **__: object) -> _Silent:
        return self


def absent_name(path: str) -> object:
    """What stands for a name, by its whole path: `vllm.logger.init_logger`."""
    name = path.rpartition(".")[2]
    if _TELLING.match(name):
        return _Silent()
    return Absent(name, (), {"path": path})


def missing(path: str) -> ModuleNotFoundError:
    """What an import of the package would have raised."""
    name = path.partition(".")[0]
    return ModuleNotFoundError("No module named '%s'" % name, name=name)


def _answer(path: str) -> bool | None:
    """The answer to a question; None where the name asks none."""
    name = path.rpartition(".")[2]
    return bool(_PRESENT.search(name)) and "not" not in name.lower() if _QUESTION.search(name) else None


def _is_decorated(value: object) -> bool:
    """Whether a value is a function or a class, or what another decorator made of one."""
    return isinstance(value, (staticmethod, classmethod, property)) or (
        callable(value) and not isinstance(value, Absent)
    )
