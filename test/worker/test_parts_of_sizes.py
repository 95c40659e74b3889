"""Numbers that say where a part of a size begins and ends."""

import unittest

import paths  # noqa: F401
from kernelwright_worker.probe.values.parts_of_sizes import ends_of_parts


class PartsOfSizes(unittest.TestCase):
    def check(self, names, expected):
        self.assertEqual(ends_of_parts(names.split()), expected)

    def test_ends(self):
        cases = [
            ("n start end", {"start": "n // 4", "end": "n - 1"}),
            (
                "N M S_ROW E_ROW S_COL E_COL",
                {"S_ROW": "N // 4", "E_ROW": "N - 1", "S_COL": "M // 4", "E_COL": "M - 1"},
            ),
            ("rows columns rowStart rowStop", {"rowStart": "rows // 4", "rowStop": "rows - 1"}),
            ("n a_lo a_hi b_lo b_hi", {"a_lo": "n // 4", "a_hi": "n - 1", "b_lo": "n // 4", "b_hi": "n - 1"}),
            # Which of two sizes it is, nothing tells.
            ("N M start end", {}),
            ("N S E", {}),
            ("start end", {}),
            ("N M K", {}),
        ]
        for names, expected in cases:
            with self.subTest(names):
                self.check(names, expected)


if __name__ == "__main__":
    unittest.main()
