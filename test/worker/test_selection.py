"""Outputs that select are compared exactly; values far from zero."""

import unittest

import numpy

import paths  # noqa: F401
from kernelwright_worker.oracle.datatypes import encode
from kernelwright_worker.oracle.judge import Judge
from kernelwright_worker.oracle.leaning.selection import are_selected

ROWS, COLUMNS = 24, 80


def judge_of(dtype, expression, shape, stated=False):
    return Judge(
        {
            "inputs": {"x": {"dtype": dtype}},
            "outputs": {"y": {"dtype": dtype}},
            "tolerances": {"y": {"absolute": 2e-3, "relative": 2e-3, "stated": stated}},
            "reference": {"kind": "expression", "expressions": {"y": expression}},
            "seed": 11,
        }
    ), {"sizes": {}, "shapes": {"x": [ROWS, COLUMNS], "y": shape}, "distributions": {"x": "normal"}}


def made(judge, params, variant):
    answer, frames = judge.answer("make", {**params, "variant": variant}, [])
    return answer["case"], frames


#: Name, type, what is computed, its shape, whether the spec states a tolerance, and whether bits count.
CASES = [
    ("a maximum", "float32", "x.max(axis=1)", [ROWS], False, True),
    ("a maximum of halves", "float16", "x.max(axis=1)", [ROWS], False, True),
    ("the largest size", "bfloat16", "abs(x).max(axis=0)", [COLUMNS], False, True),
    ("numbers above zero, else zero", "float16", "maximum(x, 0)", [ROWS, COLUMNS], False, True),
    ("one number of all", "float32", "x.max().reshape(1)", [1], False, True),
    ("columns as rows", "float32", "x.T", [COLUMNS, ROWS], False, True),
    ("a sum", "float32", "x.sum(axis=1)", [ROWS], False, False),
    ("a mean of halves", "bfloat16", "x.mean(axis=1)", [ROWS], False, False),
    ("numbers twice as large", "float16", "2.0 * x", [ROWS, COLUMNS], False, False),
    ("a maximum with a tolerance", "float32", "x.max(axis=1)", [ROWS], True, False),
]


class Selection(unittest.TestCase):
    def test_what_selects_is_compared_bit_by_bit(self):
        for name, dtype, expression, shape, stated, is_exact in CASES:
            with self.subTest(name):
                judge, params = judge_of(dtype, expression, shape, stated)
                for turn in range(4):
                    case, _ = made(judge, params, "few")
                    answer, _ = judge.answer("select", {"case": case, "last": turn == 3}, [])
                self.assertEqual(answer["outputs"], ["y"] if is_exact else [])
                case, frames = made(judge, params, "declared")
                expected = judge._cases[case].expected["y"]
                near = expected * (1 + 1.5e-3)
                passed = [
                    judge.answer("judge", {"case": case}, [encode(values, dtype)])[0]["passed"]
                    for values in (expected, near)
                ]
                # A hundredth of a percent is less than what bfloat16 tells apart.
                self.assertEqual(passed, [True, not is_exact or dtype == "bfloat16"])

    def test_what_lies_between_two_numbers_is_none_of_them(self):
        x = numpy.arange(8.0)
        self.assertTrue(are_selected(numpy.array([3.0, -0.0, numpy.inf]), [x]))
        self.assertFalse(are_selected(numpy.array([3.5]), [x]))
        self.assertFalse(are_selected(numpy.array([0.0]), [x]))


class FarFromZero(unittest.TestCase):
    def check(self, values):
        """Whether a variance of single precision passes."""
        judge, params = judge_of("float32", "x.var(axis=1)", [ROWS])
        case, frames = made(judge, params, "far-from-zero")
        x = numpy.frombuffer(frames[0], "<f4").reshape(ROWS, COLUMNS)
        self.assertGreater(numpy.abs(x).min(), 900)
        return judge.answer("judge", {"case": case}, [encode(values(x), "float32")])[0]["passed"]

    def test_a_variance_is_told_from_a_difference_of_moments(self):
        single = numpy.float32
        ways = [
            (
                lambda x: ((x - x.mean(axis=1, keepdims=True, dtype=single)) ** 2).mean(axis=1, dtype=single),
                True,
            ),
            (lambda x: (x - x[:, :1]).var(axis=1, dtype=single), True),
            (lambda x: (x * x).mean(axis=1, dtype=single) - x.mean(axis=1, dtype=single) ** 2, False),
        ]
        for number, (values, is_right) in enumerate(ways):
            with self.subTest(number):
                self.assertEqual(self.check(values), is_right)


if __name__ == "__main__":
    unittest.main()
