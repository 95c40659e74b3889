"""Rows of very unequal size among the large numbers that winners are asked for."""

import unittest

import numpy

from kernelwright_worker.oracle.datatypes import decode, encode
from kernelwright_worker.oracle.inputs import LOWER, spread_rows
from kernelwright_worker.oracle.judge import Judge

SOFTMAX = (
    "exp(x - x.max(axis=1, keepdims=True)) / exp(x - x.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)"
)
LOG_SOFTMAX = (
    "x - x.max(axis=1, keepdims=True) - log(exp(x - x.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True))"
)
LAYER = "(x - x.mean(axis=1, keepdims=True)) / sqrt(x.var(axis=1, keepdims=True) + 1e-5)"
RMS = "x / sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5)"
MEAN = "x.mean(axis=1, keepdims=True) + 0 * x"


def shifts(x, rows):
    """The largest value of each group of so many rows, for each row."""
    largest = x.max(axis=1).reshape(-1, rows).max(axis=1)
    return numpy.repeat(largest, rows)[:, None]


def softmax(x, rows):
    powers = numpy.exp(x - shifts(x, rows))
    return powers / powers.sum(axis=1, keepdims=True)


def log_softmax(x, rows):
    shift = shifts(x, rows)
    return x - (shift + numpy.log(numpy.exp(x - shift).sum(axis=1, keepdims=True)))


def folded_softmax(x):
    """Powers of two, with the factor taken into the argument."""
    log2e = numpy.float32(1.4426950408889634)
    powers = numpy.exp2(x * log2e - (x * log2e).max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def layer_in_one_pass(x):
    mean = x.mean(axis=1, keepdims=True)
    variance = (x * x).mean(axis=1, keepdims=True) - mean * mean
    return (x - mean) / numpy.sqrt(variance + numpy.float32(1e-5))


def layer_one_after_another(x):
    total, squares = numpy.zeros((2, x.shape[0]), "f4")
    for column in x.T:
        total, squares = total + column, squares + column * column
    mean = (total / 512)[:, None]
    return (x - mean) / numpy.sqrt((squares / 512)[:, None] - mean * mean + numpy.float32(1e-5))


def rms(x):
    return x * (1 / numpy.sqrt((x * x).mean(axis=1, keepdims=True) + numpy.float32(1e-5)))


class UnequalRows(unittest.TestCase):
    def test_what_takes_several_rows_for_one_fails(self):
        cases = [
            (LOG_SOFTMAX, lambda x: log_softmax(x, 1), True),
            (LOG_SOFTMAX, lambda x: log_softmax(x, 2), False),
            (LOG_SOFTMAX, lambda x: log_softmax(x, 4), False),
            (SOFTMAX, lambda x: softmax(x, 1), True),
            (SOFTMAX, lambda x: softmax(x, 4), False),
            (SOFTMAX, folded_softmax, True),
            (LAYER, layer_in_one_pass, True),
            (LAYER, layer_one_after_another, True),
            (RMS, rms, True),
            (MEAN, lambda x: x.sum(axis=1, keepdims=True) * numpy.float32(1 / 512) + 0 * x, True),
        ]
        for position, (expression, kernel, passed) in enumerate(cases):
            for seed in range(4):
                with self.subTest(case=position, seed=seed):
                    self.assertEqual(passed, self.judged(expression, kernel, seed))

    def judged(self, expression, kernel, seed):
        tensor = {"dtype": "float32"}
        judge = Judge(
            {
                "inputs": {"x": tensor},
                "outputs": {"y": tensor},
                "tolerances": {"y": {"absolute": 2e-5, "relative": 2e-5, "stated": False}},
                "reference": {"kind": "expression", "expressions": {"y": expression}},
                "seed": seed,
            }
        )
        shape = {"sizes": {}, "shapes": {"x": [64, 512], "y": [64, 512]}, "distributions": {"x": "normal"}}
        made, frames = judge.answer("make", {**shape, "variant": "extreme"}, [])
        x = decode(frames[0], "float32", [64, 512]).astype("f4")
        with numpy.errstate(all="ignore"):
            content = encode(kernel(x), "float32")
        return judge.answer("judge", made, [content])[0]["passed"]

    def test_one_input_with_rows_is_changed_and_no_other(self):
        floats = numpy.ones((3, 5, 8))
        cases = [
            ("the first of two", {"x": floats, "y": floats}, "normal", "float32", ["x"]),
            ("behind one without rows", {"x": numpy.ones(8), "y": floats}, "uniform", "float16", ["y"]),
            ("behind a single row", {"x": numpy.ones((1, 8)), "y": floats}, "normal", "float32", ["y"]),
            ("none of whole numbers", {"x": floats}, "normal", "int32", []),
            ("none that is promised to be positive", {"x": floats}, "positive", "float32", []),
        ]
        for name, values, distribution, dtype, changed in cases:
            with self.subTest(name):
                found = dict(values)
                spread_rows(found, dict.fromkeys(values, dtype), dict.fromkeys(values, distribution))
                self.assertEqual(changed, [each for each in values if numpy.any(found[each] != values[each])])
                for each in changed:
                    heights = found[each].reshape(-1, 8)
                    self.assertTrue(numpy.all(heights == heights[:, :1]))
                    self.assertEqual([LOWER] * 7 + [1.0] * 8, sorted(heights[:, 0]))


if __name__ == "__main__":
    unittest.main()
