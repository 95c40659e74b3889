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
    side of zero. By its bits the first of the zeros is seldom the largest, or the smallest.
    """
    if variant == "halves":
        return _halves(generator, shape)
    side = -1.0 if variant == "not-above-zero" else 1.0
    is_ahead = generator.random(shape) < _AHEAD
    zeros = numpy.copysign(0.0, numpy.where(is_ahead, -side, side))
    others = side * numpy.abs(generator.standard_normal(shape))
    return numpy.where(generator.random(shape) < 0.5, zeros, others)


def _halves(generator: numpy.random.Generator, shape: list[int]) -> numpy.ndarray:
    values = generator.integers(-2 * _END, 2 * _END + 1, shape) / 2
    if values.size == 0:
        return values
    rows = values.reshape(-1, values.shape[-1] if values.ndim else 1)
    rows[numpy.arange(rows.shape[0]), generator.integers(rows.shape[1], size=rows.shape[0])] = _LARGEST
    return rows.reshape(values.shape)
