"""What stands in for modules that are not there, while a file is imported and afterwards."""

import os
import sys
import tempfile
import unittest

import paths  # noqa: F401
from kernelwright_worker.absent.modules import finds_own, importing, may_stand_in
from kernelwright_worker.candidate.importing import import_file


def imported(name, **files):
    """A file that imports a module which is not there, stood in for. `files`: the texts of other files beside it."""
    folder = os.path.realpath(tempfile.mkdtemp())
    own = "asks_for_%s" % name
    for each, text in {own: "import %s as found\n" % name, **files}.items():
        path = os.path.join(folder, *each.split("__"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".py", "w", encoding="utf-8") as file:
            file.write(text)
    before = list(sys.path)
    try:
        while True:
            try:
                with importing():
                    return import_file(folder, own + ".py")
            except ImportError as error:
                assert finds_own(error, folder) or may_stand_in(error, folder), error
    finally:
        sys.path[:] = before


class AbsentModules(unittest.TestCase):
    def test_what_may_be_done_with_their_names(self):
        absent = imported("absent_for_names").found

        def plain():
            return 3

        with importing():
            self.assertIs(absent.register("x")(plain), plain)
            self.assertIs(absent.jit(plain), plain)

            class Mixed(absent.base.Mixin):
                limit: "absent.Limit | None" = absent.option(4)

        self.assertIsInstance(Mixed(), Mixed)
        self.assertNotIsInstance(plain, absent.Limit)

    def test_what_depends_on_them_names_the_package(self):
        absent = imported("absent_for_use").found
        cases = [
            ("a call after the import", lambda: absent.load("x")),
            ("a comparison", lambda: absent.Version < absent.Other),
            ("a walk", lambda: list(absent.names)),
            ("a number", lambda: int(absent.count)),
            ("a choice", lambda: 1 if absent.mode else 2),
        ]
        for name, use in cases:
            with (
                self.subTest(name),
                self.assertRaisesRegex(ModuleNotFoundError, "No module named 'absent_for_use'"),
            ):
                use()

    def test_questions_about_the_machine_versions_and_messages_are_answered(self):
        absent = imported("absent_for_questions").found
        cases = [
            ("a platform that is here", absent.platform.is_cuda(), True),
            ("a platform that is not", absent.platform.is_rocm(), False),
            ("a constant", bool(absent.IS_NVIDIA), True),
            ("what is installed", absent.is_kernels_available(), False),
            ("an older version", absent.Version("2.10.1+cu130") < absent.Version("2.4"), False),
            ("the module's own", absent.Version(absent.__version__) < absent.Version("0.1"), True),
            ("a message", bool(absent.logging.get_logger("x").warning_once("y")), True),
        ]
        for name, given, expected in cases:
            with self.subTest(name):
                self.assertEqual(expected, given)

    def test_who_does_without_a_module_does_without(self):
        guarded = """
import absent_for_guards.part
import importlib.util
import contextlib

try:
    from absent_for_guards import fast
except ImportError:
    fast = None
with contextlib.suppress(ImportError):
    import absent_for_guards.other as fast
try:
    import absent_for_guards
except ImportError as error:
    raise RuntimeError("install it") from error


def later():
    import absent_for_guards
    return absent_for_guards


try:
    import draws_in
except Exception:
    draws_in = None
is_there = importlib.util.find_spec("absent_for_guards.none") is not None
"""
        module = imported(
            "guarded_file", guarded_file=guarded, draws_in="from absent_for_guards import needed\n"
        ).found
        self.assertEqual(
            (None, None, False, "absent_for_guards"),
            (module.fast, module.draws_in, module.is_there, module.later().__name__),
        )

    def test_parts_of_the_project_are_found_where_they_lie(self):
        module = imported(
            "own_uses",
            own_uses="import own_tools.rows\nimport absent_models.loading\n"
            "found = (own_tools.rows.count, absent_models.__name__)\n",
            lib__own_tools__rows="count = 3\n",
            src__own_kit__absent_models__functions="",
        ).found
        self.assertEqual((3, "absent_models"), module.found)

    def test_a_part_of_a_package_is_no_module_of_its_name(self):
        module = imported(
            "absent_for_checks",
            checks__absent_for_checks="from .base import check\n",
            checks__base="check = 3\n",
        ).found
        self.assertEqual("0.0.0", module.__version__)

    def test_what_is_never_stood_in_for(self):
        with tempfile.TemporaryDirectory() as folder:
            open(folder + "/own_part.py", "w").close()
            cases = [
                ("a part of the project", ModuleNotFoundError("x", name="own_part")),
                ("torch", ModuleNotFoundError("x", name="torch")),
                ("a part of what is there", ModuleNotFoundError("x", name="importlib.nothing")),
                ("another error", ImportError("x", name="absent_for_errors")),
            ]
            for name, error in cases:
                with self.subTest(name):
                    self.assertFalse(may_stand_in(error, folder))


if __name__ == "__main__":
    unittest.main()
