"""What a search for a call may use is counted in work, not in time on the wall."""

import time
import unittest

import paths  # noqa: F401
from kernelwright_worker.probe.budget import Budget


class Budgets(unittest.TestCase):
    def test_what_spends_a_budget(self):
        cases = [
            ("nothing", [], 0.0, False),
            ("a busy machine, on which the process has to wait", [], 0.3, False),
            ("a few launches", [40, 59], 0.0, False),
            ("launches of more work than it has", [40, 60], 0.0, True),
        ]
        for name, launches, waited, spent in cases:
            with self.subTest(name):
                budget = Budget(seconds=0.1, instructions=100)
                time.sleep(waited)
                for instructions in launches:
                    budget.charge(instructions)
                self.assertEqual(budget.is_spent, spent)

    def test_processor_time_spends_it(self):
        budget = Budget(seconds=0.05, instructions=100)
        until = time.process_time() + 0.1
        while time.process_time() < until:
            pass
        self.assertTrue(budget.is_spent)


if __name__ == "__main__":
    unittest.main()
