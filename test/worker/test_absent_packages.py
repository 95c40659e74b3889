"""Tests that need a package which is not installed: what to do is told."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from importlib.util import find_spec

import paths

RUN = "import sys; from kernelwright_worker.script import runner; sys.exit(runner._run_tests(sys.argv[1:]))"
IMPORT = "import nowhere_to_be_found.part\n"
TOLD = (
    "kernelwright: %s has no nowhere_to_be_found: %s -m pip install nowhere_to_be_found, or name a Python that has it, "
    "torch and Triton: kernelwright run --python PYTHON\n"
) % (sys.executable, sys.executable)


@unittest.skipUnless(find_spec("pytest"), "pytest is not installed")
class AbsentPackages(unittest.TestCase):
    def check(self, files, expected):
        folder = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        for name, text in files.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        ran = subprocess.run(
            [sys.executable, "-c", RUN, "."],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": paths.WORKER},
            capture_output=True,
            text=True,
        )
        self.assertEqual(expected, (ran.returncode, ran.stderr[-len(TOLD) :]))

    def test_the_package_is_named_with_what_to_do(self):
        plain = "def test_it():\n    assert True\n"
        cases = {
            "a test that imports it": ({"test_a.py": IMPORT + plain}, (2, TOLD)),
            "the settings of all tests": ({"conftest.py": IMPORT, "test_a.py": plain}, (4, TOLD)),
            "one that does without it": (
                {"test_a.py": "try:\n    %sexcept ImportError:\n    pass\n%s" % (IMPORT, plain)},
                (0, ""),
            ),
        }
        for title, (files, expected) in cases.items():
            with self.subTest(title):
                self.check(files, expected)


if __name__ == "__main__":
    unittest.main()
