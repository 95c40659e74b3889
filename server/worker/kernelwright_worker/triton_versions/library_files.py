"""Files of NVIDIA's library of mathematics that programs name where a source tree of Triton has them: an installed
Triton has its own, of the same functions.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

_LIBRARY = "libdevice"


def install() -> None:
    """Has kernels that name a library's file which is not there take Triton's own."""
    try:
        backend = importlib.import_module("triton.backends.nvidia.compiler").CUDABackend
    except (ImportError, AttributeError):
        return
    parse = backend.parse_options
    if getattr(parse, "takes_own_library", False):
        return

    def parse_options(self: Any, opts: dict) -> object:
        return parse(self, _with_own_library(opts))

    parse_options.takes_own_library = True  # type: ignore[attr-defined]
    backend.parse_options = parse_options


def _with_own_library(options: dict) -> dict:
    named = dict(options.get("extern_libs") or {})
    path = named.get(_LIBRARY)
    if path is None or os.path.exists(path):
        return options
    _say_once(path)
    del named[_LIBRARY]
    return {**options, "extern_libs": named or None}


_said: set = set()


def _say_once(path: str) -> None:
    if path not in _said:
        _said.add(path)
        sys.stderr.write("kernelwright: %s is not there: Triton's own is taken\n" % path)
