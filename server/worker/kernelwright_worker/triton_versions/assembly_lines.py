"""Places in PTX that LLVM wrote, for what the assembler says of lines."""

from __future__ import annotations

import importlib
import re
from typing import Any

_INLINE = re.compile(r"// begin inline asm.*?// end inline asm", re.S)
_PLACE = re.compile(r"^[ \t]*\.loc\b.*$", re.M)


def without_assembly_lines(ptx: str) -> str:
    """PTX with blank lines for the places that stand within inline assembly: LLVM counts the lines of an
    assembly text as though they were lines of the source, so that a wide load of Triton would stand some
    lines further down.
    """
    return _INLINE.sub(lambda found: _PLACE.sub("", found.group()), ptx)


def install() -> None:
    """Has Triton's own machine code name the lines of statements, too."""
    try:
        backend = importlib.import_module("triton.backends.nvidia.compiler").CUDABackend
    except (ImportError, AttributeError):
        return
    make = getattr(backend, "make_cubin", None)
    if make is None or getattr(make, "names_statements", False):
        return

    def make_cubin(self: Any, src: str, *more: Any, **named: Any) -> object:
        return make(self, without_assembly_lines(src), *more, **named)

    make_cubin.names_statements = True  # type: ignore[attr-defined]
    backend.make_cubin = make_cubin
