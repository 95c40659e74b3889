"""A mean over everything is told from a sum, and held more closely."""

import unittest

import numpy

import paths  # noqa: F401
from kernelwright_worker.oracle.datatypes import decode, encode
from kernelwright_worker.oracle.judge import Judge

COUNT = 1 << 20


class OneNumber(unittest.TestCase):
    def passing(self, result) -> list[str]:
        """What passes for the result of one number, as the check of the task itself tells."""
        judge = Judge(
            {
                "inputs": {"x": {"dtype": "float32"}},
                "outputs": {"y": {"dtype": "float32"}},
                "tolerances": {"y": {"absolute": 2e-5, "relative": 2e-5, "stated": False}},
                "reference": {"kind": "baseline"},
                "seed": 7,
            }
        )
        shape = {"sizes": {"n": COUNT}, "shapes": {"x": [COUNT], "y": []}, "distributions": {"x": "normal"}}
        cases = []
        for _ in range(2):
            made, frames = judge.answer("make", {**shape, "variant": "declared"}, [])
            cases.append(made["case"])
            values = decode(frames[0], "float32", [COUNT]).astype("f8")
            judge.answer("expect", made, [encode(numpy.array(result(values)), "float32")])
        one, other = cases
        told = {"case": one, "other": other, "permuted": one, "copies": False}
        return judge.answer("trivial", told, [])[0]["passing"]

    def test_means_are_told_from_those_of_other_inputs(self):
        means = [
            lambda x: numpy.abs(x).mean(),
            lambda x: 2 * (x * x).mean(),
            lambda x: numpy.where(x > 0, numpy.minimum(x, 0.5), 0).mean(),
        ]
        for index, mean in enumerate(means):
            with self.subTest(index=index):
                self.assertFalse([each for each in self.passing(mean) if "other inputs" in each])

    def test_what_adds_up_to_more_than_a_mean_may_be_rounded_as_a_sum(self):
        self.assertTrue(self.passing(lambda x: 50 + 1e-3 * x.mean()))


if __name__ == "__main__":
    unittest.main()
