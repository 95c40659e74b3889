"""What special values come to, where a kernel is its own reference."""

import math
import unittest

import numpy

from kernelwright_worker.oracle.comparison import compare
from kernelwright_worker.oracle.special import settled


class OwnReference(unittest.TestCase):
    def test_a_kernel_that_is_its_own_reference_says_nothing_of_what_is_no_number(self):
        expected = numpy.array([math.nan, math.nan, 2.0, math.inf])
        cases = [
            ([0.5, math.inf, 2.0, math.inf], True),
            ([0.5, math.nan, math.nan, math.inf], False),
            ([0.5, math.nan, 2.0, 7.0], False),
        ]
        for values, passed in cases:
            with self.subTest(values=values):
                kept = settled("infinite", expected, None, numpy.array(values))
                self.assertEqual(passed, compare("y", expected, kept, (0.0, 0.0)) is None)

    def test_another_reference_says_where_there_is_no_number(self):
        expected = numpy.array([math.nan, 2.0])
        kept = settled("infinite", expected, expected, numpy.array([0.5, 2.0]))
        self.assertIsNotNone(compare("y", expected, kept, (0.0, 0.0)))
