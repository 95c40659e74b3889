"""Outputs that compute nothing, and tasks that they would pass."""

import types
import unittest

import numpy

import paths  # noqa: F401
from kernelwright_worker.oracle.comparison import compare, differs
from kernelwright_worker.oracle.judge import Judge
from kernelwright_worker.oracle.trivial import passing_outputs


class Registration(unittest.TestCase):
    def passing(self, expression, shape=(40,), output=None, tolerance=None, copies=False, name="y"):
        tensor = {"dtype": "float32"}
        judge = Judge(
            {
                "inputs": {"x": tensor},
                "outputs": {name: tensor},
                "tolerances": {name: tolerance or {"absolute": 2e-5, "relative": 2e-5, "stated": False}},
                "reference": {"kind": "expression", "expressions": {name: expression}},
            }
        )
        params = {
            "sizes": {"n": shape[0]},
            "shapes": {"x": list(shape), name: list(output or shape)},
            "variant": "declared",
            "distributions": {"x": "normal"},
        }
        (one, _), (other, _) = judge.answer("make", params, []), judge.answer("make", params, [])
        shuffled, _ = judge.answer("vary", one, [])
        return judge.answer(
            "trivial",
            {
                "case": one["case"],
                "other": other["case"],
                "permuted": shuffled["case"],
                "copies": copies,
            },
            [],
        )[0]["passing"]

    def test_outputs_that_compute_nothing_fail_for_an_honest_task(self):
        self.assertEqual([], self.passing("2 * x + 1"))
        self.assertEqual([], self.passing("exp(x) / sum(exp(x))"))
        self.assertEqual([], self.passing("sum(x).reshape(1)", (4096,), (1,)))

    def test_two_numbers_that_stay_in_their_order_tell_nothing(self):
        case, other = ([numpy.array(each)] for each in ([1.0, 2.0], [5.0, 3.0]))
        cases = [
            types.SimpleNamespace(values={"x": x}, expected={"y": numpy.cumsum(x)})
            for (x,) in (case, other, case)
        ]
        right = cases[0].expected["y"]
        self.assertEqual(
            [], passing_outputs(cases, lambda made: numpy.array_equal(made["y"], right), False, set())
        )

    def test_a_copy_may_be_what_is_computed(self):
        self.assertEqual([], self.passing("x * 1", copies=True))
        # Equal within the tolerance alone, or to the bit for these values alone.
        self.assertIn("input x passed through", self.passing("x * 1.000001", copies=True))
        # Left as it was.
        self.assertIn("input x passed through", self.passing("x * 1", copies=True, name="x"))

    def test_outputs_that_compute_nothing_are_named(self):
        self.assertIn("all zeros", self.passing("x * 0"))
        self.assertIn("input x passed through", self.passing("x * 1"))
        self.assertIn("a constant (one)", self.passing("x * 0 + 1"))
        self.assertIn(
            "the output for other inputs (the expected output hardly depends on them)",
            self.passing("linspace(0, 1, n)"),
        )
        # What the order changes lies far above the rounding of the sum, and far below the tolerance.
        self.assertIn(
            "the output for the same inputs in another order",
            self.passing(
                "cumsum(x * x * 1e-6) + sum(x * x)",
                tolerance={"absolute": 1e-4, "relative": 0.0, "stated": True},
            ),
        )

    def test_a_look_without_words_sees_what_a_comparison_sees(self):
        expected = numpy.arange(5000.0)
        infinite, loose = numpy.where(expected == 4000, numpy.inf, expected), numpy.full(5000, 2.0)
        first, last = expected.copy(), expected.copy()
        first[3], last[-1] = 4, numpy.nan
        whole = expected.astype("i8")
        cases = [
            (expected, expected, None),
            (expected, first, None),
            (expected, last, None),
            (expected, first, loose),
            (expected, last, loose),
            (infinite, infinite, None),
            (infinite, expected, None),
            (expected, infinite, None),
            (numpy.where(expected == 4000, numpy.nan, expected), expected, None),
            (whole, whole, None),
            (whole, first.astype("i8"), None),
        ]
        for wanted, found, unsteady in cases:
            for tolerance in ((0.0, 0.0), (1e-3, 1e-3), (2.0, 0.0)):
                told = compare("y", wanted, found, tolerance, unsteady)
                self.assertEqual(told is not None, differs("y", wanted, found, tolerance, unsteady))


if __name__ == "__main__":
    unittest.main()
