"""Operators that a candidate registers with torch: what they do inside is host code as any other."""

from __future__ import annotations

import functools

from collections.abc import Callable

import torch
from torch._ops import OpOverload

from .counting.torch_work import TorchWork
from .virtual_device import VirtualDevice

#: Where implementations for memory of a GPU are registered, and those for any memory.
_BACKENDS = ("", "CUDA", "CPU", "CompositeExplicitAutograd", "CompositeImplicitAutograd")


def install(work: TorchWork, mode: VirtualDevice) -> None:
    """Torch leaves both modes before it calls an operator: implementations enter them again. Tensors lie in
    main memory, so that those for CUDA are registered there, in the place of those for the CPU.
    """
    original = torch.library.Library.impl
    on_gpu: set[str] = set()

    def entered(function: Callable) -> Callable:
        @functools.wraps(function)
        def call(*args, **kwargs) -> object:
            with work, mode:
                return function(*args, **kwargs)

        return call

    def impl(
        library: torch.library.Library, op_name: object, fn: Callable, dispatch_key: str = "", **options
    ) -> object:
        key = dispatch_key or library.dispatch_key
        if library.ns == "aten" or key not in _BACKENDS or options.get("with_keyset"):
            return original(library, op_name, fn, dispatch_key, **options)
        name = _qualified(library.ns, op_name)
        if key == "CPU" and name in on_gpu:
            return None
        if key == "CUDA":
            on_gpu.add(name)
            key = "CPU"
        work.containers.add(name)
        return original(library, op_name, entered(fn), key, **options)

    torch.library.Library.impl = impl


def _qualified(namespace: str, operator: str | OpOverload) -> str:
    """NAMESPACE::NAME, without the overload."""
    if isinstance(operator, OpOverload):
        return operator._schema.name
    name = operator.split("::")[-1].split(".")[0]
    return "%s::%s" % (namespace, name)
