"""What the autotuner is told of its configurations, and what the user of its choice."""

import contextlib
import io
import math
import unittest
from types import SimpleNamespace

import paths
import triton
from kernelwright_worker.script.benchmarks import Benchmarks
from kernelwright_worker.script.pace import Pace


class Driver:
    """Models 500 ns for each launch."""

    launched = sampled = 0

    def modelled(self):
        return 500.0 * self.launched

    def benchmarking(self):
        return contextlib.nullcontext()

    def launch(self):
        self.launched += 1


class Clock:
    """Goes on by a second each time it is looked at."""

    now = 0.0

    def __call__(self):
        self.now += 1
        return self.now


def choose(lateness, count=3):
    """The milliseconds of each configuration, of which the Nth is ranked in a report that is late or not, and
    what is told of the choice.
    """
    driver = Driver()
    pace = SimpleNamespace(is_late=False, has_compared_enough=False, compares=contextlib.nullcontext)
    benchmarks = Benchmarks(driver, pace)
    configurations = [triton.Config({"BLOCK": 2**each}) for each in range(count)]
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        benchmarks.begin_choice()
        times = {}
        for configuration, pace.is_late in zip(configurations, lateness):
            times[configuration] = benchmarks.rank(driver.launch, quantiles=[0.5])
        fn = SimpleNamespace(__name__="scale")
        benchmarks.choice(fn=fn, best_config=configurations[0], configs_timings=times, cache_hit=False)
    return [each[0] for each in times.values()], said.getvalue().splitlines()


TAKEN = "kernelwright: autotune of scale took BLOCK=1 num_warps=4 num_stages=3: 500 ns, the least of "


class Tuning(unittest.TestCase):
    def test_a_late_report_leaves_configurations_out_but_never_all(self):
        cases = [
            ("in time", [False] * 3, [0.0005] * 3, [TAKEN + "3 configurations (modelled, not measured)"]),
            (
                "late from the start",
                [True] * 3,
                [0.0005, math.inf, math.inf],
                [
                    TAKEN + "1 configurations (modelled, not measured)",
                    "kernelwright: autotune of scale: 2 more configurations are left out, as the report has used up "
                    "its time; --report-seconds 0 tries all",
                ],
            ),
        ]
        for title, lateness, times, told in cases:
            with self.subTest(title):
                self.assertEqual((times, told), choose(lateness))

    def test_after_its_time_a_kernel_keeps_what_it_was_given_before(self):
        first, second, third = (triton.Config({"BLOCK": 2**each}) for each in range(3))
        driver = Driver()
        cases = [
            # Seconds of all reports, half of which are for comparing; each rank takes one.
            ("no limit", 0, [[first, second, third]] * 3, [3, 3, 3]),
            ("in time", 40, [[first, second, third]] * 3, [3, 3, 3]),
            (
                "used up in the second choice",
                8,
                [[first, second, third], [first, second, third], [second, first, third]],
                [3, 1, 1],
            ),
        ]
        for title, seconds, orders, ranked in cases:
            with self.subTest(title):
                said = io.StringIO()
                benchmarks = Benchmarks(driver, Pace(seconds, said.write, Clock()))
                tuner = SimpleNamespace(cache={})
                seen = []
                for key in range(3):
                    benchmarks.begin_choice()
                    order = benchmarks.in_order(tuner, [first, second, third])
                    times = {each: benchmarks.rank(driver.launch, quantiles=[0.5])[0] for each in order}
                    seen.append((order, sum(math.isfinite(time) for time in times.values())))
                    tuner.cache[key] = second
                self.assertEqual(list(zip(orders, ranked)), seen)


if __name__ == "__main__":
    unittest.main()
