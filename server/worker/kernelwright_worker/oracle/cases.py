"""One shape with its inputs and what is known of its expected values."""

from __future__ import annotations

import numpy

from ..errors import WorkerError
from .datatypes import decode, encode
from .inputs import UNUSUAL
from .leaning.exacting import LIKE


class Case:
    """One shape with one secret seed. `encoded` is what the kernel gets; `values` are those bytes read back,
    so both sides agree.
    """

    def __init__(
        self, params: dict, values: dict[str, numpy.ndarray], specification: dict[str, dict]
    ) -> None:
        self.sizes = params["sizes"]
        self.shapes = params["shapes"]
        self.distributions = params["distributions"]
        self.encoded = {name: encode(value, specification[name]["dtype"]) for name, value in values.items()}
        self.values = {
            name: decode(content, specification[name]["dtype"], self.shapes[name])
            for name, content in self.encoded.items()
        }
        self.expected = None
        self.declared = None
        #: What the baseline makes of it where the expected values are its sums without rounding.
        self.rounded = None
        #: By the name of an output, once it was needed.
        self.tolerances = {}
        self.special = params["variant"] if params.get("variant") in UNUSUAL else None
        #: Not the inputs of another case in another order, and none that no one would draw.
        self.is_usual = params.get("variant") in ("declared", "wide")
        #: All inputs are numbers, and none that no one would draw.
        self.is_finite = self.special is None and all(map(_is_finite, self.values.values()))
        self.is_small = params.get("variant") == "small"
        self.is_like = params.get("variant") == LIKE
        #: How far results may be off, relative to an output's size, since all values are far from zero.
        self.afar = params.get("afar", 0.0)
        self.unsteady = {}
        #: How far the baseline's own rounding moves each element of an output, where that was asked for.
        self.inexact = {}
        #: Elements of outputs that infinite numbers do not reach, once they were looked for.
        self.unreached = {}
        #: Which rows of outputs may change places; None where none may.
        self.unordered = None
        #: What tolerances are at least, since the baseline multiplies short numbers.
        self.rough = None


def _is_finite(values: numpy.ndarray) -> bool:
    return values.dtype.kind != "f" or bool(numpy.isfinite(values).all())


def asked(case: Case) -> dict:
    """What a case was asked for, for another one of the same shape."""
    return {"sizes": case.sizes, "shapes": case.shapes, "distributions": case.distributions}


def checked(expected: dict[str, numpy.ndarray], case: Case) -> dict[str, numpy.ndarray]:
    """The reference's values, if they have the shapes that the spec says."""
    for name, value in expected.items():
        if list(value.shape) != list(case.shapes[name]):
            raise WorkerError(
                "spec-invalid",
                "the reference gives %s the shape %s, the spec says %s"
                % (name, list(value.shape), case.shapes[name]),
            )
    return {name: numpy.array(value, copy=True) for name, value in expected.items()}
