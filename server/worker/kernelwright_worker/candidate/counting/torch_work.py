"""Counts what torch computes in an entry: on a GPU each operation is a launch of its own."""

from __future__ import annotations

import contextlib

import torch
from collections.abc import Callable, Iterable, Iterator
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry

from .host_calls import HostCalls

#: Operations that compute nothing: they hand out memory, or look at it.
_FREE = {
    torch.ops.aten.empty,
    torch.ops.aten.empty_like,
    torch.ops.aten.empty_strided,
    torch.ops.aten.new_empty,
    torch.ops.aten.new_empty_strided,
    torch.ops.aten.lift_fresh,
    torch.ops.aten._local_scalar_dense,
    torch.ops.aten.detach,
    torch.ops.aten.is_pinned,
}
_MOST_NAMES = 64


class TorchWork(TorchDispatchMode):
    """While active, operations are counted by name, with the bytes that they move and what they multiply."""

    def __init__(self) -> None:
        super().__init__()
        self._counted: dict[str, dict] = {}
        self._paused = 0
        #: What host code asks beside; told by record.
        self.host = HostCalls()
        #: Names of operators that run host code, whose operations are counted one by one.
        self.containers: set[str] = set()

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """What is done within is our own work."""
        self._paused += 1
        try:
            yield
        finally:
            self._paused -= 1

    def clear(self) -> None:
        """Begins anew."""
        self._counted.clear()
        self.host.clear()

    def told(self) -> list[dict]:
        """A record for each operation: `name`, `calls`, `bytes`, `flops`, `halfFlops`."""
        return list(self._counted.values())

    def note(self, call: Callable[..., None], *told: torch.Tensor) -> None:
        """Tells `host` of something, unless what is done is our own work."""
        if self._paused:
            return
        with self.paused():
            call(*told)

    def __torch_dispatch__(
        self, func: Callable, types: Iterable[type], args: tuple = (), kwargs: dict | None = None
    ) -> object:
        made = func(*args, **(kwargs or {}))
        is_free = func.overloadpacket in _FREE or func._schema.name in self.containers
        if func.overloadpacket is torch.ops.aten._local_scalar_dense:
            self.note(self.host.to_host, args[0])
        if not self._paused and not is_free:
            self._count(func, args, kwargs or {}, made)
        return made

    def _count(self, func: Callable, args: tuple, kwargs: dict, made: object) -> None:
        given = _tensors((args, kwargs))
        results = _tensors(made)
        known = {each.untyped_storage().data_ptr() for each in given}
        mutates = func._schema.is_mutable
        fresh = [each for each in results if each.untyped_storage().data_ptr() not in known]
        if not results or not (fresh or mutates):
            # A view, or a question.
            return
        read = {id(each): each for each in given}
        written = fresh or results
        self.host.worked()
        size = sum(map(_bytes_of, [*read.values(), *written]))
        name = str(func.overloadpacket)
        if name not in self._counted and len(self._counted) >= _MOST_NAMES:
            name = "others"
        record = self._counted.setdefault(
            name, {"name": name, "calls": 0, "bytes": 0, "flops": 0, "halfFlops": 0}
        )
        record["calls"] += 1
        record["bytes"] += size
        if func.overloadpacket in flop_registry:
            narrow = all(each.element_size() <= 2 for each in given)
            flops = int(flop_registry[func.overloadpacket](*args, **kwargs, out_val=made))
            record["halfFlops" if narrow else "flops"] += flops


def _tensors(value: object) -> list[torch.Tensor]:
    return [each for each in tree_leaves(value) if isinstance(each, torch.Tensor)]


def _bytes_of(tensor: torch.Tensor) -> int:
    """Bytes of the elements; of one that is repeated by a stride of 0 once."""
    elements = 1
    for size, stride in zip(tensor.shape, tensor.stride()):
        elements *= size if stride != 0 else 1
    return elements * tensor.element_size()
