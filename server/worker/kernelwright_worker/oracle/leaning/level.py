"""Inputs with ties that ordinary values do not have: exact halves beside a largest number that makes a step
of one, and zeros of both signs that are the largest or the smallest of all. They show how halves are rounded,
and what takes the bits of both zeros for an order, which the numbers have not.
"""

from __future__ import annotations

import numpy

LEVEL = ("halves", "not-above-zero", "not-below-zero")

#: The largest number of each row: a scale to eight bits with a sign is then exact.
_LARGEST = 127

#: Where the others end. From there to the largest it is no range whose 255th parts meet many halves.
_END = 120


#: How many of the zeros that are the largest or the smallest have the sign that their bits are ahead by.
_AHEAD = 1 / 8


def level(generator: numpy.random.Generator, shape: list[int], variant: str) -> numpy.ndarray:
    """`halves`: multiples of a half; of the others every second number is a zero, and the rest lies on one
    side of zero. By its bits neither the first zero of a row nor its last is the largest, or the smallest.
    """
    if variant == "halves":
        return _halves(generator, shape)
    side = -1.0 if variant == "not-above-zero" else 1.0
    is_ahead = generator.random(shape) < _AHEAD
    zeros = numpy.copysign(0.0, numpy.where(is_ahead, -side, side))
    others = side * numpy.abs(generator.standard_normal(shape))
    is_zero = generator.random(shape) < 0.5
    return numpy.where(is_zero & ~_at_ends(is_zero), zeros, numpy.where(is_zero, side * 0.0, others))


def _at_ends(chosen: numpy.ndarray) -> numpy.ndarray:
    """The first and the last of those that are chosen in each row."""
    rows = chosen.reshape(-1, max(1, chosen.shape[-1]) if chosen.ndim else 1)
    before = numpy.cumsum(rows, axis=1)
    ends = (before == 1) | (before == before[:, -1:])
    return (ends & rows).reshape(chosen.shape)


def _halves(generator: numpy.random.Generator, shape: list[int]) -> numpy.ndarray:
    values = generator.integers(-2 * _END, 2 * _END + 1, shape) / 2
    if values.size == 0:
        return values
    rows = values.reshape(-1, values.shape[-1] if values.ndim else 1)
    rows[numpy.arange(rows.shape[0]), generator.integers(rows.shape[1], size=rows.shape[0])] = _LARGEST
    return rows.reshape(values.shape)
