"""What rounding decides, and what it does not."""

import unittest

import numpy

from kernelwright_worker.oracle.datatypes import decode, encode
from kernelwright_worker.oracle.judge import Judge

COUNT = 400


def judge_of(dtype: str, expression: str, output: str, stated: bool = False) -> Judge:
    return Judge(
        {
            "inputs": {"x": {"dtype": dtype, "distribution": "positive"}},
            "outputs": {"y": {"dtype": output}},
            "tolerances": {"y": {"absolute": 1e-5, "relative": 1e-5, "stated": stated}},
            "reference": {"kind": "expression", "expressions": {"y": expression}},
            "seed": 7,
        }
    )


class Case:
    """Inputs of which the first few lie where the last bits decide."""

    def __init__(self, judge: Judge, values: numpy.ndarray, dtype: str = "float32") -> None:
        self.judge = judge
        params = {
            "sizes": {"n": COUNT},
            "shapes": {"x": [COUNT], "y": [COUNT]},
            "variant": "declared",
            "distributions": {"x": {"kind": "recorded"}},
        }
        answer, _ = judge.answer("make", params, [encode(values, dtype)])
        self.case = answer["case"]

    def moved(self, *ways: str) -> "Case":
        for way in ways or ("out", "in"):
            answer, _ = self.judge.answer("move", {"case": self.case, "way": way}, [])
            self.judge.answer("steady", {"case": self.case, "from": self.case, "moved": answer["case"]}, [])
            self.judge.answer("forget", {"case": answer["case"]}, [])
        return self

    def wrong(self, outputs: numpy.ndarray, dtype: str) -> int:
        answer, _ = self.judge.answer("judge", {"case": self.case}, [encode(outputs, dtype)])
        return 0 if answer["passed"] else answer["mismatch"]["wrong"]


def on_the_edge(edges: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Inputs of which so many are whole but for the last bit, and what the floor of each is."""
    values = numpy.linspace(10.25, 90.75, COUNT).round() + 0.5
    values[:edges] = numpy.nextafter(numpy.float32(30.0), numpy.float32(29.0))
    return values, numpy.floor(values.astype("f4"))


class Thresholds(unittest.TestCase):
    def test_elements_on_the_edge_may_fall_on_either_side(self) -> None:
        values, floors = on_the_edge(3)
        other = floors.copy()
        other[:3] += 1
        case = Case(judge_of("float32", "floor(x)", "int32"), values)
        self.assertEqual(3, case.wrong(other, "int32"))
        self.assertEqual(0, case.moved().wrong(other, "int32"))

    def test_no_further_than_the_inputs_take_them(self) -> None:
        values, floors = on_the_edge(3)
        other = floors.copy()
        other[:3] += 5
        self.assertEqual(
            3, Case(judge_of("float32", "floor(x)", "int32"), values).moved().wrong(other, "int32")
        )

    def test_elements_that_are_not_on_the_edge_are_wrong(self) -> None:
        values, floors = on_the_edge(3)
        other = floors.copy()
        other[3:6] += 1
        self.assertEqual(
            3, Case(judge_of("float32", "floor(x)", "int32"), values).moved().wrong(other, "int32")
        )

    def test_many_elements_are_no_matter_of_rounding(self) -> None:
        values, floors = on_the_edge(20)
        other = floors.copy()
        other[:20] += 1
        self.assertEqual(
            20, Case(judge_of("float32", "floor(x)", "int32"), values).moved().wrong(other, "int32")
        )

    def test_a_tolerance_that_is_stated_is_all_there_is(self) -> None:
        values, floors = on_the_edge(3)
        other = floors.copy()
        other[:3] += 1
        judge = judge_of("float32", "floor(x)", "int32", stated=True)
        self.assertEqual(0, Case(judge, values).wrong(floors, "int32"))


class Conditioning(unittest.TestCase):
    def test_a_difference_of_near_numbers_keeps_the_error_of_its_operands(self) -> None:
        values = numpy.linspace(2.0, 3.0, COUNT)
        values[:2] = 1.0 + 2.0**-20
        case = Case(judge_of("float32", "1 / (x - 1)", "float32"), values)
        expected = 1.0 / (values.astype("f4").astype("f8") - 1.0)
        other = expected.copy()
        other[:2] *= 1.1
        self.assertEqual(2, case.wrong(other, "float32"))
        self.assertEqual(0, case.moved().wrong(other, "float32"))
        other[:2] *= 10.0
        self.assertEqual(2, case.wrong(other, "float32"))

    def test_what_is_no_number_is_excused_nowhere(self) -> None:
        values = numpy.linspace(2.0, 3.0, COUNT)
        values[:2] = 1.0 + 2.0**-20
        case = Case(judge_of("float32", "1 / (x - 1)", "float32"), values).moved()
        other = 1.0 / (values.astype("f4").astype("f8") - 1.0)
        other[0] = numpy.nan
        self.assertEqual(1, case.wrong(other, "float32"))

    def test_values_of_half_precision_stay(self) -> None:
        judge = judge_of("float16", "x", "float16")
        values = numpy.linspace(1.0, 2.0, COUNT)
        case = Case(judge, values, "float16")
        answer, frames = judge.answer("move", {"case": case.case, "way": "any"}, [])
        self.assertTrue(
            (decode(frames[0], "float16", [COUNT]) == values.astype("f2").astype("f8")).all(), answer
        )


if __name__ == "__main__":
    unittest.main()
