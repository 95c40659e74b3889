"""Tables that stand in for those of a package that is not there."""

import importlib
import sys
import unittest

import paths  # noqa: F401
from kernelwright_worker.absent import plain_tables


class PlainTables(unittest.TestCase):
    def setUp(self):
        self.said = []
        self.before = sys.modules.pop("tabulate", None)
        plain_tables.install(self.said.append)
        self.tabulate = importlib.import_module("tabulate").tabulate
        if not hasattr(importlib.import_module("tabulate"), "__file__"):
            self.addCleanup(sys.modules.pop, "tabulate", None)
        else:
            self.skipTest("this Python has tabulate")

    def check(self, wanted, *arguments, **named):
        self.assertEqual(self.tabulate(*arguments, **named).split("\n"), wanted)

    def test_rows(self):
        self.check(
            ["-----  -----  --", "input    0.5   1", "kept   -1.25  20", "-----  -----  --"],
            [["input", 0.5, 1], ["kept", -1.25, 20]],
        )

    def test_names_of_columns(self):
        wanted = ["size   ms", "----  ---", "  64  1.5", " 128"]
        self.check(wanted, [[64, 1.5], [128, None]], headers=["size", "ms"])
        self.check(wanted, {"size": [64, 128], "ms": [1.5]}, headers="keys", tablefmt="grid")
        self.check(wanted, [["size", "ms"], [64, 1.5], [128]], headers="firstrow")

    def test_nothing(self):
        self.check(["", ""], [])

    def test_it_is_told(self):
        self.tabulate([[1]])
        self.assertEqual(self.said, ["tables are printed plainly: this Python has no tabulate"])
