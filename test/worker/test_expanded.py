"""What is said of a tensor whose elements share memory, where a launch has gone behind its end."""

import unittest

import paths  # noqa: F401
import torch
from kernelwright_worker.script.driver import expanded_in

FAULT = 'flow.py:9: out of bounds: reads 4 bytes at 0x10, 8 bytes behind the end of "%s" (4 bytes)'


class Expanded(unittest.TestCase):
    def test_sentence(self):
        shared = torch.ones(()).expand(3, 5)
        said = "; heat is expanded: its elements share memory, which .contiguous() gives to each"
        cases = [
            ("an expanded tensor", FAULT % "heat 6", [("tensor", "heat", shared)], said),
            ("without a number", FAULT % "heat", [("scalar", "n", b""), ("tensor", "heat", shared)], said),
            ("a whole tensor", FAULT % "heat 6", [("tensor", "heat", torch.ones(3, 5))], ""),
            ("one element", FAULT % "heat", [("tensor", "heat", torch.ones(()).expand(1, 1))], ""),
            ("another tensor", FAULT % "cold 6", [("tensor", "heat", shared)], ""),
            ("another fault", "flow.py:9: misaligned", [("tensor", "heat", shared)], ""),
        ]
        for title, message, arguments, expected in cases:
            with self.subTest(title):
                self.assertEqual(expected, expanded_in(message, arguments))


if __name__ == "__main__":
    unittest.main()
