"""The oracle: number formats, inputs, reference expressions, comparison, and the test for outputs that
compute nothing.
"""

import math
import unittest

import numpy

import paths
from kernelwright_worker.oracle.comparison import compare, effective_tolerance
from kernelwright_worker.oracle.datatypes import decode, encode, item_size
from kernelwright_worker.errors import WorkerError
from kernelwright_worker.oracle.expressions import evaluate
from kernelwright_worker.oracle.inputs import (
    Wanted,
    draw_from,
    in_another_order,
    make,
    nudged,
    permuted,
)
from kernelwright_worker.oracle.judge import Judge


class Formats(unittest.TestCase):
    def test_bfloat16_rounds_to_nearest_even(self):
        cases = [
            (1.0, 0x3F80),
            (-2.0, 0xC000),
            (1.00390625, 0x3F80),
            (1.01171875, 0x3F82),
            (3.3895314e38, 0x7F7F),
            (3.4e38, 0x7F80),
            (math.nan, 0x7FC0),
            (math.inf, 0x7F80),
            (0.0, 0),
        ]
        for value, bits in cases:
            with self.subTest(value=value):
                self.assertEqual(bits, int.from_bytes(encode(numpy.array([value]), "bfloat16"), "little"))

    def test_what_is_encoded_is_decoded(self):
        for dtype in (
            "float64",
            "float32",
            "float16",
            "bfloat16",
            "int64",
            "int32",
            "int16",
            "int8",
            "uint8",
            "uint16",
            "uint32",
            "uint64",
            "bool",
        ):
            with self.subTest(dtype=dtype):
                values = numpy.array([[0, 1, 1], [0, 1, 0]])
                content = encode(values, dtype)
                self.assertEqual(6 * item_size(dtype), len(content))
                numpy.testing.assert_array_equal(values, decode(content, dtype, [2, 3]))


class Inputs(unittest.TestCase):
    def test_seeds_are_secret_and_fresh(self):
        first, second = (make(Wanted("float32", [100], "declared"), "normal") for _ in range(2))
        self.assertFalse(numpy.array_equal(first, second))

    def test_values_of_a_chosen_seed_are_the_same_again(self):
        self.addCleanup(draw_from, None)
        drawn = []
        for seed in (7, 7, 8):
            draw_from(seed)
            drawn.append(
                [make(Wanted("float32", [20], variant), "normal") for variant in ("declared", "wide")]
            )
        numpy.testing.assert_array_equal(drawn[0], drawn[1])
        self.assertFalse(numpy.array_equal(drawn[0], drawn[2]))
        self.assertFalse(numpy.array_equal(drawn[0][0], drawn[0][1]))

    def test_distributions_keep_their_promise_in_every_variant(self):
        for variant in ("declared", "wide", "zero-one"):
            self.assertTrue((make(Wanted("float32", [500], variant), "positive") > 0).all())
            self.assertTrue(set(numpy.unique(make(Wanted("float32", [500], variant), "zero-one"))) <= {0, 1})
            self.assertTrue((make(Wanted("uint8", [500], variant), "integers") >= 0).all())

    def test_figures_bound_the_values(self):
        cases = [
            ("float32", {"kind": "range", "low": -2, "high": 3}, lambda v: v.min() >= -2 and v.max() <= 3),
            ("int32", {"kind": "range", "low": 5, "high": 7}, lambda v: set(v) == {5, 6, 7}),
            (
                "int32",
                {"kind": "range", "low": 0, "high": 9, "sorted": True},
                lambda v: list(v) == sorted(v) and v.max() == 9,
            ),
            (
                "int32",
                {"kind": "skewed", "low": 10, "high": 20, "exponent": 2.0},
                lambda v: v.min() == 10 and v.max() <= 20 and (v == 10).sum() > (v == 11).sum(),
            ),
            (
                "int32",
                {"kind": "offsets", "total": 1000},
                lambda v: v[0] == 0 and v[-1] == 1000 and list(v) == sorted(v),
            ),
            ("float32", {"kind": "constant", "value": 0.5}, lambda v: set(v) == {0.5}),
            (
                "uint8",
                {"kind": "letters", "letters": "AAAT"},
                lambda v: set(v) == {65, 84} and (v == 65).sum() > 2 * (v == 84).sum(),
            ),
            ("int32", "permutation", lambda v: sorted(v) == list(range(400))),
            ("float32", {"kind": "permutation", "first": 1}, lambda v: sorted(v) == list(range(1, 401))),
            ("float32", "sorted", lambda v: list(v) == sorted(v)),
        ]
        for variant in ("declared", "wide", "zero-one"):
            for dtype, distribution, holds in cases:
                with self.subTest(distribution=distribution, variant=variant):
                    self.assertTrue(holds(make(Wanted(dtype, [400], variant), distribution)))

    def test_one_nudged_value_stays_in_the_bulk_or_turns(self):
        values = numpy.random.default_rng(5).standard_normal((8, 1024))
        for turns in (False, True) * 8:
            changed = nudged(values, turns)
            (place,) = numpy.argwhere(changed != values)
            before, after = values[tuple(place)], changed[tuple(place)]
            self.assertEqual(before * after < 0, turns)
            if turns:
                self.assertEqual(abs(after), numpy.abs(values).max())
                continue
            self.assertGreater(abs(after - before), 0.7)
            self.assertLess(abs(after), 2)

    def test_a_nudged_value_differs_where_all_are_the_same(self):
        for values, changed in (
            (numpy.ones(5), 1),
            (numpy.array([3.0]), 1),
            (numpy.zeros(4), 0),
            (numpy.zeros(0), 0),
        ):
            self.assertEqual(numpy.count_nonzero(nudged(values, turns=False) != values), changed)

    def test_offsets_in_another_order_bound_the_same_rows(self):
        values = numpy.array([0, 5, 5, 7, 20, 21], dtype="i4")
        other = in_another_order(values, {"kind": "offsets", "total": 21})
        self.assertEqual((0, 21, "int32"), (other[0], other[-1], str(other.dtype)))
        self.assertEqual(sorted(numpy.diff(values)), sorted(numpy.diff(other)))

    def test_permuted_holds_the_same_values(self):
        values = numpy.arange(50.0).reshape(5, 10)
        other = permuted(values)
        self.assertEqual(values.shape, other.shape)
        self.assertEqual(sorted(values.ravel()), sorted(other.ravel()))
        self.assertFalse(numpy.array_equal(values, other))


def opened(expression, shape=(64, 8)):
    """A judge of one expression over x, and what a case of it is made with."""
    judge = Judge(
        {
            "inputs": {"x": {"dtype": "float32"}},
            "outputs": {"y": {"dtype": "float32"}},
            "tolerances": {"y": {"absolute": 1e-5, "relative": 1e-5, "stated": False}},
            "reference": {"kind": "expression", "expressions": {"y": expression}},
        }
    )
    return judge, {
        "sizes": {},
        "shapes": {"x": list(shape), "y": list(shape)},
        "distributions": {"x": "normal"},
    }


def fused_exponential(x):
    """exp(x - max(x)) as 2 ** (x log2(e) - the rounded largest of these), with one rounding at its end."""
    log2e = numpy.float32(math.log2(math.e))
    largest = numpy.max(x * log2e)
    return numpy.exp2(x.astype("f8") * float(log2e) - float(largest))


class Special(unittest.TestCase):
    """Special values have a tier of their own, and the reference says what is right for them."""

    def judged(self, expression, variant, kernel):
        judge, params = opened(expression)
        made, frames = judge.answer("make", {**params, "variant": variant}, [])
        x = decode(frames[0], "float32", [64, 8]).astype("f4")
        with numpy.errstate(all="ignore"):
            content = encode(kernel(x), "float32")
        return judge.answer("judge", made, [content])[0]["passed"]

    def test_each_kind_stands_among_ordinary_values(self):
        looks = {
            "nan": numpy.isnan,
            "infinite": numpy.isinf,
            "tiny": lambda x: (numpy.abs(x) < 2.0**-126) & (x != 0) | (x == 0),
            "largest": lambda x: x,
        }
        for variant, is_special in looks.items():
            for dtype in ("float64", "float32", "float16", "bfloat16"):
                with self.subTest(variant=variant, dtype=dtype):
                    kept = decode(
                        encode(make(Wanted(dtype, [64, 8], variant), "normal"), dtype), dtype, [64, 8]
                    )
                    if variant == "largest":
                        found = numpy.abs(kept) >= numpy.abs(kept).max() / 2
                    else:
                        found = is_special(kept) if variant != "tiny" else numpy.abs(kept) <= 2.0**-14
                    self.assertTrue(1 <= numpy.count_nonzero(found) <= 40)

    def test_each_infinity_stands_alone_in_a_row(self):
        found = make(Wanted("float32", [3, 31], "infinite"), "normal")
        self.assertEqual([-math.inf, math.inf], sorted(found[numpy.isinf(found)].tolist()))
        self.assertEqual(2, numpy.count_nonzero(numpy.isinf(found).any(axis=1)))

    def test_the_reference_decides(self):
        cases = [
            ("nan", "maximum(x, 0)", lambda x: numpy.maximum(x, 0), True),
            # fmaxf of a number and NaN is the number.
            ("nan", "maximum(x, 0)", lambda x: numpy.fmax(x, 0), True),
            ("nan", "maximum(x, 0)", lambda x: x + 0 * numpy.sum(x), False),
            ("nan", "where(x > 0, x, 0)", lambda x: numpy.fmax(x, 0), True),
            ("infinite", "x * 2", lambda x: x * 2, True),
            ("infinite", "x * 2", lambda x: numpy.clip(x, -1e30, 1e30) * 2, False),
            ("infinite", "x * 2", lambda x: x * 2 + (x - x), True),
            ("infinite", "exp(-abs(x))", lambda x: numpy.exp(-numpy.abs(x)) + (x - x), False),
            ("tiny", "1 / x", lambda x: 1 / x, True),
            ("largest", "x * 400", lambda x: x * 400, True),
            ("largest", "x / 4", lambda x: x / 4, True),
            ("largest", "x / 4", lambda x: (x * x) / (4 * x), False),
            # A product with log2(e) in one step with the subtraction is not rounded before it.
            ("largest", "exp(x - max(x))", fused_exponential, True),
            # In single precision the square overflows: there is no right value there.
            ("largest", "sqrt(x * x)", lambda x: numpy.abs(x), True),
            ("largest", "sqrt(x * x)", lambda x: numpy.sqrt(x * x), True),
        ]
        for variant, expression, kernel, passed in cases:
            with self.subTest(variant=variant, expression=expression, passed=passed):
                self.assertEqual(passed, self.judged(expression, variant, kernel))


class Expressions(unittest.TestCase):
    def test_arithmetic_over_numpy_names(self):
        x = numpy.arange(6.0).reshape(2, 3)
        names = {"x": x, "n": 3}
        for text, expected in (
            ("x + n", x + 3),
            ("x @ x.T", x @ x.T),
            ("exp(x - x.max(axis=1, keepdims=True))", numpy.exp(x - x.max(axis=1, keepdims=True))),
            ("np.where(x > 2, x, 0)", numpy.where(x > 2, x, 0)),
            ("x[:, ::-1]", x[:, ::-1]),
            ("sqrt(x) if n == 3 else x", numpy.sqrt(x)),
        ):
            with self.subTest(text=text):
                numpy.testing.assert_array_equal(expected, evaluate(text, names))

    def test_everything_else_is_refused(self):
        for text in (
            "__import__('os')",
            "x.__class__",
            "().__class__",
            "open('f')",
            "[y for y in x]",
            "lambda: 1",
            "np.load('f')",
            "x.tofile('f')",
            "np.lib",
            "y",
            "x =",
            "f'{x}'",
            "np.fromfile('f')",
            "print(x)",
            "eval('1')",
            "in",
            "x in x",
        ):
            with self.subTest(text=text), self.assertRaises(WorkerError):
                evaluate(text, {"x": numpy.zeros(2)})


class Comparison(unittest.TestCase):
    def check(self, expected, actual, tolerance=(1e-6, 0.0)):
        return compare("y", numpy.array(expected), numpy.array(actual), tolerance)

    def test_values_within_the_tolerance_agree(self):
        self.assertIsNone(self.check([1.0, 2.0], [1.0 + 5e-7, 2.0]))
        self.assertIsNone(self.check([100.0], [101.0], (0.0, 0.02)))

    def test_the_first_wrong_element_is_named(self):
        found = self.check([[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.5], [3.0, 7.0]])
        self.assertEqual(
            {
                "output": "y",
                "index": [0, 1],
                "expected": 2.0,
                "actual": 2.5,
                "wrong": 2,
                "total": 4,
                "where": "whole columns: 1",
                "cause": "tail",
                "maxAbsoluteError": 3.0,
            },
            found,
        )

    def test_what_wrong_elements_have_in_common_is_told(self):
        right = numpy.arange(1.0, 73.0).reshape(8, 9)
        lines = {
            "the end of rows": ((slice(None), slice(6, 9)), 0.0, "whole columns: 6 to 8", "tail"),
            "rows": ((slice(2, 4), slice(None)), -1.0, "whole rows: 2 to 3", ""),
            "a place": ((3, 4), 0.0, "row 3, column 4", ""),
            "the last elements": ((7, slice(4, 9)), 0.0, "row 7, columns 4 to 8", ""),
        }
        for name, (place, value, where, cause) in lines.items():
            with self.subTest(name):
                found = right.copy()
                found[place] = value
                told = self.check(right, found)
                self.assertEqual((told["where"], told["cause"]), (where, cause))
        doubled = self.check(right, right * 2)
        self.assertEqual(doubled["where"], "all elements, each 2 times what is expected")
        flat = numpy.arange(1.0, 101.0)
        tail = numpy.concatenate([flat[:96], numpy.array([0.0, 5.0, -1.0, 7.0])])
        self.assertEqual(self.check(flat, tail)["where"], "the last 4 elements, from 96 on")
        but_one = numpy.concatenate([numpy.zeros(1998), numpy.array([1999.0]), numpy.zeros(1)])
        told = self.check(numpy.arange(1.0, 2001.0), but_one)
        self.assertEqual(
            (told["where"], told["cause"]), ("1999 of all 2000 elements, from the first to the last", "")
        )
        noisy = flat * (1 + 1e-3 * numpy.sin(numpy.arange(100.0)))
        self.assertEqual(self.check(flat, noisy)["cause"], "precision")
        reordered = flat * (1 + 2e-5 * numpy.sin(numpy.arange(100.0)))
        self.assertEqual(self.check(flat, reordered)["cause"], "reduction-order")

    def test_nan_and_infinity_agree_in_position_only(self):
        self.assertIsNone(self.check([math.nan, math.inf, -math.inf], [math.nan, math.inf, -math.inf]))
        for expected, actual in (
            ([1.0], [math.nan]),
            ([math.nan], [1.0]),
            ([math.inf], [1e30]),
            ([math.inf], [-math.inf]),
            ([1.0], [math.inf]),
            ([math.inf], [math.nan]),
        ):
            with self.subTest(expected=expected, actual=actual):
                self.assertEqual(1, self.check(expected, actual, (1.0, 0.5))["wrong"])

    def test_integers_are_exact(self):
        self.assertEqual(1, compare("y", numpy.array([2**62]), numpy.array([2**62 + 1]), (0.0, 0.0))["wrong"])

    def test_the_tolerance_follows_the_size_of_the_output(self):
        table = {"absolute": 1e-5, "relative": 1e-5, "stated": False}
        about = {"inputs": {"x": numpy.ones(10)}, "declared": None}
        small, _ = effective_tolerance(table, "float32", numpy.full(10, 1e-4), about)
        large, _ = effective_tolerance(table, "float32", numpy.full(10, 1e4), about)
        self.assertAlmostEqual(1e-9, small)
        self.assertAlmostEqual(0.1, large)
        self.assertEqual(
            (0.5, 0.25),
            effective_tolerance(
                {"absolute": 0.5, "relative": 0.25, "stated": True}, "float32", numpy.zeros(10), about
            ),
        )

    def test_small_inputs_tell_another_epsilon_and_no_rounding(self):
        epsilon = "x / sqrt((x * x).mean(axis=1, keepdims=True) + 1e-6)"
        cases = [
            (epsilon, lambda x: x / numpy.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-6), True),
            (epsilon, lambda x: x / numpy.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5), False),
            ("tanh(x)", lambda x: 1 - numpy.float32(2) / (numpy.exp(2 * x) + 1), True),
        ]
        for expression, kernel, passed in cases:
            with self.subTest(expression=expression, passed=passed):
                judge, params = opened(expression)
                made, frames = judge.answer("make", {**params, "variant": "small"}, [])
                x = decode(frames[0], "float32", [64, 8]).astype("f4")
                told, _ = judge.answer("judge", made, [encode(kernel(x), "float32")])
                self.assertEqual(passed, told["passed"])

    def test_a_reduction_may_err_as_its_length_explains(self):
        table = {"absolute": 2e-5, "relative": 2e-5, "stated": False}
        absolute, _ = effective_tolerance(
            table, "float32", numpy.array([0.001]), {"inputs": {"x": numpy.ones(10**6)}, "declared": None}
        )
        self.assertTrue(1e-4 < absolute < 1e-3, absolute)

    def test_the_numbers_of_rows_are_nothing_that_is_added(self):
        table = {"absolute": 2e-5, "relative": 2e-5, "stated": False}
        inputs = {"x": numpy.full(10**6, 1e-4), "rows": numpy.arange(10**6, dtype="i4")}
        about = {"inputs": inputs, "declared": None}
        absolute, _ = effective_tolerance(table, "float32", numpy.full(100, 1e-4), about)
        self.assertTrue(absolute < 1e-8, absolute)


if __name__ == "__main__":
    unittest.main()
