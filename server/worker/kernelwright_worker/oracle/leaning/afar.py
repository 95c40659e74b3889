"""Values that all lie far from zero, in relation to how far they lie from each other: a mean squared that is
taken from the mean of the squares leaves little of their variance then, where the squares of the distances
from the mean leave all of it (Higham, Accuracy and Stability of Numerical Algorithms, section 1.9).
"""

from __future__ import annotations

import numpy

from ..datatypes import EPSILON

#: How far from zero, in distances between the values. Those of other types are too coarse for it.
_FAR = {"float32": 2.0**10, "float64": 2.0**20}

#: How far results may be off, in roundings of a number so far from zero, relative to an output's size.
_PATIENCE = 32.0


def moved_afar(
    generator: numpy.random.Generator,
    values: dict[str, numpy.ndarray],
    dtypes: dict[str, str],
    distributions: dict[str, str | dict],
) -> float:
    """Moves the largest input of singles or doubles that promises nothing of its values, all to one side.
    Gives how far off results may be, relative to an output's size. Several such inputs would tell no more.
    """
    open_inputs = [
        name for name in values if dtypes[name] in _FAR and distributions[name] in ("normal", "uniform")
    ]
    if not open_inputs:
        return 0.0
    largest = max(open_inputs, key=lambda name: values[name].size)
    far = _FAR[dtypes[largest]]
    values[largest] = values[largest] + generator.choice([-far, far])
    return _PATIENCE * far * EPSILON[dtypes[largest]]
