"""What `triton.backends.driver` has of tensor descriptors since Triton 3.8, for versions from 3.4 on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from triton.tools.tensor_descriptor import TensorDescriptor

#: Those of a descriptor's truth values that this version has: Triton 3.5 brought the first, 3.7 the second.
_FLAGS = {
    name: flag
    for name, flag in {
        "padding": lambda descriptor: descriptor.padding == "nan",
        "round_f32_to_tf32": lambda descriptor: descriptor.round_f32_to_tf32,
    }.items()
    if name in TensorDescriptor.__dataclass_fields__
}
_DESCRIPTOR = re.compile(r"tensordesc<([^[>]*)\[([^\]]*)\]")


def decompose_descriptor(descriptor: Any) -> list:
    """A descriptor of the host as its kernel takes it without the hardware's own form: base, shape, strides and
    flags, then shape and strides once more.
    """
    measures = [*descriptor.shape, *descriptor.strides]
    return [descriptor.base, *measures, *(flag(descriptor) for flag in _FLAGS.values()), *measures]


def expand_signature(signature: Iterable, described: Any, hardware_kind: str) -> list:
    """The types of a kernel's parameters with those that stand for each descriptor."""
    kinds: list = []
    for kind in signature:
        kinds += _parts(kind, bool(described), hardware_kind) if _is_descriptor(kind) else [kind]
    return kinds


def wrap_handle_tensordesc_impl(
    launch: Callable, signature: dict, described: Any, take: Callable
) -> Callable:
    """`launch` for arguments of which the descriptors are taken apart by `take` first."""
    kinds = list(signature.values())
    wanted = [position for position, kind in enumerate(kinds) if _is_descriptor(kind)]
    if not wanted:
        return launch
    facts = dict(zip(wanted, described or [None] * len(wanted)))

    def taken_apart(*given: Any) -> Any:
        values: list = []
        for position, value in enumerate(given[-1]):
            values += take(value, facts[position], None) if position in facts else [value]
        return launch(*given[:-1], values)

    return taken_apart


def _is_descriptor(kind: object) -> bool:
    return isinstance(kind, str) and kind.startswith("tensordesc")


def _parts(kind: str, in_hardware: bool, hardware_kind: str) -> list[str]:
    match = _DESCRIPTOR.match(kind)
    assert match is not None, "Triton wrote a descriptor's type as %r" % kind
    element, extents = match.groups()
    rank = extents.count(",") + 1
    head = [hardware_kind] if in_hardware else ["*" + element, *["i64"] * (2 * rank), *["i1"] * len(_FLAGS)]
    return [*head, *["i32"] * rank, *["i64"] * rank]
