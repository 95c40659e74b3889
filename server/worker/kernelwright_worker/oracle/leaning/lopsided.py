"""Inputs that lean to one side: all below zero, near an end of their range, at its ends, close beside what is
rounded either way, or nearly all alike. Random values of many signs and sizes hide what is wrong for them: a
maximum that starts at zero or compares bits, a recurrence that forgets, a counter that is full after 255
equal values, a list of candidates that those before the largest fill, a sum of products that has room
for all but the largest, a number that is rounded twice.
"""

from __future__ import annotations

import numpy

LOPSIDED = (
    *("one-sided", "alike", "mostly-zero", "ends", "beside-halves", "long-row"),
    *("least", "greatest", "strided", "crowded"),
)

#: Multiples of a power of two: about so many different numbers.
_STRIDES = 256

#: How much of a range counts as its end: 64 factors of that size still leave a third of what they scale.
_END = 1 / 64

#: How far from a multiple of a half, as a share of it: nothing is left of it in single precision.
_BESIDE = 2.0**-40

#: Values of a row that are no zeros, at most.
_FEW = 5

#: How many of the values are alike; the others keep a variance above zero.
_ALIKE = 15 / 16


def leaning(
    generator: numpy.random.Generator, values: numpy.ndarray, variant: str, distribution: str | dict
) -> numpy.ndarray:
    """The values of a distribution that promises nothing of single ones, made `one-sided` or, if whole,
    `alike`, the `least` or the `greatest` throughout, or `strided`, if not `mostly-zero` or `crowded`, of a range of whole numbers its `ends`, of doubles numbers `beside-halves`; what ascends
    and what is one number stays, and all other variants leave all values. Of the rows
    that offsets bound the first and the last ones become empty, or one a `long-row`.
    """
    if isinstance(distribution, dict) and distribution["kind"] == "offsets":
        return _other_rows(generator, values, variant)
    is_range = isinstance(distribution, dict) and distribution["kind"] == "range"
    is_open = distribution in ("normal", "uniform", "integers") or (
        is_range and not distribution.get("sorted")
    )
    if variant not in LOPSIDED or variant == "long-row" or not is_open or values.size == 0:
        return values
    if variant == "alike":
        # The sum of one float again and again is rounded to the same side each time.
        return _alike(generator, values) if values.dtype.kind == "i" else values
    if variant in ("least", "greatest", "strided"):
        return _of_bounds(values, distribution, variant) if values.dtype.kind == "i" else values
    if variant == "crowded":
        return _crowded(generator, values) if values.dtype.kind == "f" else values
    if variant == "mostly-zero":
        return _mostly_zero(generator, values) if values.dtype.kind == "f" and not is_range else values
    if variant == "ends":
        return _ends(generator, values, distribution) if is_range and values.dtype.kind == "i" else values
    if variant == "beside-halves":
        return _beside_halves(generator, values) if values.dtype.kind == "f" else values
    if is_range:
        return _near_end(values, distribution)
    # Types without a sign have no values below zero.
    return values if (values >= 0).all() else -numpy.abs(values)


def _other_rows(generator: numpy.random.Generator, offsets: numpy.ndarray, variant: str) -> numpy.ndarray:
    if variant == "alike":
        return _empty_at_ends(offsets)
    return _with_long_row(generator, offsets) if variant == "long-row" else offsets


def _with_long_row(generator: numpy.random.Generator, offsets: numpy.ndarray) -> numpy.ndarray:
    """Offsets of which one row, at a secret place, has about half of all elements, and the others half as many as
    before.
    """
    flat = offsets.reshape(-1)
    if flat.size < 3:
        return offsets
    long = int(generator.integers(flat.size - 1))
    halves = flat // 2
    added = numpy.where(numpy.arange(flat.size) > long, flat[-1] - halves[-1], 0)
    return (halves + added).reshape(offsets.shape)


def _empty_at_ends(offsets: numpy.ndarray) -> numpy.ndarray:
    """Offsets of which an eighth at each end bounds empty rows: the last ones begin behind all values."""
    flat = offsets.reshape(-1).copy()
    rows = max(1, flat.size // 8)
    if flat.size > 2 * rows + 2:
        flat[1 : 1 + rows] = flat[0]
        flat[-1 - rows : -1] = flat[-1]
    return flat.reshape(offsets.shape)


def _alike(generator: numpy.random.Generator, values: numpy.ndarray) -> numpy.ndarray:
    chosen = values.reshape(-1)[generator.integers(values.size)]
    return numpy.where(generator.random(values.shape) < _ALIKE, chosen, values)


def stride_of(span: int) -> int:
    """The power of two that has about `_STRIDES` multiples in a range of so many numbers."""
    return 2 ** max(0, (span // _STRIDES).bit_length() - 1)


def _of_bounds(values: numpy.ndarray, distribution: str | dict, variant: str) -> numpy.ndarray:
    """All the least or the greatest number of a range, or the greatest drawn one where there is no range; or multiples
    of a power of two, of which a table by low bits has all in a few places.
    """
    bounds = distribution if isinstance(distribution, dict) else {"low": values.min(), "high": values.max()}
    low, high = int(bounds["low"]), int(bounds["high"])
    if variant != "strided":
        return numpy.full_like(values, low if variant == "least" else high)
    step = stride_of(high - low)
    multiples = (values + step // 2) // step * step
    return numpy.where((low <= multiples) & (multiples <= high), multiples, values)


def _crowded(generator: numpy.random.Generator, values: numpy.ndarray) -> numpy.ndarray:
    """Nearly all of each half of a row one number: the largest or the smallest of all, whichever comes first."""
    rows = values.reshape(-1, values.shape[-1] if values.ndim else 1)
    ends = generator.permutation([values.min(), values.max()])
    crowd = numpy.where(numpy.arange(rows.shape[1]) < rows.shape[1] // 2, ends[0], ends[1])
    return numpy.where(generator.random(rows.shape) < _ALIKE, crowd, rows).reshape(values.shape)


def _mostly_zero(generator: numpy.random.Generator, values: numpy.ndarray) -> numpy.ndarray:
    """Zeros, but for a few values at secret places in the last quarter of each row."""
    rows = values.reshape(-1, values.shape[-1] if values.ndim else 1)
    kept = numpy.zeros(rows.shape, bool)
    last = max(1, rows.shape[1] // 4)
    for row in kept:
        row[rows.shape[1] - 1 - generator.integers(last, size=_FEW)] = True
    return numpy.where(kept, rows, 0.0).reshape(values.shape)


def _ends(generator: numpy.random.Generator, values: numpy.ndarray, bounds: dict) -> numpy.ndarray:
    """The least and the largest number, so that neighbours are often the same end."""
    return numpy.where(generator.random(values.shape) < 0.5, bounds["low"], bounds["high"]).astype("i8")


def _beside_halves(generator: numpy.random.Generator, values: numpy.ndarray) -> numpy.ndarray:
    """Each value towards zero to a multiple of a half, and from there a step to one side that only double
    precision holds; what is less than a half stays.
    """
    halves = numpy.trunc(values * 2) / 2
    side = numpy.where(generator.random(values.shape) < 0.5, -_BESIDE, _BESIDE)
    # Not beyond the value itself, which may be an end of its range.
    moved = numpy.where(numpy.abs(halves * (1 + side)) <= numpy.abs(values), halves * (1 + side), halves)
    return numpy.where(halves == 0, values, moved)


def _near_end(values: numpy.ndarray, bounds: dict) -> numpy.ndarray:
    """All near the bound that is further from zero: values at both ends would cancel in sums, of which little
    more than the rounding of their terms is left.
    """
    low, high = bounds["low"], bounds["high"]
    inside = (values - low) * _END
    if values.dtype.kind == "i":
        inside = numpy.floor(inside).astype("i8")
    return high - inside if abs(high) >= abs(low) else low + inside
