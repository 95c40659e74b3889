"""Which sizes of a report are run when each takes its time."""

import unittest

import paths
from kernelwright_worker.script.pace import Pace


class Clock:
    """Stands still but for what is put on it."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def run(seconds, count, cost, times=1):
    """The sizes that are run of 0 to count - 1, where size N takes cost(N) seconds, and what is told."""
    clock, told = Clock(), []
    pace = Pace(seconds, told.append, clock)
    for _ in range(times):
        taken = []
        for size in pace.of("sums", range(count)):
            clock.now += cost(size)
            taken.append(size)
    return taken, told


LEFT_OUT = "the others are left out; --report-seconds 0 runs all"


class Paces(unittest.TestCase):
    def test_sizes_are_left_out_evenly_of_what_does_not_fit(self):
        cases = [
            ("short", (60, 4, lambda _: 1), [0, 1, 2, 3], []),
            ("no limit", (0, 4, lambda _: 99), [0, 1, 2, 3], []),
            ("free", (60, 3, lambda _: 0), [0, 1, 2], []),
            ("none", (60, 0, lambda _: 1), [], []),
            ("endless", (60, 4, lambda _: 99), [0], ["sums: 1 of 4 sizes were run in 99 s, " + LEFT_OUT]),
            (
                "equal",
                (20, 30, lambda _: 1),
                [0, 4, 8, 11, 14, 17, 20, 23, 26, 29],
                ["sums: 10 of 30 sizes were run in 10 s, " + LEFT_OUT],
            ),
            (
                "growing",
                (60, 40, lambda size: size / 10),
                [*range(10), 11, 13, 15, 17, 19, 22, 25, 28, 32, 36, 39],
                ["sums: 21 of 40 sizes were run in 30 s, " + LEFT_OUT],
            ),
            (
                "the third of its kind",
                (8, 4, lambda _: 1, 3),
                [0],
                [
                    "sums: 2 of 4 sizes were run in 2 s, " + LEFT_OUT,
                    "sums: 1 of 4 sizes were run in 1 s, " + LEFT_OUT,
                ],
            ),
        ]
        for title, given, taken, told in cases:
            with self.subTest(title):
                self.assertEqual((taken, told), run(*given))

    def test_a_report_is_late_while_it_has_used_up_its_share(self):
        clock = Clock()
        pace = Pace(20, lambda _: None, clock)
        seen = [pace.is_late]
        for size in pace.of("sums", range(2)):
            clock.now += 8 * size + 4
            seen.append(pace.is_late)
        clock.now += 1000
        self.assertEqual([False, False, True, False], [*seen, pace.is_late])


if __name__ == "__main__":
    unittest.main()
