"""Where a script finds the packages of its own project."""

import os
import tempfile
import unittest

import paths
from kernelwright_worker.script.runner import project_folders


class ProjectFolders(unittest.TestCase):
    def test_the_nearest_build_file_counts(self):
        cases = [
            (["pyproject.toml", "src/own/a.py", "bench/b.py"], "bench/b.py", ["src", ""]),
            (["setup.py", "own/a.py", "bench/deep/b.py"], "bench/deep/b.py", [""]),
            (["pyproject.toml", "part/setup.cfg", "part/b.py"], "part/b.py", ["part"]),
        ]
        for files, script, expected in cases:
            with self.subTest(files=files), tempfile.TemporaryDirectory() as made:
                top = os.path.realpath(made)
                for name in files:
                    path = os.path.join(top, name)
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    open(path, "w").close()
                found = project_folders(os.path.join(top, script))
                self.assertEqual(found, [os.path.normpath(os.path.join(top, each)) for each in expected])


if __name__ == "__main__":
    unittest.main()
