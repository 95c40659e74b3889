"""Values that rounding decides. Where the last bits of an input turn a result into another one (a comparison
that just holds, a rounding to whole numbers, an equation that is badly conditioned), no kernel can be held to
one of the two: Higham, Accuracy and Stability of Numerical Algorithms, section 1.6, calls such a result
ill-conditioned. Which elements these are is found with the reference alone; no candidate has a part in it.
"""

from __future__ import annotations

import numpy

from ..datatypes import EPSILON

#: How far inputs are moved, in distances from 1 to the next number of their type, relative to their size.
MOVED = 4.0
#: A result may be this many times as far off as inputs that were moved so have moved it.
PATIENCE = 4.0
#: One element in so many may be excused. Where rounding decides more, it is no matter of rounding.
ONE_IN = 50
#: A baseline that is itself unstable must not open the door: the absolute tolerance grows so many times
#: at most.
MOST_GROWTH = 64.0
#: Values of fewer bits are no closer to each other than a kernel's own rounding is coarse.
MOVABLE = ("float32", "float64")


def moved(values: numpy.ndarray, dtype: str, way: str, generator: numpy.random.Generator) -> numpy.ndarray:
    """The same values with their last bits changed, those of other types as they are: all away from zero
    (`out`), all towards it (`in`), or each as it happens (`any`). Zeros stay, so that what is left out stays so.
    """
    if dtype not in MOVABLE:
        return values
    signs = {"out": 1.0, "in": -1.0}.get(way)
    distance = MOVED * (generator.choice([-1.0, 1.0], values.shape) if signs is None else signs)
    return values * (1.0 + EPSILON[dtype] * distance)


def unsteadiness(
    before: numpy.ndarray | None, expected: numpy.ndarray, other: numpy.ndarray
) -> numpy.ndarray:
    """How far each element has moved at most, when `other` are the values for moved inputs. What became or
    was no number has not moved: nothing is excused there.
    """
    with numpy.errstate(all="ignore"):
        distance = numpy.abs(other.astype("f8") - expected.astype("f8"))
    distance[~numpy.isfinite(distance)] = 0.0
    return distance if before is None else numpy.maximum(before, distance)


def allowance(inexact: numpy.ndarray, absolute: float) -> numpy.ndarray:
    """The absolute tolerance of each element where the baseline's own rounding moves it by `inexact`."""
    return absolute + numpy.minimum(inexact, MOST_GROWTH * absolute)


def excused(wrong: numpy.ndarray, error: numpy.ndarray, unsteady: numpy.ndarray) -> numpy.ndarray:
    """Which wrong elements are no further off than rounding takes them; none where these are too many."""
    found = wrong & (error <= PATIENCE * unsteady)
    return found if numpy.count_nonzero(found) * ONE_IN <= found.size else numpy.zeros_like(found)
