"""Which outputs of few elements are means of the inputs and no sums of them, as the cases so far tell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy

from ..comparison import REDUCTION_FROM, added_magnitude, root_mean_square

if TYPE_CHECKING:
    from ..cases import Case

#: A mean is no larger than so many times what it is made of, or its square.
LARGEST_MEAN = 4.0
#: Sums of so many numbers with signs of their own would all come out so small by this chance at most.
UNLIKELY = 2e-5


class Means:
    """A sum of n numbers of either sign is as small as one of them in one case of sqrt(n): where it is so in
    case after case, it is a mean, whose rounding is smaller by the number of elements.
    """

    def __init__(self) -> None:
        self._chances: dict[str, float] = {}

    def learn(self, case: Case) -> None:
        """Takes the expected values of a case into account whose inputs were drawn as usual."""
        if not case.is_usual:
            return
        magnitude = added_magnitude(case.values)
        elements = sum(values.size for values in case.values.values())
        for name, expected in case.expected.items():
            ratio = elements / max(1, expected.size)
            if ratio < REDUCTION_FROM or expected.dtype.kind != "f" or not numpy.isfinite(expected).all():
                continue
            most = LARGEST_MEAN * max(magnitude, magnitude * magnitude)
            # Sums of n numbers deviate from 0 as one of them times sqrt(n).
            deviation = magnitude * math.sqrt(ratio)
            is_small = root_mean_square(expected) <= most
            chance = (
                min(1.0, 2 * most / math.sqrt(2 * math.pi) / max(deviation, 1e-300)) if is_small else math.inf
            )
            self._chances[name] = self._chances.get(name, 1.0) * chance

    def __contains__(self, name: str) -> bool:
        return self._chances.get(name, 1.0) < UNLIKELY
