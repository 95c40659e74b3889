"""What special values come to, where a kernel is its own reference."""

import math
import unittest

import numpy

from kernelwright_worker.oracle.comparison import compare
from kernelwright_worker.oracle.datatypes import decode, encode
from kernelwright_worker.oracle.judge import Judge
from kernelwright_worker.oracle.special import settled, without_numbers


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

    def test_which_division_by_zero_comes_first_decides_nothing(self):
        expected = numpy.array([math.nan, math.inf, -math.inf, math.inf, 2.0])
        cases = [
            ([-math.inf, math.nan, math.inf, math.inf, 2.0], True),
            ([0.5, math.inf, -math.inf, math.inf, 2.0], False),
            ([math.nan, math.inf, -math.inf, math.inf, math.nan], False),
        ]
        for values, passed in cases:
            with self.subTest(values=values):
                kept = without_numbers(expected, numpy.array(values))
                self.assertEqual(passed, compare("y", expected, kept, (0.0, 0.0)) is None)

    def test_where_the_original_makes_none_of_numbers_any_number_is_right(self):
        few, many = [math.nan, math.inf, 2.0, 3.0], [math.nan, math.nan, math.nan, 3.0]
        cases = [
            (few, [0.0, math.inf, 2.0, 3.0], True, True),
            (few, [0.0, 1.0, 2.0, 3.0], True, False),
            (few, [0.0, math.inf, math.nan, 3.0], True, False),
            (few, [0.0, math.inf, 2.0, 3.0], False, False),
            (many, [0.0, math.nan, math.nan, 3.0], True, False),
        ]
        for expected, values, may_be_any, passed in cases:
            with self.subTest(values=values):
                wanted = numpy.array(expected)
                kept = without_numbers(wanted, numpy.array(values), may_be_any)
                self.assertEqual(passed, compare("y", wanted, kept, (0.0, 0.0)) is None)

    def test_another_reference_says_where_there_is_no_number(self):
        expected = numpy.array([math.nan, 2.0])
        kept = settled("infinite", expected, expected, numpy.array([0.5, 2.0]))
        self.assertIsNotNone(compare("y", expected, kept, (0.0, 0.0)))


class Unreached(unittest.TestCase):
    """Infinite numbers that have no part in a result, as under a mask."""

    def test_an_element_that_they_do_not_reach_may_be_no_number(self):
        cases = [
            ("a product with zero", lambda x, kept: x * kept, True),
            ("no number where they count", lambda x, kept: numpy.where(kept > 0, x - x, 0.0), False),
            ("another number", lambda x, kept: numpy.where(kept > 0, x, 1.0), False),
        ]
        for title, kernel, passed in cases:
            with self.subTest(title):
                self.assertEqual(passed, self.judged(kernel))

    def judged(self, kernel):
        tensor = {"dtype": "float32"}
        judge = Judge(
            {
                "inputs": {"x": tensor, "kept": tensor},
                "outputs": {"y": tensor},
                "tolerances": {"y": {"absolute": 2e-5, "relative": 2e-5, "stated": False}},
                "reference": {"kind": "expression", "expressions": {"y": "where(kept > 0, x, 0)"}},
                "seed": 1,
            }
        )
        size = [8, 64]
        asked = {
            "sizes": {},
            "shapes": {"x": size, "kept": size, "y": size},
            "distributions": {"x": "normal", "kept": "zero-one"},
            "variant": "infinite",
        }
        made, frames = judge.answer("make", asked, [])
        with numpy.errstate(all="ignore"):
            y = kernel(*[decode(frame, "float32", size) for frame in frames])
        content = encode(y, "float32")
        # Before they are looked for, both are wrong.
        if numpy.isnan(y).any():
            self.assertFalse(judge.answer("judge", made, [content])[0]["passed"])
        bounded, _ = judge.answer("bound", {**made, "names": ["x"]}, [])
        judge.answer("steady", {**made, "from": made["case"], "moved": bounded["case"]}, [])
        return judge.answer("judge", made, [content])[0]["passed"]
