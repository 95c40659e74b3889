"""Inputs with ties: exact halves, and zeros of both signs."""

import unittest

import numpy

import paths  # noqa: F401
from kernelwright_worker.oracle.inputs import Wanted, make


def halves(values):
    rows = values.reshape(-1, values.shape[-1])
    return bool((values * 2 == numpy.round(values * 2)).all() and (numpy.abs(rows).max(axis=1) == 127).all())


def zeros(sign):
    """Both zeros stand there, mostly the one that is not ahead by its bits, and other numbers on one side."""

    def holds(values):
        is_zero = values == 0
        is_ahead = is_zero & (numpy.signbit(values) == (sign > 0))
        share = numpy.count_nonzero(is_ahead) / numpy.count_nonzero(is_zero)
        ends = [row[numpy.flatnonzero(row)[[0, -1]]] for row in is_zero * (1 + is_ahead)]
        is_behind = (numpy.array(ends) == 1).all()
        return bool(
            is_behind and 0 < share < 0.5 and (sign * values >= 0).all() and 0.2 < is_zero.mean() < 0.8
        )

    return holds


class Level(unittest.TestCase):
    def test_values_are_level_where_nothing_is_promised_of_them(self):
        cases = [
            ("float32", "normal", "halves", halves),
            ("float16", "uniform", "halves", halves),
            ("float32", "normal", "not-above-zero", zeros(-1)),
            ("bfloat16", "normal", "not-below-zero", zeros(1)),
            ("float32", "positive", "not-above-zero", lambda values: (values > 0).all()),
            ("int32", "integers", "halves", lambda values: (numpy.abs(values) <= 100).all()),
        ]
        for dtype, distribution, variant, holds in cases:
            with self.subTest(dtype=dtype, distribution=distribution, variant=variant):
                self.assertTrue(holds(make(Wanted(dtype, [16, 64], variant), distribution)))

    def test_nothing_and_a_single_number_may_be_level(self):
        for variant in ("halves", "not-above-zero", "not-below-zero"):
            for shape in ([0], [4, 0], [1], []):
                with self.subTest(variant=variant, shape=shape):
                    self.assertEqual(tuple(shape), make(Wanted("float32", shape, variant), "normal").shape)


if __name__ == "__main__":
    unittest.main()
