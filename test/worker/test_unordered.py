"""Which results may stand in another order, as two runs of the original tell it, and which may not."""

import unittest

import numpy

from kernelwright_worker.oracle.datatypes import encode
from kernelwright_worker.oracle.judge import Judge

#: Places of a list that holds fewer elements, behind them zeros.
ROOM = 64
HITS = numpy.array([*range(7, 47), *[0] * 24], "i4")
#: The same hits where the last of four blocks came first: its eleven, and so on.
BACKWARDS = numpy.concatenate([HITS[29:40], HITS[20:29], HITS[8:20], HITS[:8], HITS[40:]])


def swapped(values: numpy.ndarray, one: int, other: int) -> numpy.ndarray:
    changed = values.copy()
    changed[[one, other]] = changed[[other, one]]
    return changed


def buckets(*orders: tuple[int, ...]) -> numpy.ndarray:
    """Four elements of each bucket in some order, bucket after bucket."""
    return numpy.concatenate(
        [10 * bucket + numpy.array(order, "i4") for bucket, order in enumerate(orders)]
    ).astype("i4")


#: Name, the original in two orders, a candidate, and whether it is right.
CASES = [
    ("the order of the second run", HITS, BACKWARDS, BACKWARDS, True),
    ("an order of its own", HITS, BACKWARDS, swapped(HITS, 3, 30), True),
    ("another element", HITS, BACKWARDS, numpy.where(HITS == 9, 99, HITS), False),
    ("an element twice in the place of another", HITS, BACKWARDS, numpy.where(HITS == 9, 8, HITS), False),
    ("an element behind the end of the list", HITS, BACKWARDS, swapped(HITS, 3, 50), False),
    ("an order that the original never has", HITS, HITS, BACKWARDS, False),
    (
        "a bucket in another order",
        buckets((0, 1, 2, 3), (0, 1, 2, 3)),
        buckets((2, 3, 0, 1), (3, 2, 1, 0)),
        buckets((3, 0, 2, 1), (1, 0, 3, 2)),
        True,
    ),
    (
        "elements of two buckets that change places",
        buckets((0, 1, 2, 3), (0, 1, 2, 3)),
        buckets((2, 3, 0, 1), (3, 2, 1, 0)),
        swapped(buckets((0, 1, 2, 3), (0, 1, 2, 3)), 1, 5),
        False,
    ),
    (
        "lists that lie between each other",
        numpy.array([[1, 10], [2, 20], [3, 30]]).reshape(-1),
        numpy.array([[3, 30], [1, 20], [2, 10]]).reshape(-1),
        numpy.array([[2, 20], [3, 10], [1, 30]]).reshape(-1),
        True,
    ),
    (
        "elements of lists that lie between each other, in the other list",
        numpy.array([[1, 10], [2, 20], [3, 30]]).reshape(-1),
        numpy.array([[3, 30], [1, 20], [2, 10]]).reshape(-1),
        numpy.array([[10, 1], [2, 20], [3, 30]]).reshape(-1),
        False,
    ),
]

#: The same of pairs, as they lie one behind the other.
PAIRS = numpy.array([[1, 5], [2, 9], [3, 1], [4, 4], [6, 2]])
PAIR_CASES = [
    ("pairs in another order", PAIRS[[1, 0, 2, 4, 3]], True),
    ("numbers that leave their pair", numpy.array([[1, 9], [2, 5], [3, 1], [4, 4], [6, 2]]), False),
]


def judge_of(outputs: dict[str, list[int]], dtype: str = "int32") -> tuple[Judge, int]:
    judge = Judge(
        {
            "inputs": {},
            "outputs": {name: {"dtype": dtype} for name in outputs},
            "tolerances": {name: {"absolute": 0.0, "relative": 1e-5, "stated": False} for name in outputs},
            "reference": {"kind": "baseline"},
            "seed": 7,
        }
    )
    params = {"sizes": {"lists": 2}, "shapes": outputs, "variant": "declared", "distributions": {}}
    answer, _ = judge.answer("make", params, [])
    return judge, answer["case"]


class Orders(unittest.TestCase):
    def passes(
        self, first: dict, second: dict, candidate: dict[str, numpy.ndarray], dtype: str = "int32"
    ) -> bool:
        judge, case = judge_of({name: list(each.shape) for name, each in first.items()}, dtype)
        frames = [[encode(each, dtype) for each in run.values()] for run in (first, second, candidate)]
        judge.answer("expect", {"case": case}, frames[0])
        judge.answer("loosen", {"case": case}, [*frames[0], *frames[1]])
        answer, _ = judge.answer("judge", {"case": case}, frames[2])
        return answer["passed"]

    def test_a_list_is_compared_as_far_as_its_order_is_fixed(self) -> None:
        for name, first, second, candidate, is_right in CASES:
            with self.subTest(name):
                self.assertEqual(
                    self.passes({"list": first}, {"list": second}, {"list": candidate}), is_right
                )

    def test_a_third_run_shows_what_two_do_not(self) -> None:
        first, second, third = (numpy.array(each) for each in ([1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 4, 3]))
        judge, case = judge_of({"list": [4]})
        frame = lambda values: encode(values, "int32")
        judge.answer("expect", {"case": case}, [frame(first)])
        for runs, is_right in (((first, second), False), ((first, second, third), True)):
            judge.answer("loosen", {"case": case}, [frame(each) for each in runs])
            answer, _ = judge.answer("judge", {"case": case}, [frame(numpy.array([2, 1, 4, 3]))])
            self.assertEqual(answer["passed"], is_right)

    def test_pairs_stay_together(self) -> None:
        other = PAIRS[[4, 3, 2, 1, 0]]
        for name, candidate, is_right in PAIR_CASES:
            for shape in ((5, 2), (10,)):
                with self.subTest("%s %s" % (name, shape)):
                    runs = [{"list": each.reshape(shape)} for each in (PAIRS, other, candidate)]
                    self.assertEqual(self.passes(*runs), is_right)

    def test_lists_that_were_filled_together_keep_their_rows(self) -> None:
        one, other = PAIRS, PAIRS[[3, 4, 0, 2, 1]]
        apart = [{"first": each[:, 0].copy(), "second": each[:, 1].copy()} for each in (one, other)]
        moved = PAIRS[[1, 0, 2, 3, 4]]
        together = {"first": moved[:, 0].copy(), "second": moved[:, 1].copy()}
        torn = {"first": moved[:, 0].copy(), "second": one[:, 1].copy()}
        self.assertTrue(self.passes(*apart, together))
        self.assertFalse(self.passes(*apart, torn))

    def test_places_in_a_list_are_no_list(self) -> None:
        """Where elements went says where each of them is: both change, and not row by row."""
        count = 6
        order = numpy.array([4, 5, 2, 3, 0, 1])
        first = {"list": numpy.arange(count), "where": numpy.arange(count)}
        second = {"list": order, "where": numpy.argsort(order)[[1, 0, 3, 2, 5, 4]]}
        wrong = {"list": numpy.arange(count), "where": numpy.arange(count)[::-1].copy()}
        self.assertFalse(self.passes(first, second, wrong))

    def test_floats_find_each_other_within_their_tolerance(self) -> None:
        values = numpy.array([3.0, 1.0, 2.0, 8.0], "f4")
        off = values[[2, 3, 0, 1]] * numpy.float32(1 + 1e-6)
        runs = [{"list": each} for each in (values, values[::-1].copy(), off)]
        self.assertTrue(self.passes(*runs, dtype="float32"))
        wrong = {"list": values[[2, 3, 0, 1]] * numpy.float32(1.01)}
        self.assertFalse(self.passes(*runs[:2], wrong, dtype="float32"))


if __name__ == "__main__":
    unittest.main()
