"""Comparing outputs with the expected values."""

from __future__ import annotations

import math

import numpy

from .datatypes import EPSILON, is_float
from .pattern import pattern_of
from .special import ORDINARY
from .leeway.steadiness import excused

#: From this many input elements for each output element on, an output is taken for a reduction.
REDUCTION_FROM = 64


def effective_tolerance(
    tolerance: dict, dtype: str, expected: numpy.ndarray, about: dict
) -> tuple[float, float]:
    """(absolute, relative) for one output. A tolerance that the spec states is used as it is. One from the
    table is relative to the size of the output: its absolute part is scaled by the root mean square of the
    expected values, and is widened to four times the error of the reference's own run in the declared
    precision and, for reductions, to the error that rounding the inputs' magnitude over the number of
    added elements explains (for a mean, divided by that number). Integers are exact. `about` holds inputs (name → array), declared (the
    reference's values in the declared precision, or None), ordinary (whether there are special values),
    least (an absolute part that it has at least), rounded (values that are as far off as a result may be),
    afar (an absolute part, relative to the output's size, that it has at least, even where the spec states one),
    close (the whole tolerance, relative to the output's size, of what has to be more exact), mean (whether other
    cases have shown that the output is no sum).
    """
    if not is_float(dtype):
        return (tolerance["absolute"], tolerance["relative"]) if tolerance["stated"] else (0.0, 0.0)
    scale = root_mean_square(_ordinary(expected) if about.get("ordinary") else expected)
    afar = about.get("afar", 0.0) * scale
    if tolerance["stated"]:
        return max(tolerance["absolute"], afar), tolerance["relative"]
    if about.get("close"):
        return about["close"] * scale, about["close"]
    absolute = max(tolerance["absolute"] * scale, about.get("least", 0.0), afar)
    for values, patience in ((about["declared"], 4.0), (about.get("rounded"), 1.0)):
        # A reference that is itself unstable must not open the door: the widening is capped.
        error = patience * _largest_error(values, expected)
        absolute = max(absolute, min(error, 64.0 * tolerance["absolute"] * scale))
    elements = sum(values.size for values in about["inputs"].values())
    ratio = elements / max(1, expected.size)
    if ratio >= REDUCTION_FROM:
        magnitude = added_magnitude(about["inputs"])
        is_mean = about.get("mean", False) or (expected.size >= TELLING and scale <= 1.5 * magnitude)
        # Outputs no larger than the inputs are no sums of them all, and are rounded as one of them.
        size = max(scale, magnitude / math.sqrt(ratio)) if is_mean else math.sqrt(ratio) * magnitude
        absolute = max(absolute, 4.0 * max(EPSILON[dtype], EPSILON["float32"]) * size)
    return absolute, tolerance["relative"]


def _largest_error(values: numpy.ndarray | None, expected: numpy.ndarray) -> float:
    if values is None:
        return 0.0
    with numpy.errstate(all="ignore"):
        error = numpy.abs(values.astype("f8") - expected)
    return float(error[numpy.isfinite(error)].max(initial=0.0))


def added_magnitude(inputs: dict) -> float:
    """The root mean square of what may be added up, of all inputs the largest."""
    return max((root_mean_square(values) for values in _added(inputs)), default=0.0)


def _added(inputs: dict) -> list[numpy.ndarray]:
    """Inputs whose size may be that of what is added up: whole numbers of 32 bits and more beside floats are
    places in others as a rule, and where rows begin.
    """
    floats = [values for values in inputs.values() if values.dtype.kind == "f"]
    small = [values for values in inputs.values() if values.dtype.kind != "f" and values.dtype.itemsize < 4]
    return [*floats, *small] if floats else list(inputs.values())


#: From this many elements on, an output's root mean square tells its scale whatever cancels in one of them.
TELLING = 8


def _ordinary(values: numpy.ndarray) -> numpy.ndarray:
    """Values without the very large ones, which would drown all others; all where there are no others."""
    with numpy.errstate(all="ignore"):
        kept = values[numpy.abs(values) <= ORDINARY]
    return kept if kept.size else values


def root_mean_square(values: numpy.ndarray) -> float:
    """Of the finite ones; 0 where there are none."""
    finite = values[numpy.isfinite(values)].astype("f8") if values.size else values
    return float(numpy.sqrt(numpy.mean(finite * finite))) if finite.size else 0.0


def compare(
    name: str,
    expected: numpy.ndarray,
    actual: numpy.ndarray,
    tolerance: tuple[float, float],
    unsteady: numpy.ndarray | None = None,
) -> dict | None:
    """None when all elements agree, else the mismatch record: first wrong index, values, counts, largest
    error, and what the wrong elements have in common. `unsteady`: how far rounding moves each element, which
    is excused.
    """
    wrong, error, expected, actual = _compared(expected, actual, tolerance, unsteady)
    count = int(numpy.count_nonzero(wrong))
    if count == 0:
        return None
    first = int(numpy.argmax(wrong.reshape(-1)))
    index = [int(part) for part in numpy.unravel_index(first, expected.shape)]
    largest = error[wrong]
    return {
        "output": name,
        "index": index,
        "expected": number(expected.reshape(-1)[first]),
        "actual": number(actual.reshape(-1)[first]),
        "wrong": count,
        "total": int(expected.size),
        **pattern_of(wrong, expected, actual),
        "maxAbsoluteError": number(largest.max() if not numpy.isnan(largest).any() else math.nan),
    }


#: Of outputs with something wrong in the first elements, the others need no look.
_FIRST = 1024


def differs(
    name: str,
    expected: numpy.ndarray,
    actual: numpy.ndarray,
    tolerance: tuple[float, float],
    unsteady: numpy.ndarray | None = None,
) -> bool:
    """Whether `compare` has a mismatch to tell."""
    if unsteady is None and numpy.ndim(tolerance[0]) == 0 and expected.size > 2 * _FIRST:
        first = (values.reshape(-1)[:_FIRST] for values in (expected, actual))
        if _compared(*first, tolerance, None)[0].any():
            return True
    return bool(_compared(expected, actual, tolerance, unsteady)[0].any())


def _compared(
    expected: numpy.ndarray,
    actual: numpy.ndarray,
    tolerance: tuple[float, float],
    unsteady: numpy.ndarray | None,
) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """(which elements are wrong, the error of each, and both as they were compared)"""
    absolute, relative = tolerance
    are_whole = expected.dtype.kind in "iub" and actual.dtype.kind in "iub"
    if are_whole and numpy.ndim(absolute) == 0 and absolute == 0 and relative == 0:
        wrong = expected != actual
        error = numpy.abs(expected.astype("f8") - actual.astype("f8"))
    else:
        expected, actual = expected.astype("f8"), actual.astype("f8")
        with numpy.errstate(all="ignore"):
            error = numpy.abs(actual - expected)
            wrong = ~(error <= absolute + relative * numpy.abs(expected))
        if not numpy.isfinite(expected).all():
            same_infinity = numpy.isinf(expected) & (expected == actual)
            wrong &= ~(same_infinity | (numpy.isnan(expected) & numpy.isnan(actual)))
            # An infinite expected value makes the allowance infinite: only the same infinity is right then.
            wrong |= numpy.isinf(expected) & ~same_infinity
    if unsteady is not None:
        wrong &= ~excused(wrong, error, unsteady)
    return wrong, error, expected, actual


def number(value: float) -> float | str:
    """A JSON number, or the name of a value that JSON lacks."""
    if isinstance(value, (numpy.integer, numpy.bool_)):
        return int(value)
    value = float(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
