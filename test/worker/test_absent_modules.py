"""What stands in for modules that are not there, while a file is imported and afterwards."""

import importlib
import tempfile
import unittest

import paths  # noqa: F401
from kernelwright_worker.absent_modules import importing, may_stand_in


def imported(name):
    """A module that is not there, stood in for."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        with tempfile.TemporaryDirectory() as folder:
            assert may_stand_in(error, folder)
        return importlib.import_module(name)


class AbsentModules(unittest.TestCase):
    def test_what_may_be_done_with_their_names(self):
        absent = imported("absent_for_names")

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
        absent = imported("absent_for_use")
        cases = [
            ("a call after the import", lambda: absent.load("x")),
            ("a comparison", lambda: absent.Version < absent.Other),
            ("a walk", lambda: list(absent.names)),
            ("a number", lambda: int(absent.count)),
        ]
        for name, use in cases:
            with (
                self.subTest(name),
                self.assertRaisesRegex(ModuleNotFoundError, "No module named 'absent_for_use'"),
            ):
                use()

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
