"""Inputs that lean to one side, and what is wrong for them alone."""

import unittest

import numpy

import paths  # noqa: F401
from kernelwright_worker.oracle.inputs import Wanted, make
from kernelwright_worker.oracle.leaning.lopsided import LOPSIDED

UNIT = {"kind": "range", "low": 0, "high": 1}
BYTE = {"kind": "range", "low": 0, "high": 255}
MILLION = {"kind": "range", "low": 0, "high": 2**20}
WIDE = {"kind": "range", "low": -100, "high": 100}
SIGNED = {"kind": "range", "low": -8, "high": 7}
ASCENDING = {"kind": "range", "low": 0, "high": 1, "sorted": True}


def most_alike(values):
    return numpy.unique(values, return_counts=True)[1].max() / values.size


def one_sided(values):
    return bool((values <= 0).all()) and most_alike(values) < 0.1


def near_one(values):
    return bool(((values >= 63 / 64) & (values <= 1)).all()) and most_alike(values) < 0.1


def beside_halves(values):
    halves = numpy.round(values * 2) / 2
    large = numpy.abs(values) > 0.5
    beside = (values != halves) & (values.astype("f4") == halves)
    return bool(beside[large].mean() > 0.9) and len(numpy.unique(numpy.sign((values - halves)[large]))) > 1


class Lopsided(unittest.TestCase):
    def test_values_lean_as_far_as_nothing_is_promised_of_them(self):
        cases = [
            ("float32", "normal", "one-sided", one_sided),
            ("float16", "uniform", "one-sided", one_sided),
            ("int32", "integers", "one-sided", lambda values: (values <= 0).all()),
            ("uint8", "integers", "one-sided", lambda values: (values >= 0).all()),
            ("float32", UNIT, "one-sided", near_one),
            ("uint8", BYTE, "one-sided", lambda values: (values >= 252).all()),
            ("int8", SIGNED, "one-sided", lambda values: (values == -8).all()),
            ("float32", ASCENDING, "one-sided", lambda values: (numpy.diff(values.reshape(-1)) >= 0).all()),
            ("float32", "positive", "one-sided", lambda values: (values > 0).all()),
            ("float32", "normal", "alike", lambda values: most_alike(values) < 0.1),
            ("int32", "integers", "alike", lambda values: 0.85 < most_alike(values) < 1),
            ("uint8", BYTE, "alike", lambda values: 0.85 < most_alike(values) < 1),
            ("int64", "permutation", "alike", lambda values: most_alike(values) == 1 / values.size),
            ("int8", SIGNED, "ends", lambda values: set(values.reshape(-1)) == {-8, 7}),
            ("uint8", "integers", "ends", lambda values: most_alike(values) < 0.1),
            ("float32", UNIT, "ends", lambda values: most_alike(values) < 0.1),
            ("uint8", BYTE, "least", lambda values: (values == 0).all()),
            ("uint8", BYTE, "greatest", lambda values: (values == 255).all()),
            ("int32", "integers", "greatest", lambda values: most_alike(values) == 1),
            ("float32", UNIT, "greatest", lambda values: most_alike(values) < 0.1),
            (
                "int32",
                MILLION,
                "strided",
                lambda values: (values % 2048 == 0).all() and most_alike(values) < 0.1,
            ),
            ("int8", SIGNED, "strided", lambda values: ((values >= -8) & (values <= 7)).all()),
            ("int32", "integers", "strided", lambda values: (values % 2**20 == 0).all()),
            ("float32", "normal", "crowded", lambda values: 0.35 < most_alike(values) < 0.55),
            ("float64", WIDE, "beside-halves", beside_halves),
            ("float64", UNIT, "beside-halves", lambda values: ((values >= 0) & (values <= 1)).all()),
            ("float64", "normal", "beside-halves", beside_halves),
            ("float32", "normal", "declared", lambda values: most_alike(values) < 0.1),
        ]
        for dtype, distribution, variant, holds in cases:
            with self.subTest(dtype=dtype, distribution=distribution, variant=variant):
                self.assertTrue(holds(make(Wanted(dtype, [6, 64], variant), distribution)))

    def test_nothing_and_a_single_number_may_lean(self):
        for variant in LOPSIDED:
            for shape in ([0], [4, 0], [1], []):
                with self.subTest(variant=variant, shape=shape):
                    self.assertEqual(tuple(shape), make(Wanted("float32", shape, variant), UNIT).shape)


if __name__ == "__main__":
    unittest.main()
