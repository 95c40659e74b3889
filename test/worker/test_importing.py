"""Files of packages whose `__init__.py` cannot be imported, or would draw in a whole project."""

from __future__ import annotations

import json  # noqa: F401
import os
import random  # noqa: F401
import sys
import tempfile
import unittest

import paths
from kernelwright_worker.candidate.importing import import_file

FILES = {
    "src/%s/__init__.py": "raise RuntimeError('the whole project')\n",
    "src/%s/runtime/__init__.py": "from . import helper\nthing = helper.value\n",
    "src/%s/runtime/helper.py": "value = 3\n",
    "src/%s/runtime/ops/__init__.py": "raise RuntimeError('all operators')\n",
}


class ImportFile(unittest.TestCase):
    def imported(self, package: str, text: str):
        folder = tempfile.mkdtemp()
        files = {**FILES, "src/%s/runtime/ops/own.py": text}
        for name, content in files.items():
            path = os.path.join(folder, name % package)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(content.replace("PACKAGE", package))
        before = list(sys.path)
        try:
            return import_file(folder, "src/%s/runtime/ops/own.py" % package)
        finally:
            sys.path[:] = before

    def test_only_the_package_of_which_something_is_asked_is_imported(self):
        module = self.imported("asked_one", "from PACKAGE.runtime import thing\n")
        self.assertEqual(3, module.thing)

    def test_what_a_package_lacks_is_told_and_not_what_fails_around_it(self):
        with self.assertRaisesRegex(ImportError, "cannot import name 'other' from 'asked_two.runtime'"):
            self.imported("asked_two", "from PACKAGE.runtime import other\n")

    def test_a_folder_named_as_an_installed_package_is_not_taken_for_it(self):
        folder = tempfile.mkdtemp()
        for name in ("xml/own.py", "kernels/json/own.py"):
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write("import xml\nimport json.decoder\nfrom xml import dom\nfound = (json, dom)\n")
            before = list(sys.path)
            sys.modules.pop("own", None)
            try:
                module = import_file(folder, name)
            finally:
                sys.path[:] = before
            self.assertEqual(
                [path, "json", "xml.dom"], [module.__file__, *(each.__name__ for each in module.found)]
            )

    def test_a_package_below_a_folder_of_that_name_is_its_own(self):
        text = "import json\nfrom .helper import value\nfound = (json.__name__, value)\n"
        for name in ("kit/json/own.py", "json/own.py"):
            folder = os.path.realpath(tempfile.mkdtemp())
            inside = os.path.dirname(os.path.join(folder, name))
            os.makedirs(inside)
            for file_name, content in {"__init__": "", "helper": "value = 3\n", "own": text}.items():
                with open(os.path.join(inside, file_name + ".py"), "w", encoding="utf-8") as file:
                    file.write(content)
            before = list(sys.path)
            try:
                module = import_file(folder, name)
            finally:
                sys.path[:] = before
            self.assertEqual(("json", 3), module.found)

    def test_a_file_with_the_name_of_an_imported_module_is_itself(self):
        folder = os.path.realpath(tempfile.mkdtemp())
        with open(os.path.join(folder, "random.py"), "w", encoding="utf-8") as file:
            file.write("drawn = 4\n")
        before = list(sys.path)
        try:
            self.assertEqual(4, import_file(folder, "random.py").drawn)
        finally:
            sys.path[:] = before


if __name__ == "__main__":
    unittest.main()
