"""Which configuration of an autotuned kernel is judged, where some do not fit."""

import unittest

import paths  # noqa: F401
import triton
from kernelwright_worker.candidate.configurations import Configurations
from triton.compiler.errors import CompileTimeAssertionFailure
from triton.runtime.autotuner import Autotuner
from triton.runtime.errors import OutOfResources


class Kernel:
    """Runs the widths that it is made for, and raises what a compiler does for others."""

    arg_names = ("n",)

    def __init__(self, failures):
        self.failures = failures
        self.ran = []
        self.fn = lambda n: None

    def run(self, *_, WIDTH, **__):
        self.ran.append(WIDTH)
        if WIDTH in self.failures:
            raise self.failures[WIDTH]
        return WIDTH


def assertion():
    return CompileTimeAssertionFailure("", None, "n has to be a multiple of WIDTH")


class Fitting(unittest.TestCase):
    def setUp(self):
        self.addCleanup(setattr, Autotuner, "run", Autotuner.run)
        self.choices = []
        self.configurations = Configurations(self.choices)
        self.configurations.watch()

    def taken(self, wanted, failures):
        self.configurations.want(wanted)
        return self.tuner(Kernel(failures)).run(4, grid=(1,))

    def tuner(self, kernel):
        configs = [triton.Config({"WIDTH": width}) for width in (64, 32, 16)]
        return Autotuner(
            kernel,
            kernel.arg_names,
            configs,
            ["n"],
            None,
            None,
            do_bench=lambda call, **named: self.configurations.rank(call, **named),
        )

    def test_one_that_does_not_fit_is_passed_over(self):
        cases = [
            ("all fit", 0, {}, 64),
            ("another one is wanted", 2, {}, 16),
            ("the first asserts another size", 0, {64: assertion()}, 32),
            (
                "two want more than the GPU has",
                0,
                {64: OutOfResources(9, 8, "shared memory"), 32: assertion()},
                16,
            ),
            ("the wanted one does not fit", 1, {32: assertion()}, 64),
        ]
        for title, wanted, failures, width in cases:
            with self.subTest(title):
                self.assertEqual(width, self.taken(wanted, failures))

    def test_what_none_fits_is_raised_and_so_is_any_other_error(self):
        with self.assertRaises(CompileTimeAssertionFailure):
            self.taken(0, dict.fromkeys((64, 32, 16), assertion()))
        with self.assertRaises(ZeroDivisionError):
            self.taken(0, {64: ZeroDivisionError()})

    def test_one_that_tries_runs_all_before_the_one_that_is_wanted(self):
        kernel = Kernel({32: OutOfResources(9, 8, "shared memory")})
        tuner = self.tuner(kernel)
        cases = [(0, False, [64]), (0, True, [64, 32, 16, 64]), (0, False, [64]), (2, True, [64, 32, 16, 16])]
        for wanted, tries, widths in cases:
            with self.subTest(wanted=wanted, tries=tries):
                self.configurations.want(wanted, tries)
                kernel.ran = []
                tuner.run(4, grid=(1,))
                self.assertEqual(widths, kernel.ran)

    def test_the_sentence_names_the_one_that_was_taken(self):
        self.taken(0, {64: assertion()})
        told = self.configurations.told("halve", "WIDTH: 32")
        self.assertEqual("autotune of halve took configuration 2: WIDTH: 32", told)


if __name__ == "__main__":
    unittest.main()
