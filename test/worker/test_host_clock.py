"""Host code that does not come to an end is ended; what waits, and compilers, are not counted."""

import importlib.util
import os
import sys
import tempfile
import time
import types
import unittest
from unittest import mock

import paths
from kernelwright_worker.host_clock import HostCodeTooLong, limited


def compute(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


class HostClock(unittest.TestCase):
    def test_ends_what_computes_too_long(self):
        with self.assertRaises(HostCodeTooLong) as raised, limited(2):
            while True:
                pass
        self.assertEqual(str(raised.exception), "it has used 2 s of the processor and has not come to an end")

    def test_falls_through_a_handler_of_exceptions(self):
        with self.assertRaises(HostCodeTooLong), limited(1):
            while True:
                try:
                    compute(9)
                except Exception:
                    pass

    def test_leaves_alone_what_ends_or_waits(self):
        for seconds in (0, 3):
            with limited(seconds) as spent:
                compute(1.2)
                time.sleep(1.5)
                self.assertEqual(spent(), 1)

    def test_compilers_are_not_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "compiler", "code.py")
            os.mkdir(os.path.dirname(path))
            with open(path, "w", encoding="utf-8") as file:
                file.write("def compile(work):\n    work(2.4)\n")
            found = importlib.util.spec_from_file_location("code_of_a_compiler", path)
            compiler = importlib.util.module_from_spec(found)
            found.loader.exec_module(compiler)
            triton = types.SimpleNamespace(__file__=os.path.join(folder, "__init__.py"))
            with mock.patch.dict(sys.modules, {"triton": triton}), limited(1) as spent:
                compiler.compile(compute)
                self.assertEqual(spent(), 0)


if __name__ == "__main__":
    unittest.main()
