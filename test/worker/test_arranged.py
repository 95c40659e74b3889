"""Inputs whose values are in an order, or related to those of another input."""

import unittest

import numpy

import paths  # noqa: F401
from kernelwright_worker.oracle.leaning.arranged import arrange

BYTE = {"kind": "range", "low": 0, "high": 255}
ASCENDING = {"kind": "range", "low": 0, "high": 1, "sorted": True}


def arranged(dtype, distribution, **shapes):
    """Random values of each shape, and the same arranged."""
    generator = numpy.random.default_rng(7)
    drawn = {
        name: generator.standard_normal(shape) if "float" in dtype else generator.integers(0, 256, shape)
        for name, shape in shapes.items()
    }
    values = dict(drawn)
    arrange(generator, values, dict.fromkeys(shapes, dtype), dict.fromkeys(shapes, distribution))
    return drawn, values


class Arranged(unittest.TestCase):
    def test_every_second_row_is_in_an_order(self):
        cases = [
            ("float32", "normal", [64, 300]),
            ("uint8", BYTE, [24, 128]),
            ("float32", "uniform", [16 * 40]),
        ]
        for dtype, distribution, shape in cases:
            with self.subTest(dtype=dtype, shape=shape):
                drawn, values = arranged(dtype, distribution, x=shape)
                rows = values["x"].reshape(len(values["x"]) if len(shape) > 1 else 16, -1)
                steps = numpy.diff(rows, axis=1)
                self.assertTrue((steps[1::16] >= 0).all())
                self.assertTrue((steps[9::16] <= 0).all())
                peaks = rows[5::8].argmax(axis=1)
                for row, peak in zip(steps[5::8], peaks):
                    self.assertTrue((row[:peak] >= 0).all() and (row[peak:] <= 0).all())
                for row in rows[3::4]:
                    self.assertEqual(1, (row != row.min()).sum())
                self.assertTrue((rows[::2] == drawn["x"].reshape(rows.shape)[::2]).all())

    def test_a_long_row_has_short_stretches_of_like_numbers(self):
        row = arranged("float32", "normal", x=[8, 4096])[1]["x"][7]
        self.assertEqual(16, numpy.unique(row, return_counts=True)[1].max())
        self.assertGreater(row.max() - numpy.sort(row)[-2], 4.5)

    def test_rows_of_a_second_input_are_those_of_the_first_moved_along(self):
        values = arranged("uint8", BYTE, a=[24, 128], b=[24, 120])[1]
        for row, other in zip(values["a"][2::4], values["b"][2::4]):
            same = max((row[move : move + 60] == other[:60]).mean() for move in range(65))
            self.assertGreater(same, 0.8)

    def test_a_third_input_lies_on_the_line_between_two(self):
        values = arranged("float32", "normal", a=[400, 2], b=[400, 2], c=[400, 2])[1]
        to, other = values["b"] - values["a"], values["c"] - values["a"]
        turns = numpy.abs(to[:, 0] * other[:, 1] - to[:, 1] * other[:, 0])
        self.assertTrue((turns[2::4] < 1e-12).all() and (turns[3::4] < 1e-12).all())
        self.assertGreater(numpy.median(turns[::4]), 0.1)

    def test_what_promises_an_order_or_is_too_small_stays(self):
        cases = [
            (ASCENDING, {"x": [16, 64], "y": [16, 64]}),
            ("permutation", {"x": [64]}),
            ("normal", {"x": [0], "y": [4, 0], "z": [], "one": [1], "few": [3]}),
        ]
        for distribution, shapes in cases:
            with self.subTest(distribution=distribution):
                drawn, values = arranged("float32", distribution, **shapes)
                for name in shapes:
                    self.assertTrue(numpy.array_equal(drawn[name], values[name]))


if __name__ == "__main__":
    unittest.main()
