"""Triton's compilation without its last stage, which takes longer than the others together: what is launched is
assembled on the other side. Machine code is made here where host code asks for it.
"""

from __future__ import annotations

import functools
import importlib
import itertools
import os
from collections.abc import Callable
from typing import Any

from triton.compiler import compiler
from triton.compiler.compiler import CompiledKernel
from triton.runtime import errors

from .cubin_facts import registers_and_frame

_CUBIN = "cubin"
#: Begins what stands for machine code that nobody has asked for; no cubin begins so.
_MARK = b"not assembled: "
#: What makes each, by what stands for it.
_making: dict[bytes, Callable[[], bytes]] = {}
_numbers = itertools.count()


def install() -> None:
    """From here on no kernel is assembled before somebody asks for that. A version of Triton whose stages are made
    elsewhere assembles at once.
    """
    try:
        backend = importlib.import_module("triton.backends.nvidia.compiler").CUDABackend
    except (ImportError, AttributeError):
        return
    make = getattr(backend, "make_cubin", None)
    if make is None or not hasattr(compiler, "AsmDict") or getattr(make, "is_late", False):
        return

    @functools.wraps(make)
    def make_cubin(*given: Any, **named: Any) -> bytes:
        if _is_dumped() or any(getattr(each, "ptx_options", None) for each in (*given, *named.values())):
            # What only Triton's own assembler is told, it alone can refuse.
            return make(*given, **named)
        mark = b"%s%d" % (_MARK, next(_numbers))
        _making[mark] = lambda: make(*given, **named)
        return mark

    make_cubin.is_late = True  # type: ignore[attr-defined]
    backend.make_cubin = make_cubin
    _look_up_late()


def facts_of(cubin: bytes) -> tuple[int | None, int | None]:
    """Registers and spilled words of a thread; None for code that is not made yet."""
    if cubin in _making:
        return None, None
    registers, frame = registers_and_frame(cubin)
    return registers, frame // 4


class PTXASError(Exception):
    """Stands for Triton's own where a version has none."""


def failure(said: str) -> Exception:
    """What Triton raises where its assembler fails; its autotuner then passes over the configuration."""
    return getattr(errors, "PTXASError", PTXASError)(said)


def _is_dumped() -> bool:
    """Whether Triton writes each stage to a file, the machine code in words as well."""
    knobs = getattr(compiler, "knobs", None)
    asked = getattr(getattr(knobs, "compilation", None), "dump_ir", False)
    return bool(asked or os.environ.get("TRITON_KERNEL_DUMP"))


def _look_up_late() -> None:
    """Has kernels make their machine code, and the figures that are read from it, when they are asked for."""
    begin, load = CompiledKernel.__init__, CompiledKernel._init_handles

    def init(kernel: CompiledKernel, *given: Any, **named: Any) -> None:
        begin(kernel, *given, **named)
        kernel.asm = _stages()(kernel.asm)

    def init_handles(kernel: CompiledKernel) -> None:
        before = vars(kernel).get("_is_loading", False)
        kernel._is_loading = True
        try:
            return load(kernel)
        finally:
            kernel._is_loading = before

    CompiledKernel.__init__ = init
    CompiledKernel._init_handles = init_handles
    CompiledKernel.kernel = _Late("kernel", lambda kernel: kernel.asm[_CUBIN])
    for position, name in enumerate(("n_regs", "n_spills")):
        setattr(CompiledKernel, name, _figure(name, position))


def _figure(name: str, position: int) -> _Late:
    return _Late(name, lambda kernel: facts_of(kernel.asm[_CUBIN])[position])


class _Late:
    """A field of a kernel that is found out when it is first asked for, but not by the loading of the kernel."""

    def __init__(self, name: str, find: Callable[[CompiledKernel], object]) -> None:
        self._name = name
        self._find = find

    def __get__(self, kernel: CompiledKernel | None, owner: type | None = None) -> object:
        if kernel is None:
            return self
        fields = vars(kernel)
        if self._name not in fields:
            raise AttributeError(self._name)
        found = fields[self._name]
        if (found is None or found in _making) and not fields.get("_is_loading", False):
            found = fields[self._name] = self._find(kernel)
        return found

    def __set__(self, kernel: CompiledKernel, value: object) -> None:
        vars(kernel)[self._name] = value


@functools.cache
def _stages() -> type:
    """Triton's dictionary of a kernel's stages, whose machine code is made when it is looked up."""

    class Stages(compiler.AsmDict):
        def _make(self) -> None:
            mark = dict.get(self, _CUBIN)
            if mark in _making:
                self[_CUBIN] = _making[mark]()

        def __getitem__(self, name: str) -> object:
            if name == _CUBIN:
                self._make()
            return super().__getitem__(name)

        def get(self, name: str, *other: object) -> object:
            return self[name] if name in self else super().get(name, *other)

        def values(self) -> object:
            self._make()
            return super().values()

        def items(self) -> object:
            self._make()
            return super().items()

    return Stages
