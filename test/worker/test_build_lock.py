"""The lock of a build of an extension goes with the process that holds it."""

from __future__ import annotations

import os
import pathlib
import tempfile
import unittest

from kernelwright_worker.torch_gpu import build_lock


class BuildLockTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "lock")

    def test_one_build_at_a_time(self) -> None:
        held = build_lock.take(self.path)
        self.assertIsNone(build_lock.take(self.path))
        os.close(held)

    def test_the_lock_of_an_ended_build_is_taken_over(self) -> None:
        os.close(build_lock.take(self.path))
        again = build_lock.take(self.path)
        self.assertIsNotNone(again)
        self.assertIsNone(build_lock.take(self.path))
        os.close(again)

    def test_a_lock_that_another_program_made_stays(self) -> None:
        pathlib.Path(self.path).write_bytes(b"")
        self.assertIsNone(build_lock.take(self.path))
        self.assertTrue(os.path.exists(self.path))


if __name__ == "__main__":
    unittest.main()
