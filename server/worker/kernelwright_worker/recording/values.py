"""Arguments of calls as pieces of a Python expression, and the tensors that these name."""

from __future__ import annotations

import dataclasses
import math

import torch

_DTYPES = {
    getattr(torch, name): name
    for name in (
        *("float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8"),
        *("uint64", "uint32", "uint16", "uint8", "bool"),
    )
    if hasattr(torch, name)
}
#: Bytes of a tensor that is recorded.
MOST_BYTES = 1 << 27


class NotRecordable(Exception):
    """The value has no text that makes it again."""


@dataclasses.dataclass
class Recorded:
    """A tensor of a call: its content as one row-major block, and how the call sees that."""

    name: str
    dtype: str
    shape: list[int]
    #: The live tensor over the same memory.
    live: torch.Tensor
    #: The content when the call began; None where it is not recorded.
    before: bytes | None = None

    def now(self) -> bytes:
        """The content at present."""
        return content_of(self.live)


class Arguments:
    """Gathers the tensors and whole numbers of one call while its expression is made."""

    def __init__(self) -> None:
        self.tensors: list[Recorded] = []
        self.numbers: dict[str, int] = {}
        #: Tensors that stand for all of their memory, by its address and their type.
        self._whole: dict[tuple[int, torch.dtype], str] = {}

    def take(self) -> None:
        """Records the contents as they are now."""
        for each in self.tensors:
            each.before = each.now()

    def text(self, name: str, value: object) -> str:
        """The expression of a value that is called `name`. Raises NotRecordable."""
        if isinstance(value, torch.Tensor):
            return self._tensor(name, value)
        if value is None or isinstance(value, str):
            return repr(value)
        if isinstance(value, bool):
            return "bool(%s)" % self.text(name, int(value))
        if isinstance(value, int):
            # True and False are 1 and 0, so that calls that differ in them are cases of one workload.
            if value < 0 or value > 2**53:
                return repr(value)
            free = self.free_name(name)
            self.numbers[free] = value
            return free
        if isinstance(value, float):
            return repr(value) if math.isfinite(value) else "float('%r')" % value
        if isinstance(value, torch.dtype):
            return str(value)
        if isinstance(value, torch.device):
            return "'cuda'"
        if type(value) in (tuple, list, torch.Size):
            parts = [self.text("%s_%d" % (name, index), each) for index, each in enumerate(value)]
            inner = ", ".join(parts) + ("," if len(parts) == 1 and type(value) is not list else "")
            return "[%s]" % inner if type(value) is list else "(%s)" % inner
        raise NotRecordable("%s is a %s" % (name, type(value).__name__))

    def _tensor(self, name: str, value: torch.Tensor) -> str:
        if value.dtype not in _DTYPES or value.layout is not torch.strided or value.numel() == 0:
            raise NotRecordable("%s is a tensor that a spec cannot hold" % name)
        _check_size(name, value)
        order = sorted(range(value.dim()), key=lambda axis: (-value.stride(axis), axis))
        with torch._C.DisableTorchFunction(), torch.no_grad():
            dense = value.detach().permute(order)
            if not dense.is_contiguous():
                return self._part(name, value)
        free = self.free_name(name)
        self.tensors.append(Recorded(free, _DTYPES[value.dtype], list(dense.shape), dense))
        back = [order.index(axis) for axis in range(value.dim())]
        return free if back == sorted(back) else "%s.permute(%s)" % (free, ", ".join(map(str, back)))

    def _part(self, name: str, value: torch.Tensor) -> str:
        """The expression of a tensor that is part of a larger one, or repeats elements: all of its memory is
        recorded, once for all that are parts of it.
        """
        key = (value.untyped_storage().data_ptr(), value.dtype)
        if key not in self._whole:
            whole = _whole_of(value)
            _check_size(name, whole)
            free = self.free_name(name)
            self.tensors.append(Recorded(free, _DTYPES[value.dtype], list(whole.shape), whole))
            self._whole[key] = free
        extents, strides = tuple(value.shape), tuple(value.stride())
        texts = (
            self.text("%s_shape" % name, extents),
            self.text("%s_stride" % name, strides),
            self.text("%s_start" % name, value.storage_offset()),
        )
        return "%s.as_strided(%s)" % (self._whole[key], ", ".join(texts))

    def free_name(self, name: str) -> str:
        """The name, with a number where the call has it already."""
        taken = {*self.numbers, *(each.name for each in self.tensors)}
        free, number = name, 2
        while free in taken:
            free, number = "%s_%d" % (name, number), number + 1
        return free


def _check_size(name: str, value: torch.Tensor) -> None:
    if value.numel() * value.element_size() > MOST_BYTES:
        raise NotRecordable("%s is larger than what is recorded" % name)


def _whole_of(value: torch.Tensor) -> torch.Tensor:
    """The tensor that a view was taken of, where its elements lie in their order and fill the memory; else the memory
    as one row.
    """
    elements = value.untyped_storage().nbytes() // value.element_size()
    base = value._base
    with torch._C.DisableTorchFunction(), torch.no_grad():
        if (
            base is not None
            and base.dtype is value.dtype
            and base.is_contiguous()
            and base.numel() == elements
        ):
            return base.detach()
        return value.detach().as_strided((elements,), (1,), 0)


def dtype_name(tensor: torch.Tensor) -> str | None:
    """The spec's word for the type of a tensor's elements; None where it has none."""
    return _DTYPES.get(tensor.dtype)


def content_of(tensor: torch.Tensor) -> bytes:
    """The elements of a tensor in row-major order."""
    with torch._C.DisableTorchFunction(), torch.no_grad():
        plain = tensor.detach().cpu().contiguous().reshape(-1)
        return bytes(plain.view(torch.uint8).numpy().tobytes()) if plain.numel() else b""


def values_in(content: bytes, dtype: str) -> dict:
    """How values like those of a tensor are drawn: {`kind`}, of whole numbers with `low` and `high`. `other` is what
    no draw gives again.
    """
    if dtype == "bool":
        return {"kind": "zero-one"}
    values = torch.frombuffer(bytearray(content), dtype=getattr(torch, dtype))
    if not values.dtype.is_floating_point:
        return _whole_values(values.to(torch.int64))
    low, high = float(values.min()), float(values.max())
    if not (math.isfinite(low) and math.isfinite(high)):
        return {"kind": "other"}
    if low < 0 or low == high:
        return {"kind": "normal"}
    return {"kind": "uniform" if high <= 1 else "positive"}


def _whole_values(values: torch.Tensor) -> dict:
    """Of whole numbers: each once, any of a range, or such as have an order or a sign that means something."""
    low, high, count = int(values.min()), int(values.max()), values.numel()
    is_distinct = count > 2 and values.unique().numel() == count
    if is_distinct and low >= 0 and high - low + 1 == count:
        return {"kind": "permutation", "low": low, "high": high}
    is_ascending = count > 2 and bool((values[1:] >= values[:-1]).all())
    # Places that never meet, and rows that end before others begin, must stay so; -1 is what is absent.
    if low < -1 or (low >= 0 and is_distinct) or (is_ascending and low < high):
        return {"kind": "other"}
    return {"kind": "range", "low": low, "high": high}
