"""Names that Triton had in earlier versions, for programs that still use them: the same functions, which have other
names today.
"""

from __future__ import annotations

import importlib
import sys
import types

#: Modules of the CUDA library of mathematics: the first stands for the GPU's own, whichever that is.
_LIBRARY = "triton.language.extra.libdevice"
_CUDA_LIBRARY = "triton.language.extra.cuda.libdevice"
#: Modules that this library was, up to Triton 2 and 3.
_FORMER_LIBRARY = "triton.language.libdevice"
#: Of `triton.language`, by the earlier name.
_RENAMED = {"_experimental_make_tensor_descriptor": "make_tensor_descriptor"}
#: Of `triton.language.math` in Triton 2, by names of `triton.language`.
_MOVED = {"max": "maximum", "min": "minimum"}


def install() -> None:
    """Adds the names that this version lacks; those that it has stay."""
    language = importlib.import_module("triton.language")
    library = _module(_LIBRARY) or _module(_CUDA_LIBRARY)
    if library is not None:
        _add_library(language, library)
    for former, name in _RENAMED.items():
        _add(language, former, getattr(language, name, None))
    for former, name in _MOVED.items():
        _add(language.math, former, getattr(language, name, None))
    driver = type(importlib.import_module("triton.runtime.driver").driver)
    _add(driver, "utils", property(lambda config: config.active.utils))


def _add_library(language: types.ModuleType, library: types.ModuleType) -> None:
    _add(language, "libdevice", library)
    sys.modules.setdefault(_FORMER_LIBRARY, library)
    # Triton 2 had all of it as `tl.math`.
    functions = _module(_CUDA_LIBRARY) or library
    for name, function in vars(functions).items():
        if callable(function) and getattr(function, "__module__", "") == functions.__name__:
            _add(language.math, name, function)


def _add(owner: object, name: str, value: object) -> None:
    if value is not None and not hasattr(owner, name):
        setattr(owner, name, value)


def _module(name: str) -> types.ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
