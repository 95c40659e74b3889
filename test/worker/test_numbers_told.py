"""Numbers that comments and docstrings give for sizes."""

import ast
import unittest

import paths  # noqa: F401
from kernelwright_worker.probe.text.numbers_told import numbers_told


class Told(unittest.TestCase):
    def test_of_sizes(self):
        cases = [
            ("# N = 1 << 20", {"N": 1 << 20}),
            ('def f(x):\n    """x: (N, dim); dim is usually 4096."""', {"dim": 4096}),
            ('"""n: 2**12, dim 7"""', {"N": 4096}),
            ("# N / 4 = 3, dim = 0.5, x.dim = 3", {}),
            ("N = 64", {}),
            ("# one token at a time: N == 1", {}),
        ]
        for text, expected in cases:
            with self.subTest(text):
                self.assertEqual(expected, numbers_told(text, ast.parse(text), ["N", "dim"]))


if __name__ == "__main__":
    unittest.main()
