"""How much of stated sizes a check has time for."""

import unittest

import paths  # noqa: F401

from kernelwright_worker.probe.stated_work import StatedSizes

LIMIT = 40_000_000


def fitted(first, told, work, blocks, runs=lambda sizes: True):
    """The sizes, and what was run on the way to them."""
    ran = []

    def instructions(sizes):
        ran.append(dict(sizes))
        return work(sizes) if runs(sizes) else None

    return StatedSizes(first, work(first), instructions, blocks).affordable(told), ran


class StatedWork(unittest.TestCase):
    def test_sizes_that_are_little_work_stay_as_they_are(self):
        sizes, ran = fitted({"n": 64, "d": 32}, {"n": 256}, lambda each: each["n"] * 10, lambda each: 1)
        self.assertEqual((sizes, ran), ({"n": 256, "d": 32}, []))

    def test_work_that_grows_with_the_square_is_seen_on_the_way(self):
        def work(sizes):
            return 40 * sizes["t"] ** 2

        sizes, ran = fitted({"t": 64}, {"t": 8192}, work, lambda each: each["t"])
        self.assertTrue(ran)
        self.assertLessEqual(max(work(each) for each in ran), LIMIT)
        self.assertEqual(sizes, {"t": 512})
        self.assertLessEqual(work(sizes), LIMIT)

    def test_the_grid_stays_filled_while_another_size_can_be_smaller(self):
        def work(sizes):
            return 80 * sizes["rows"] * sizes["codes"] // 4

        told = {"rows": 131072, "codes": 512, "width": 64}
        first = {"rows": 64, "codes": 16, "width": 32}
        sizes, _ = fitted(first, told, work, lambda each: each["rows"] // 128)
        self.assertEqual(sizes["rows"] // 128, 128)
        self.assertEqual(sizes["width"], 64)
        self.assertLess(sizes["codes"], 512)
        self.assertLessEqual(work(sizes), LIMIT)

    def test_sizes_between_that_do_not_run_tell_nothing(self):
        def work(sizes):
            return 20_000 * sizes["t"]

        sizes, ran = fitted({"t": 64}, {"t": 4096}, work, lambda each: 1, runs=lambda each: False)
        self.assertEqual((sizes, len(ran)), ({"t": 1024}, 1))

    def test_nothing_is_left_of_sizes_that_are_too_much_in_any_case(self):
        sizes, _ = fitted({"t": 8}, {"t": 16}, lambda each: 10**9, lambda each: 1)
        self.assertIsNone(sizes)


if __name__ == "__main__":
    unittest.main()
