"""What every role starts with."""

from __future__ import annotations

import contextlib
import io
import os
import unittest
from unittest import mock

import paths
from kernelwright_worker.main import main

WAIT = "OPENBLAS_THREAD_TIMEOUT"


class Start(unittest.TestCase):
    def wait_with(self, environment: dict[str, str]) -> str | None:
        with mock.patch.dict(os.environ, environment, clear=True), contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(2, main(["no-role"]))
            return os.environ.get(WAIT)

    def test_idle_threads_sleep_at_once_unless_the_user_set_how_long_they_wait(self):
        self.assertEqual("8", self.wait_with({}))
        self.assertEqual("20", self.wait_with({WAIT: "20"}))
