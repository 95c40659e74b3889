"""torch and Triton in less time: what is imported stays, what only torch.compile needs waits until then, and the
digest of the compiler is made once.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import importlib
import importlib.util
import os
import sys
import tempfile
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any

_DYNAMO = "torch._dynamo"


@contextlib.contextmanager
def without_collections() -> Iterator[None]:
    """Nothing of what is imported is garbage: looking for some takes a fifth of torch's import, and as long again
    where Python ends.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def postpone_dynamo() -> None:
    """The first operation on a tensor without contents has torch import torch._dynamo, a second of processor
    time, only to say that a function is not to be compiled. While nothing else has asked for that module
    nothing can be compiled, so that there is nothing to say. Other versions of torch may not have it.
    """
    if _DYNAMO in sys.modules:
        return
    try:
        spec = importlib.util.find_spec(_DYNAMO)
    except ModuleNotFoundError:
        return
    if spec is None:
        return
    later = _Later(_DYNAMO)
    # Who goes through all modules asks for their files (inspect.getmodule).
    later.__file__ = spec.origin
    sys.modules[_DYNAMO] = later
    sys.modules["torch"]._dynamo = later


def forget_digest_of_triton() -> None:
    """Triton reads all of its own files, half a gigabyte, for the names under which it keeps what it compiles.
    Where these are kept in a folder that began empty, its version tells as much. Older versions have that
    digest elsewhere, and make it.
    """
    cache = sys.modules.get("triton.runtime.cache")
    if callable(getattr(cache, "triton_key", None)):
        version = sys.modules["triton"].__version__
        cache.triton_key = lambda: version


def keep_digest_of_triton(folder: str) -> None:
    """Has that digest made once for the files as they are now, and kept in `folder`. It is the same that Triton
    makes, so that what was compiled before is found.
    """
    cache = sys.modules.get("triton.runtime.cache")
    make = getattr(cache, "triton_key", None)
    if callable(make):
        cache.triton_key = functools.lru_cache(maxsize=None)(lambda: _kept_text(folder, _stamp(cache), make))


def _stamp(module: types.ModuleType) -> str:
    """Stands for all files of the package of a module: their paths, sizes and times."""
    digest = hashlib.sha256()
    top = os.path.dirname(os.path.dirname(os.path.realpath(module.__file__)))
    for path, folders, names in os.walk(top):
        folders[:] = sorted(each for each in folders if each != "__pycache__")
        for name in sorted(names):
            found = os.stat(os.path.join(path, name))
            told = (path, name, found.st_size, found.st_mtime_ns, found.st_ino)
            digest.update(repr(told).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _kept_text(folder: str, name: str, make: Callable[[], str]) -> str:
    """What stands in a file, or is made and written there; a disk that refuses it costs only time."""
    path = os.path.join(folder, name)
    with contextlib.suppress(OSError), open(path, encoding="utf-8") as file:
        return file.read()
    text = make()
    with contextlib.suppress(OSError):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=folder, encoding="utf-8", delete=False) as file:
            file.write(text)
        os.replace(file.name, path)
    return text


class _Later(types.ModuleType):
    """Stands in for the module until anything but `disable` is asked of it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__dict__["_real"] = None
        self.__dict__["_lock"] = threading.RLock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._load(), name)

    def disable(self, function: Callable | None = None, *arguments: Any, **named: Any) -> Any:
        """What torch._dynamo.disable gives, and until that is there the function itself."""
        if not isinstance(function, types.FunctionType):
            return self._load().disable(function, *arguments, **named)
        disabled: list[Callable] = []

        def call(*positional: Any, **keywords: Any) -> Any:
            if self._real is None:
                return function(*positional, **keywords)
            if not disabled:
                disabled.append(self._real.disable(function, *arguments, **named))
            return disabled[0](*positional, **keywords)

        return call

    def _load(self) -> types.ModuleType:
        with self._lock:
            if self._real is None:
                if sys.modules.get(_DYNAMO) is self:
                    del sys.modules[_DYNAMO]
                self.__dict__["_real"] = importlib.import_module(_DYNAMO)
            return self._real
