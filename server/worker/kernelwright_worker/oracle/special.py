"""Special values among ordinary ones: NaN, infinities, denormal numbers and signed zeros, very large numbers.
What is right for them is what the reference makes of them; where the reference itself depends on its
precision there, every value is right.
"""

from __future__ import annotations

import math

import numpy

SPECIAL = ("nan", "infinite", "tiny", "largest", "vast", "faint")

#: Largest number, smallest normal number and smallest number of each floating type.
_LIMITS = {
    "float64": (float(numpy.finfo("f8").max), 2.0**-1022, 2.0**-1074),
    "float32": (float(numpy.finfo("f4").max), 2.0**-126, 2.0**-149),
    "float16": (65504.0, 2.0**-14, 2.0**-24),
    "bfloat16": (2.0**127 * (2 - 2.0**-7), 2.0**-126, 2.0**-133),
}

#: Beyond this size a value says nothing of the scale of ordinary results.
ORDINARY = 1e6

#: One special value for every so many elements, up to so many; and one for every second row.
_EVERY, _MOST = 64, 64


def sprinkled(
    generator: numpy.random.Generator, values: numpy.ndarray, dtype: str, variant: str
) -> numpy.ndarray:
    """The values, some of which are special ones; rows without any are left. A row gets a second one only
    when all have one, and all special values are used in turn: each is seen alone.
    """
    if values.size == 0:
        return values
    if variant == "faint":
        # All of them, so that quotients stay ordinary numbers; the reciprocals are infinite.
        return values if dtype == "float16" else values * (_LIMITS[dtype][1] * 2.0**-5)
    width = max(1, values.shape[-1] if values.ndim else 1)
    rows = values.size // width
    count = min(values.size, max(1, (rows + 1) // 2, min(values.size // _EVERY, _MOST)))
    flat = values.astype("f8").reshape(-1)
    places = numpy.resize(generator.permutation(rows), count) * width + generator.integers(0, width, count)
    flat[places] = numpy.resize(generator.permutation(_values(generator, dtype, variant)), count)
    return flat.reshape(values.shape)


def _values(generator: numpy.random.Generator, dtype: str, variant: str) -> list[float]:
    largest, normal, smallest = _LIMITS[dtype]
    if variant == "nan":
        return [math.nan]
    if variant == "infinite":
        return [math.inf, -math.inf]
    if variant == "tiny":
        return [0.0, -0.0, smallest, -smallest, normal - smallest, normal]
    # One sign for all, so that sums do not depend on their order; and room for a factor such as log2(e).
    # Powers of two: their product with a factor is exact, and a fused product minus its maximum is then zero.
    sign = float(generator.choice([-1.0, 1.0]))
    if variant == "vast":
        # Above 2^126 of single precision, whose reciprocal a fast division takes for zero.
        return [sign * 2.0 ** (math.floor(math.log2(largest)) - 1) * 1.25]
    most = 2.0 ** math.floor(math.log2(largest / 64))
    return [sign * most, sign * most / 2]


def settled(
    variant: str, expected: numpy.ndarray, declared: numpy.ndarray | None, actual: numpy.ndarray
) -> numpy.ndarray:
    """The actual values, with the expected ones in the places where others are as right. The reference gives
    `declared` in the declared precision (or it is None). Where it has a number in one precision and none in
    the other, every value is right. What is no number may take any way through comparisons; and an infinite
    result may come out as none, as by a sum that carries its rounding error. A number has to be that one.
    A kernel that is its own reference (`declared` is None) gets no number where it multiplies an infinite one
    by zero, as under a mask: a version that leaves that product out is as right.
    """
    if expected.dtype.kind != "f":
        return actual
    other = numpy.zeros(expected.shape, bool)
    if declared is not None:
        lower = declared.astype("f8").reshape(expected.shape)
        other = numpy.isfinite(expected) != numpy.isfinite(lower)
    if variant == "nan" or declared is None:
        other |= numpy.isnan(expected)
    if variant == "largest":
        # Sums of such numbers may cancel: their error is one of the terms, not of what is left.
        with numpy.errstate(all="ignore"):
            size = numpy.abs(expected)
            most = size.max(initial=0.0, where=numpy.isfinite(size))
            other |= (size > ORDINARY) & (numpy.abs(actual.astype("f8") - expected) <= most * 2.0**-21)
    return without_numbers(expected, numpy.where(other, expected, actual))


def without_numbers(
    expected: numpy.ndarray, actual: numpy.ndarray, may_be_any: bool = False
) -> numpy.ndarray:
    """The actual values, with the expected ones where neither is a number. Of a kernel that is its own reference the
    order of its divisions by zero decides between NaN and an infinity of either sign. `may_be_any`: where it makes NaN of
    numbers, as of the mean of an empty row, it says nothing of what is right, as long as it gives
    numbers for half of the elements.
    """
    if expected.dtype.kind != "f" or numpy.isfinite(expected).all():
        return actual
    none = numpy.isnan(expected)
    says_nothing = ~numpy.isfinite(actual.astype("f8")) & ~numpy.isfinite(expected)
    if may_be_any and 2 * numpy.count_nonzero(none) <= none.size:
        says_nothing |= none
    return numpy.where(says_nothing, expected, actual)


def in_range(expected: numpy.ndarray, dtype: str) -> numpy.ndarray:
    """Values as their type can hold them: what is beyond its largest number is infinite."""
    largest, _, _ = _LIMITS[dtype]
    with numpy.errstate(all="ignore"):
        beyond = numpy.abs(expected) > largest * (1 + 2.0**-9)
        return numpy.where(beyond, numpy.copysign(math.inf, expected), expected)
