"""Where a script finds the packages of its own project."""

import importlib.metadata
import os
import sys
import tempfile
import unittest

import paths
from kernelwright_worker.script.own_project import announce, package_of
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


class PackageOfScript(unittest.TestCase):
    def test_relative_imports_tell_it(self):
        cases = [
            ([], "bench/run.py", "import torch\n", None),
            ([], "bench/run.py", "from .ops import add\n", ("bench", "")),
            ([], "lib/bench/run.py", "def f():\n    from ..ops import add\n", ("lib.bench", "")),
            (["lib/__init__.py"], "lib/bench/run.py", "from . import ops\n", ("lib.bench", "")),
            (
                ["lib/__init__.py", "lib/bench/__init__.py"],
                "lib/bench/run.py",
                "from . import ops\n",
                ("lib.bench", ""),
            ),
            ([], "bench/run.py", "from . import (\n", None),
        ]
        for files, script, source, expected in cases:
            with self.subTest(source=source, files=files), tempfile.TemporaryDirectory() as made:
                top = os.path.realpath(made)
                for name in [*files, script]:
                    path = os.path.join(top, name)
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    open(path, "w").close()
                found = package_of(os.path.join(top, script), source)
                folder = expected and (expected[0], os.path.normpath(os.path.join(top, expected[1])))
                self.assertEqual(found, folder)


@unittest.skipIf(sys.version_info < (3, 11), "Python reads no TOML")
class OwnProject(unittest.TestCase):
    def test_it_has_a_version_without_being_installed(self):
        cases = [
            ('[project]\nname = "own_kernels.x"\nversion = "1.2"\n', "1.2"),
            ('[project]\nname = "own_kernels.x"\ndynamic = ["version"]\n', None),
            ("[project\n", None),
            (None, None),
        ]
        for text, expected in cases:
            with self.subTest(text=text), tempfile.TemporaryDirectory() as folder:
                if text is not None:
                    with open(os.path.join(folder, "pyproject.toml"), "w") as file:
                        file.write(text)
                finders = list(sys.meta_path)
                announce(folder)
                try:
                    found = importlib.metadata.version("Own-Kernels-X")
                except importlib.metadata.PackageNotFoundError:
                    found = None
                finally:
                    sys.meta_path[:] = finders
                self.assertEqual(expected, found)


if __name__ == "__main__":
    unittest.main()
