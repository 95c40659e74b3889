"""Rows of zeros with a few other numbers near their end."""

import unittest

import numpy

import paths  # noqa: F401
from kernelwright_worker.oracle.inputs import Wanted, make
from kernelwright_worker.oracle.leeway.steadiness import allowance


class MostlyZero(unittest.TestCase):
    def test_the_last_quarter_of_each_row_alone_has_other_numbers(self):
        values = make(Wanted("float32", [16, 64], "mostly-zero"), "normal")
        others = numpy.count_nonzero(values, axis=1)
        self.assertTrue(((others >= 1) & (others <= 5)).all())
        self.assertFalse(values[:, :48].any())

    def test_what_is_no_float_or_has_no_elements_stays(self):
        self.assertTrue(make(Wanted("int32", [64], "mostly-zero"), "positive").all())
        for shape in ([0], [4, 0], [1], []):
            with self.subTest(shape=shape):
                self.assertEqual(tuple(shape), make(Wanted("float32", shape, "mostly-zero"), "normal").shape)


class LongRow(unittest.TestCase):
    def test_one_row_has_half_of_all_elements(self):
        for total, rows in ((2048, 64), (7, 3), (5, 1)):
            with self.subTest(total=total, rows=rows):
                wanted = Wanted("int32", [rows + 1], "long-row")
                offsets = make(wanted, {"kind": "offsets", "total": total})
                lengths = numpy.diff(offsets)
                self.assertEqual((0, total), (offsets[0], offsets[-1]))
                self.assertTrue((lengths >= 0).all())
                self.assertGreaterEqual(lengths.max(), total // 2)


class Allowance(unittest.TestCase):
    def test_it_grows_with_what_rounding_moves_up_to_its_end(self):
        allowed = allowance(numpy.array([0.0, 2.0, 1000.0]), 1.0)
        self.assertEqual([1.0, 3.0, 65.0], allowed.tolist())


if __name__ == "__main__":
    unittest.main()
