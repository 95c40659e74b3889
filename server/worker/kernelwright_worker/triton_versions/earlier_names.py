"""Names that Triton had in earlier versions, for programs that still use them: the same functions, which have other
names today.
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any

from . import assembly_lines, library_files

#: Modules of the CUDA library of mathematics: the first stands for the GPU's own, whichever that is.
_LIBRARY = "triton.language.extra.libdevice"
_CUDA_LIBRARY = "triton.language.extra.cuda.libdevice"
#: Modules that this library was, up to Triton 2 and 3.
_FORMER_LIBRARY = "triton.language.libdevice"
#: Of `triton.language`, by the earlier name.
_RENAMED = {"_experimental_make_tensor_descriptor": "make_tensor_descriptor"}
#: Of `triton.language.math` in Triton 2, by names of `triton.language`.
_MOVED = {"max": "maximum", "min": "minimum"}


#: A module with the model of a product's time by which Triton 2 chose configurations.
_PRODUCT_MODEL = "triton.ops.matmul_perf_model"


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
    _add_product_model()
    aggregate = getattr(importlib.import_module("triton.language.core"), "_aggregate_type", None)
    if aggregate is not None:
        _add(aggregate, "element_ty", property(_pointed_to))
    driver = type(importlib.import_module("triton.runtime.driver").driver)
    _add(driver, "utils", property(lambda config: config.active.utils))
    library_files.install()
    assembly_lines.install()


def _add_library(language: types.ModuleType, library: types.ModuleType) -> None:
    _add(language, "libdevice", library)
    sys.modules.setdefault(_FORMER_LIBRARY, library)
    # Triton 2 had all of it as `tl.math`.
    functions = _module(_CUDA_LIBRARY) or library
    for name, function in vars(functions).items():
        if callable(function) and getattr(function, "__module__", "") == functions.__name__:
            _add(language.math, name, function)


def _pointed_to(aggregate: Any) -> object:
    """What a pointer to a block points to: it was a plain pointer, whose type says that."""
    base = dict(aggregate.fields).get("base")
    if base is None or not getattr(aggregate.base_cls, "__triton_block_ptr__", False):
        raise AttributeError("%s has no attribute 'element_ty'" % aggregate.base_cls.__name__)
    return base.element_ty


def _add_product_model() -> None:
    """Gives programs the names of the product's model: nothing is left out by it and all take as long, so that the
    autotuner's own rules choose.
    """
    if _module(_PRODUCT_MODEL) is not None:
        return
    package, model = types.ModuleType("triton.ops"), types.ModuleType(_PRODUCT_MODEL)
    package.__path__ = []
    model.early_config_prune = lambda configs, *_, **__: configs
    model.estimate_matmul_time = lambda *_, **__: 0.0
    package.matmul_perf_model = model
    sys.modules.setdefault("triton.ops", package)
    sys.modules.setdefault(_PRODUCT_MODEL, model)


def _add(owner: object, name: str, value: object) -> None:
    if value is not None and not hasattr(owner, name):
        setattr(owner, name, value)


def _module(name: str) -> types.ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
