"""Inputs for sums that have to be more exact than single precision."""

import unittest

import numpy

import paths  # noqa: F401
from kernelwright_worker.oracle.judge import Judge
from kernelwright_worker.oracle.leaning.exacting import EXACTING, make_exacting


def exacting(dtype, distribution, variant, shape):
    generator = numpy.random.default_rng(3)
    drawn = generator.standard_normal(shape)
    values = {"x": drawn}
    make_exacting(generator, values, {"x": dtype}, {"x": distribution}, variant)
    return drawn, values["x"].astype("f4")


def plain(rows):
    """Sums of rows, rounded to single precision after each number."""
    return numpy.cumsum(rows.astype("f4"), axis=1, dtype="f4")[:, -1]


class Exacting(unittest.TestCase):
    def test_large_numbers_cancel_in_every_second_row(self):
        drawn, values = exacting("float32", "normal", "cancelling", [64, 256])
        sums = values.astype("f8").sum(axis=1)
        self.assertTrue((numpy.abs(sums) < 100).all())
        wrong = numpy.abs(plain(values) - sums) > 0.1
        self.assertGreater(wrong[::2].mean(), 0.9)
        self.assertFalse(wrong[1::2].any())

    def test_sums_of_long_rows_of_one_number_are_held_closer(self):
        spec = {
            "inputs": {"x": {"dtype": "float32"}},
            "outputs": {"y": {"dtype": "float32"}},
            "tolerances": {"y": {"absolute": 2e-5, "relative": 2e-5, "stated": False}},
            "reference": {"kind": "expression", "expressions": {"y": "x.sum(axis=1)"}},
            "seed": 5,
        }
        judge = Judge(spec)
        params = {
            **{"variant": "like", "sizes": {"n": 65_603}, "shapes": {"x": [5, 65_603], "y": [5]}},
            "distributions": {"x": "normal"},
        }
        reply, [content] = judge.answer("make", params, [])
        rows = numpy.frombuffer(content, "f4").reshape(5, -1)
        self.assertTrue((rows == rows[:, :1]).all())
        by_lanes = plain(rows[:, : 2050 * 32].reshape(5 * 32, -1)).reshape(5, 32).astype("f8").sum(axis=1)
        cases = [
            (rows.astype("f8").sum(axis=1), True),
            # What the last lanes add beside that is exact.
            (by_lanes + rows[:, 2050 * 32 :].astype("f8").sum(axis=1), False),
        ]
        for sums, passes in cases:
            answer = judge.answer("judge", {"case": reply["case"]}, [sums.astype("f4").tobytes()])[0]
            self.assertEqual(passes, answer["passed"])

    def test_what_promises_something_or_is_no_single_stays(self):
        cases = [("float64", "normal", [4, 8]), ("float32", "positive", [4, 8]), ("float32", "normal", [1])]
        for dtype, distribution, shape in cases:
            for variant in EXACTING:
                with self.subTest(dtype=dtype, distribution=distribution, variant=variant):
                    drawn, values = exacting(dtype, distribution, variant, shape)
                    self.assertTrue(numpy.array_equal(drawn.astype("f4"), values))


if __name__ == "__main__":
    unittest.main()
