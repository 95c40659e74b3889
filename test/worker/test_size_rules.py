"""Sizes that follow from what code compares shapes with, and from names of sizes."""

import ast
import unittest

import paths  # noqa: F401
import usual
from kernelwright_worker.probe.entries import Entry
from kernelwright_worker.probe.scaling import CompiledSizes, Growth
from kernelwright_worker.probe.search import Attempt
from kernelwright_worker.probe.values.small_sizes import is_short, small_sizes
from kernelwright_worker.probe.values.usual import USUAL
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
            ("assert a.size(-1) == 2 * width", {"a": {-1: "2 * width"}}),
        ]
        for body, expected in cases:
            with self.subTest(body):
                function = ast.parse("def call(a, b, rows, width):\n    %s\n" % body).body[0]
                self.assertEqual(expected, compared_sizes(function, {"SPAN": 32}))


class SmallSizes(unittest.TestCase):
    def test_of_pictures(self):
        self.assertEqual({"N": 2, "C": 64, "H": 4, "W": 32}, small_sizes(["N", "C", "H", "W"]))
        self.assertEqual({"N": 64, "K": 32}, small_sizes(["N", "K"]))

    def test_of_experts(self):
        self.assertEqual(4, small_sizes(["num_experts", "D"])["num_experts"])
        self.assertEqual({"E": 4, "D": 64, "K": 32}, small_sizes(["E", "D", "K"]))
        self.assertEqual({"B": 2, "T": 64, "E": 32, "K": 16}, small_sizes(["B", "T", "E", "K"]))

    def test_of_tables(self):
        names = ["num_pages", "page_size", "width", "max_pages"]
        self.assertEqual([128, 64, 32, 8], list(small_sizes(names).values()))
        self.assertEqual([64, 32], list(small_sizes(["num_pages", "page_size"]).values()))


class GrownSizes(unittest.TestCase):
    def setUp(self):
        USUAL.take(usual.ROWS)

    def test_lengths_first(self):
        """Work grows by 4 with each doubling, that of `B` and `S` from 2 and 64; nothing is compiled for them."""
        cases = [
            (["B", "S"], 4**3, True, {"B": 2, "S": 512}),
            (["B", "S"], 4**5, True, {"B": 4, "S": 1024}),
            (["B"], 4**3, True, {"B": 16, "S": 64}),
            (["S"], 4**9, False, {"B": 2, "S": 1024}),
            (["B", "S"], 3, True, {"B": 2, "S": 64}),
        ]
        for able, most, fills, expected in cases:
            with self.subTest(str((able, most))):
                sizes = {"B": 2, "S": 64}
                compiled = CompiledSizes(lambda *_: Attempt(0, 0), Entry, sizes)
                growth = Growth(lambda *_: True, compiled, most, fills)
                self.assertEqual(expected, growth.grown(sizes, able, 1, 4.0))

    def test_names_of_lengths(self):
        short = ["S", "seq_len", "T", "n_ctx", "kv_len", "max_seqlen", "lk", "tokens", "max_pages"]
        others = ["D", "hidden", "batch", "num_pages", "rows", "stride", "page_size", "st"]
        self.assertEqual(short, [each for each in [*short, *others] if is_short(each, 16)])
        self.assertEqual([], [each for each in short if is_short(each, 1024)])


if __name__ == "__main__":
    unittest.main()
