"""Contents of timed calls: what a seed draws from a pool, and which inputs can be drawn so."""

import unittest

import numpy

import paths  # noqa: F401
from kernelwright_worker.errors import WorkerError
from kernelwright_worker.oracle.datatypes import decode, encode
from kernelwright_worker.oracle.judge import Judge
from kernelwright_worker.oracle.pools import POOL, drawn

#: What stands below is calculated with whole numbers, one element after the other.
_MASK = 0xFFFFFFFF


def _mixed(value):
    value ^= value >> 16
    value = value * 0x21F0AAAD & _MASK
    value ^= value >> 15
    value = value * 0x735A2D97 & _MASK
    return value ^ value >> 15


def _one_by_one(pool, width, count, low, high, mask):
    elements = [pool[at : at + width] for at in range(0, len(pool), width)]
    content = b""
    for each in range(count):
        chosen = _mixed(_mixed(each + low & _MASK) ^ high)
        element = int.from_bytes(elements[chosen % len(elements)], "little") & ~(chosen >> 16 & mask)
        content += element.to_bytes(width, "little")
    return content


def _judge(reference=None, **inputs):
    return Judge(
        {
            "inputs": {name: {"dtype": dtype} for name, dtype in inputs.items()},
            "outputs": {"y": {"dtype": "float32"}},
            "tolerances": {"y": {"absolute": 1e-6, "relative": 1e-6, "stated": False}},
            "reference": reference or {"kind": "expression", "expressions": {"y": "2 * x"}},
        }
    )


def _asked(**distributions):
    shapes = {name: [8] for name in distributions}
    return {"sizes": {"n": 8}, "shapes": {**shapes, "y": [8]}, "distributions": distributions}


class Drawing(unittest.TestCase):
    def test_what_is_drawn_follows_from_the_seed(self):
        for width in (1, 2, 4, 8):
            pool = bytes(7 * each % 256 for each in range(16 * width))
            for low, high, mask in ((0, 0, 0), (5, 9, 0), (_MASK, 1, 3), (1, _MASK, 255)):
                with self.subTest(width=width, low=low, mask=mask):
                    self.assertEqual(
                        drawn(pool, width, 100, (low, high, mask)),
                        _one_by_one(pool, width, 100, low, high, mask),
                    )

    def test_other_seeds_draw_other_contents(self):
        pool = numpy.arange(POOL, dtype="<u4").tobytes()
        contents = [drawn(pool, 4, 64, by) for by in ((1, 1, 0), (2, 1, 0), (1, 2, 0))]
        numbers = [set(numpy.frombuffer(each, "<u4").tolist()) for each in contents]
        for one, other in ((0, 1), (0, 2), (1, 2)):
            # The seeds after one another are no shift of each other's contents.
            self.assertLess(len(numbers[one] & numbers[other]), 64 if (one, other) == (0, 1) else 8)
            self.assertNotEqual(contents[one], contents[other])


class Pools(unittest.TestCase):
    def test_which_inputs_are_drawn_one_by_one(self):
        cases = (
            ("normal", "float32", 255),
            ("uniform", "float64", 65535),
            ("positive", "float16", 3),
            ("normal", "bfloat16", 1),
            ("integers", "float32", 0),
            ("zero-one", "float32", 0),
            ("normal", "int32", 0),
            ({"kind": "constant", "value": 3}, "float32", 0),
            ({"kind": "range", "low": -1, "high": 1}, "float32", 0),
            ({"kind": "skewed", "low": 0, "high": 9, "exponent": 1.0}, "int32", 0),
            ("permutation", "int32", None),
            ("sorted", "float32", None),
            ({"kind": "range", "low": 0, "high": 9, "sorted": True}, "int32", None),
            ({"kind": "offsets", "total": 9}, "int32", None),
            ({"kind": "recorded"}, "float32", None),
        )
        for distribution, dtype, mask in cases:
            with self.subTest(distribution=distribution, dtype=dtype):
                result, frames = _judge(x=dtype).answer("pool", _asked(x=distribution), [])
                if mask is None:
                    self.assertEqual((result, frames), ({"pools": 0, "masks": {}}, []))
                    continue
                self.assertEqual(result, {"pools": 1, "masks": {"x": mask}})
                values = decode(frames[0], dtype, [POOL])
                self.assertEqual(values.shape, (POOL,))

    def test_fresh_bits_leave_a_value_between_its_powers_of_two(self):
        for dtype in ("float64", "float32", "float16", "bfloat16"):
            with self.subTest(dtype=dtype):
                judge = _judge(x=dtype)
                result, frames = judge.answer("pool", _asked(x="uniform"), [])
                mask = result["masks"]["x"]
                content = drawn(frames[0], len(frames[0]) // POOL, POOL, (3, 4, mask))
                before = decode(drawn(frames[0], len(frames[0]) // POOL, POOL, (3, 4, 0)), dtype, [POOL])
                after = decode(content, dtype, [POOL])
                self.assertTrue((numpy.abs(after) <= 1).all())
                self.assertGreater((before != after).mean(), 0.2)
                large = numpy.abs(before) > 2.0**-8
                self.assertTrue((numpy.frexp(before[large])[1] == numpy.frexp(after[large])[1]).all())

    def test_a_drawn_case_has_what_the_seeds_draw_and_its_reference(self):
        judge = _judge(x="float32", f="float32")
        result, frames = judge.answer("pool", _asked(x="normal", f="positive"), [])
        seeds = {"x": [11, 12], "f": [13, 14]}
        drawn_case, sent = judge.answer("draw", {"pools": result["pools"], "seeds": seeds}, [])
        self.assertEqual(sent, [])
        x = decode(drawn(frames[0], 4, 8, (11, 12, 255)), "float32", [8])
        for factor, passed in ((2, True), (3, False)):
            outputs = [encode(factor * x, "float32")]
            verdict, _ = judge.answer("judge", drawn_case, outputs)
            self.assertEqual(verdict["passed"], passed)

    def test_pools_that_are_given_back_are_gone(self):
        judge = _judge(x="float32")
        result, _ = judge.answer("pool", _asked(x="normal"), [])
        judge.answer("forget", {"case": result["pools"]}, [])
        with self.assertRaisesRegex(WorkerError, "no pools 1"):
            judge.answer("draw", {"pools": result["pools"], "seeds": {"x": [0, 0]}}, [])


if __name__ == "__main__":
    unittest.main()
