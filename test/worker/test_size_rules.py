"""Sizes that follow from what code compares shapes with, and from names of sizes."""

import ast
import unittest

import paths  # noqa: F401
from kernelwright_worker.probe.small_sizes import small_sizes
from kernelwright_worker.probe.text.size_rules import compared_shapes, compared_sizes


class ComparedShapes(unittest.TestCase):
    def test_of_each_tensor(self):
        cases = [
            ("assert a.shape == (rows, 2 * width)", {"a": ["rows", "2 * width"]}),
            ("assert (rows, width) == a.size()", {"a": ["rows", "width"]}),
            (
                "assert width % SPAN == 0 and a.shape == b.shape == (rows, width // SPAN)",
                {"a": ["rows", "width // 32"], "b": ["rows", "width // 32"]},
            ),
            ("assert a.shape == b.shape", {}),
            ("if a.shape != (rows, width): raise ValueError", {"a": ["rows", "width"]}),
            ("if rows < 4 and a.shape != (rows, width): raise ValueError", {}),
            ("assert a.shape != (rows, width)", {}),
        ]
        for body, expected in cases:
            with self.subTest(body):
                function = ast.parse("def call(a, b, rows, width):\n    %s\n" % body).body[0]
                self.assertEqual(expected, compared_shapes(function, {"SPAN": 32}))


class ComparedSizes(unittest.TestCase):
    def test_of_single_dimensions(self):
        cases = [
            ("assert a.shape[1] == width // 2 + 1", {"a": {1: "(width // 2) + 1"}}),
            ("assert width // SPAN == a.size(1)", {"a": {1: "width // 32"}}),
            ("n, k = b.shape\n    assert k == 2 * width, k", {"b": {1: "2 * width"}}),
            ("if a.shape[0] != rows + 1 or rows > 9: raise ValueError", {"a": {0: "rows + 1"}}),
            ("if a.shape[0] != rows + 1 and rows > 9: raise ValueError", {}),
            ("if a.shape[0] == rows + 1: raise ValueError", {}),
            ("assert a.shape[0] == b.shape[0] * 2", {}),
            ("assert a.shape[0] == rows", {}),
        ]
        for body, expected in cases:
            with self.subTest(body):
                function = ast.parse("def call(a, b, rows, width):\n    %s\n" % body).body[0]
                self.assertEqual(expected, compared_sizes(function, {"SPAN": 32}))


class SmallSizes(unittest.TestCase):
    def test_of_pictures(self):
        self.assertEqual({"N": 2, "C": 64, "H": 4, "W": 32}, small_sizes(["N", "C", "H", "W"]))
        self.assertEqual({"N": 64, "K": 32}, small_sizes(["N", "K"]))


if __name__ == "__main__":
    unittest.main()
