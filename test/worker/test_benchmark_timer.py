"""How often torch's own timer runs a statement."""

import types
import unittest

import paths
from kernelwright_worker.torch_gpu import benchmark_timer


class BenchmarkTimers(unittest.TestCase):
    def test_long_statements_are_run_a_few_times_and_the_rest_counts_as_these(self):
        cases = [
            # (seconds of one, repetitions asked for, repetitions run, seconds told, whether the user is told)
            (1e-6, 1000, 1000, 1e-3, False),
            (0.25, 2, 2, 0.5, False),
            (0.25, 3, 3, 0.75, False),
            (0.25, 7, 7, 1.75, False),
            (0.25, 8, 3, 2.0, True),
            (0.25, 1000, 3, 250.0, True),
        ]
        for seconds, asked, run, told, is_said in cases:
            with self.subTest(seconds=seconds, asked=asked):
                counts, said = [], []

                class Timer:
                    def _timeit(self, number):
                        counts.append(number)
                        return seconds * number

                benchmark_timer._shorten(types.SimpleNamespace(Timer=Timer), said.append)
                self.assertAlmostEqual(told, Timer()._timeit(asked))
                self.assertEqual((run, is_said), (sum(counts), len(said) == 1))


if __name__ == "__main__":
    unittest.main()
