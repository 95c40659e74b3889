"""Which Python calls Triton kernels on a GPU: the first that has torch for CUDA and Triton."""

import json
import os
import sys
import tempfile
import unittest

import paths  # noqa: F401
from kernelwright_worker.gpu.interpreters import first_usable

FIT = {"python": "3.12.3", "torch": "2.11.0+cu130", "cuda": "13.0", "triton": "3.6.0"}


class Interpreters(unittest.TestCase):
    def program(self, name, told):
        """A program that says so of itself; one that fails where it says nothing."""
        path = os.path.join(self.folder, name)
        answer = "echo '%s'" % json.dumps({"program": path, **told}) if told else "exit 1"
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n%s\n" % answer)
        os.chmod(path, 0o755)
        return path

    def test_the_first_that_is_fit_is_taken(self):
        with tempfile.TemporaryDirectory() as self.folder:
            fit = self.program("fit", FIT)
            cpu = self.program("cpu", {**FIT, "torch": "2.13.0+cpu", "cuda": ""})
            bare = self.program("bare", {"python": "3.11.2", "torch": "", "triton": ""})
            broken = self.program("broken", {})
            found = {"program": fit, **FIT}
            no_cuda = "%s: its torch 2.13.0+cpu is built without CUDA" % cpu
            nothing = "%s: no torch and no triton" % bare
            absent = os.path.join(self.folder, "absent")
            cases = (
                ([fit], [], found),
                ([], [broken, bare, cpu, fit], found),
                # What the user named is taken or refused; others are not looked at.
                ([cpu], [fit], {"lacking": [no_cuda]}),
                ([absent], [fit], {"lacking": ["%s: it is no Python that runs" % absent]}),
                ([bare], [], {"lacking": [nothing]}),
            )
            for named, usual, expected in cases:
                with self.subTest(named=named, usual=usual):
                    self.assertEqual(first_usable(named, usual), expected)

    def test_a_real_one_is_asked_without_an_import_of_torch(self):
        answer = first_usable([sys.executable], [])
        told = answer if "program" in answer else answer["lacking"]
        self.assertTrue(sys.executable in (told["program"] if isinstance(told, dict) else told[0]))


if __name__ == "__main__":
    unittest.main()
