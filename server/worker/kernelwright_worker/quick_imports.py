"""torch and Triton in less time: what is imported stays, what only torch.compile needs waits until then, and who
keeps what it compiles for itself needs no digest of the compiler.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import sys
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any

_DYNAMO = "torch._dynamo"


@contextlib.contextmanager
def without_collections() -> Iterator[None]:
    """Nothing of what is imported is garbage: looking for some takes a fifth of torch's import."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
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
