"""What is made once for the cache says so while it is made."""

import os
import tempfile
import unittest
from unittest import mock

import paths  # noqa: F401
from kernelwright_worker.torch_gpu.compiling import CACHE, PREPARING, cached


class Preparing(unittest.TestCase):
    def setUp(self) -> None:
        self.cache = self.enterContext(tempfile.TemporaryDirectory())
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def made(self, environment: dict) -> list[int]:
        """How many say that something is made: while it is made, and when it is asked for again."""
        seen: list[int] = []

        def make(_: str) -> None:
            seen.append(len(os.listdir(self.folder)))

        with mock.patch.dict(os.environ, {CACHE: self.cache, **environment}):
            for _ in range(2):
                cached("torch", "version 1", [], make, "making it")
                seen.append(len(os.listdir(self.folder)))
        return seen

    def test_while_it_is_made_a_file_says_so(self) -> None:
        self.assertEqual(self.made({PREPARING: self.folder}), [1, 0, 0])

    def test_nobody_may_want_to_know(self) -> None:
        self.assertEqual(self.made({}), [0, 0, 0])

    def test_nothing_is_left_where_it_cannot_be_made(self) -> None:
        def make(_: str) -> None:
            raise RuntimeError("no compiler")

        with mock.patch.dict(os.environ, {CACHE: self.cache, PREPARING: self.folder}):
            with self.assertRaisesRegex(RuntimeError, "no compiler"):
                cached("torch", "version 1", [], make, "making it")
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
