"""Distributions with figures: values between bounds, skewed, sorted, permuted, offsets of rows, constants, letters. Each gives
float64 or int64 values.
"""

from __future__ import annotations

import numpy


def is_recorded(distribution: str | dict) -> bool:
    """True for contents that a program handed to the kernel."""
    return isinstance(distribution, dict) and distribution["kind"] == "recorded"


def is_offsets(distribution: str | dict) -> bool:
    """True for numbers that say where rows begin and end: they never decrease."""
    return isinstance(distribution, dict) and distribution["kind"] == "offsets"


def draw(
    generator: numpy.random.Generator, distribution: dict, shape: list[int], whole: bool
) -> numpy.ndarray:
    """Values of a distribution that is an object; `whole` for integer types."""
    kind = distribution["kind"]
    if kind == "constant":
        return numpy.full(shape, distribution["value"], "i8" if whole else "f8")
    if kind == "offsets":
        return _offsets(generator, shape, int(distribution["total"]))
    if kind == "permutation":
        return permutation(generator, shape) + int(distribution["first"])
    if kind == "letters":
        codes = numpy.frombuffer(distribution["letters"].encode("ascii"), "u1").astype("i8")
        return codes[generator.integers(0, codes.size, shape)]
    low, high = distribution["low"], distribution["high"]
    if kind == "skewed":
        return _skewed(generator, shape, (int(low), int(high)), distribution["exponent"])
    values = (
        generator.integers(int(low), int(high) + 1, shape) if whole else generator.uniform(low, high, shape)
    )
    return numpy.sort(values, axis=None).reshape(shape) if distribution.get("sorted") else values


def permutation(generator: numpy.random.Generator, shape: list[int]) -> numpy.ndarray:
    """Each number from 0 to below the number of elements once."""
    return generator.permutation(int(numpy.prod(shape, dtype="i8"))).reshape(shape)


def _offsets(generator: numpy.random.Generator, shape: list[int], total: int) -> numpy.ndarray:
    """Row offsets: 0 first, `total` last, never decreasing."""
    count = int(numpy.prod(shape, dtype="i8"))
    if count == 0:
        return numpy.zeros(shape, "i8")
    inner = numpy.sort(generator.integers(0, total + 1, max(0, count - 2)))
    ends = numpy.array([total] if count > 1 else [], "i8")
    return numpy.concatenate([numpy.zeros(1, "i8"), inner, ends]).reshape(shape)


def _skewed(
    generator: numpy.random.Generator, shape: list[int], bounds: tuple[int, int], exponent: float
) -> numpy.ndarray:
    """Whole numbers from low to high; the n-th is as frequent as n to the power of -exponent (Zipf)."""
    low, high = bounds
    ranks = numpy.arange(1, high - low + 2, dtype="f8")
    shares = ranks**-exponent
    return generator.choice(ranks.size, size=shape, p=shares / shares.sum()) + low
