"""What a baseline that multiplies short numbers is held against."""

import unittest

import numpy

import paths  # noqa: F401
from kernelwright_worker.oracle.datatypes import encode
from kernelwright_worker.oracle.judge import Judge

COUNT = 64
ROUGH = {"absolute": 2e-3, "relative": 2e-3}


class Rough(unittest.TestCase):
    def judged(self, least: dict | None, stated: bool, error: float) -> bool:
        judge = Judge(
            {
                "inputs": {"x": {"dtype": "float32"}},
                "outputs": {"y": {"dtype": "float32"}},
                "tolerances": {"y": {"absolute": 2e-5, "relative": 2e-5, "stated": stated}},
                "reference": {"kind": "baseline"},
                "seed": 7,
            }
        )
        shape = {"sizes": {"n": COUNT}, "shapes": {"x": [COUNT], "y": [COUNT]}}
        made, _ = judge.answer("make", {**shape, "variant": "declared", "distributions": {"x": "normal"}}, [])
        values = numpy.ones(COUNT)
        judge.answer("expect", {"case": made["case"], "least": least}, [encode(values, "float32")])
        answer, _ = judge.answer("judge", {"case": made["case"]}, [encode(values + error, "float32")])
        return answer["passed"]

    def test_the_digits_of_short_numbers_are_enough(self):
        self.assertFalse(self.judged(None, False, 1e-3))
        self.assertTrue(self.judged(ROUGH, False, 1e-3))
        self.assertFalse(self.judged(ROUGH, False, 1e-2))

    def test_a_stated_tolerance_stays(self):
        self.assertFalse(self.judged(ROUGH, True, 1e-3))


if __name__ == "__main__":
    unittest.main()
