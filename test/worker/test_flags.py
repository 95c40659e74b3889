"""Tensors of which a kernel asks no more than whether their elements are zero."""

import ast
import unittest

import paths  # noqa: F401
from kernelwright_worker.probe.text.flags import kernel_flags


class Flags(unittest.TestCase):
    def test_by_what_a_kernel_asks(self):
        cases = [
            ("compared at once", "if tl.load(x + i) == 0:\n        return", {"x"}),
            ("compared later", "v = tl.load(x + i)\n    w = tl.where(v != 0, 1.0, 2.0)", {"x"}),
            ("taken for a condition", "v = tl.load(x + i)\n    if v:\n        return", {"x"}),
            ("cast to a condition", "m = tl.load(x + i).to(tl.int1)", {"x"}),
            ("multiplied with, too", "v = tl.load(x + i)\n    w = tl.where(v != 0, v * 2, 1)", set()),
            ("stored to", "v = tl.load(x + i) == 0\n    tl.store(x + i, 1)", set()),
            ("compared with another number", "m = tl.load(x + i) == 7", set()),
        ]
        for name, body, expected in cases:
            with self.subTest(name):
                self.assertEqual(expected, kernel_flags(ast.parse("def k(x, i):\n    %s\n" % body), "k"))


if __name__ == "__main__":
    unittest.main()
