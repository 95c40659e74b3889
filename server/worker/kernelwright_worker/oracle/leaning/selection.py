"""Outputs that select: a maximum, a median, a gather, a copy, zeros in place of what a mask leaves out.
Each of their numbers is one of an input, perhaps without its sign, and no order of operations changes a bit.
They are found with the reference alone, on inputs that have few values: what sums or scales meets none.
"""

from __future__ import annotations

import numpy

from ..datatypes import EPSILON, decode, encode, is_float

#: How many different values an input has for it.
_VALUES = 16

#: How many elements of an input with few values have all of them.
_ALL_OF_FEW = 4096

#: How many numbers of an output are looked for.
_LOOKED_AT = 16

#: What is selected by products with ones and zeros may be rounded in the precision of the products.
_ROUNDED = {"float32": 4 * EPSILON["float32"], "float64": 4 * EPSILON["float64"]}

#: Smallest normal numbers: what is below them may be taken for zero.
_NORMAL = {"float64": 2.0**-1022, "float32": 2.0**-126, "float16": 2.0**-14, "bfloat16": 2.0**-126}


def has_few(dtype: str, distribution: str | dict) -> bool:
    """Whether an input gets few values: a floating one that says nothing of them but their range."""
    if not is_float(dtype):
        return False
    if isinstance(distribution, dict):
        return distribution["kind"] == "range" and not distribution.get("sorted")
    return distribution in ("normal", "uniform", "positive")


def few(generator: numpy.random.Generator, values: numpy.ndarray) -> numpy.ndarray:
    """The values, each one replaced by one of the first of them."""
    palette = values.reshape(-1)[:_VALUES]
    return generator.choice(palette, values.shape) if palette.size else values


def is_selection(expected: numpy.ndarray, dtype: str, inputs: list[numpy.ndarray]) -> bool:
    """Whether each number of an output is one of these inputs, which have few values, or zero, and not all
    are zero; what is no number or infinite says nothing.
    """
    found = _telling(expected)
    if found.size == 0 or not inputs:
        return False
    # What the output's type rounds was no choice between numbers of that type.
    if not numpy.array_equal(decode(encode(found, dtype), dtype, list(found.shape)), found):
        return False
    palette = numpy.unique(numpy.abs(numpy.concatenate([each.reshape(-1)[:_ALL_OF_FEW] for each in inputs])))
    return bool(numpy.isin(numpy.abs(found), palette).all())


def are_selected(expected: numpy.ndarray, inputs: list[numpy.ndarray]) -> bool:
    """Whether some numbers of an output are among those of inputs, as far as they are not zero. Where an
    even number of elements has its median between two, it is none of them.
    """
    found = numpy.unique(numpy.abs(_telling(expected)[:_LOOKED_AT]))
    missing = found
    for each in inputs:
        values = numpy.abs(each.reshape(-1))
        # A few numbers are looked for one by one, without sorting the input.
        missing = numpy.setdiff1d(missing, values[numpy.isin(values, missing)])
    return found.size > 0 and missing.size == 0


def _telling(expected: numpy.ndarray) -> numpy.ndarray:
    return expected[numpy.isfinite(expected) & (expected != 0)]


def selected_tolerance(dtype: str) -> tuple[float, float]:
    """(absolute, relative) for an output that selects."""
    return _NORMAL[dtype], _ROUNDED.get(dtype, 0.0)
