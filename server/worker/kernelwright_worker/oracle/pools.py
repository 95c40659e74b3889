"""Contents of timed calls: elements that a secret seed draws from a pool of values, so that each call has new ones
and none crosses a process. `runtime/entry/contents.hpp` and `timed/contents.py` draw the same of the same seed.
"""

from __future__ import annotations

import numpy

from .datatypes import decode, encode, is_float, item_size
from .inputs import Wanted, make

#: Elements of a pool, a power of two.
POOL = 1 << 16

#: How many of an element's lowest bits a seed may clear, by its type: a value is then seldom that of an
#: earlier call, and none leaves the interval between two powers of two that it lies in.
FRESH_BITS = {"float64": 16, "float32": 8, "float16": 2, "bfloat16": 1}

_CONTINUOUS = ("normal", "uniform", "positive")


def is_drawn_one_by_one(distribution: str | dict) -> bool:
    """Whether no element depends on another."""
    if isinstance(distribution, dict):
        kind = distribution["kind"]
        return kind in ("constant", "skewed", "letters") or (
            kind == "range" and not distribution.get("sorted")
        )
    return distribution not in ("permutation", "sorted")


class Pools:
    """What the inputs of one shape are drawn from."""

    def __init__(self, params: dict, specification: dict[str, dict]) -> None:
        self.asked = {name: params[name] for name in ("sizes", "shapes", "distributions")}
        self._dtypes = {name: tensor["dtype"] for name, tensor in specification.items()}
        self.contents: dict[str, bytes] = {}
        self.masks: dict[str, int] = {}
        for name, dtype in self._dtypes.items():
            distribution = params["distributions"][name]
            values = make(Wanted(dtype, [POOL], "declared"), distribution)
            self.contents[name] = encode(values, dtype)
            is_fresh = is_float(dtype) and distribution in _CONTINUOUS
            self.masks[name] = (1 << FRESH_BITS[dtype]) - 1 if is_fresh else 0

    def values(self, seeds: dict[str, list[int]]) -> dict[str, numpy.ndarray]:
        """The inputs of a call, by the lower and the upper 32 bits of each one's seed."""
        values = {}
        for name, dtype in self._dtypes.items():
            shape = self.asked["shapes"][name]
            count = int(numpy.prod(shape, dtype="i8"))
            content = drawn(self.contents[name], item_size(dtype), count, (*seeds[name], self.masks[name]))
            values[name] = decode(content, dtype, shape)
        return values


def drawn(pool: bytes, width: int, count: int, by: tuple[int, int, int]) -> bytes:
    """So many elements of `width` bytes each. `by`: the lower and the upper 32 bits of a seed, and which of the
    lowest bits of an element it clears.
    """
    low, high, mask = by
    numbers = numpy.arange(count, dtype="<u4") + numpy.uint32(low)
    chosen = _mixed(_mixed(numbers) ^ numpy.uint32(high))
    elements = numpy.frombuffer(pool, "<u%d" % width)
    fresh = ((chosen >> 16) & numpy.uint32(mask)).astype(elements.dtype)
    return (elements[chosen & numpy.uint32(elements.size - 1)] & ~fresh).tobytes()


def _mixed(values: numpy.ndarray) -> numpy.ndarray:
    values = values ^ (values >> 16)
    values = values * numpy.uint32(0x21F0AAAD)
    values = values ^ (values >> 15)
    values = values * numpy.uint32(0x735A2D97)
    return values ^ (values >> 15)
