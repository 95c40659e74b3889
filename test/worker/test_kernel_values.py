"""What the text of a kernel says of the values of its tensors, and which widths of whole numbers are tried."""

import ast
import types
import unittest

import paths  # noqa: F401
from kernelwright_worker.probe.values.choices import Choice, Tensor
from kernelwright_worker.probe.values.parameters import Parameter
from kernelwright_worker.probe.text.hints import KernelParameters, Source
from kernelwright_worker.probe.text.kernel_pointers import whole_or_not
from kernelwright_worker.probe.search import try_widths


class WholeOrNot(unittest.TestCase):
    def test_by_what_is_loaded(self):
        cases = [
            ("a real number beyond the mask", "v = tl.load(x + i, mask=m, other=0.0)", {"x": False}),
            ("an infinity", "v = tl.load(x + i, mask=m, other=-float('inf'))", {"x": False}),
            ("a whole number tells nothing", "v = tl.load(x + i, mask=m, other=0)", {}),
            ("a place", "v = tl.load(x + i)\n    w = tl.load(y + v)", {"x": True}),
            (
                "the bounds of a loop",
                "a = tl.load(x + i)\n    for at in range(0, a, 64):\n        w = tl.load(y + at)",
                {"x": True},
            ),
        ]
        for name, body, expected in cases:
            with self.subTest(name):
                tree = ast.parse("def kernel(x, y, i, m):\n    %s\n" % body)
                self.assertEqual(expected, whole_or_not(tree, "kernel"))


class Sizes(unittest.TestCase):
    def test_by_what_a_wrapper_assigns(self):
        cases = [
            ("a name for an extent", "n = x.shape[0]", ["n"]),
            ("a name in a pair", "n, k = x.shape[0], 4", ["n"]),
            ("all extents", "n, k = x.shape", ["n", "k"]),
            ("a grid of one extent is no size", "grid = (x.shape[0],)", []),
            ("nor is one of a list", "grid = [x.shape[0]]", []),
        ]
        for name, line, expected in cases:
            with self.subTest(name):
                text = "def call(x):\n    %s\n    kernel[grid](x)\n" % line
                source = Source(text, KernelParameters("kernel", ["x"], {"x"}))
                self.assertEqual(expected, source.hints(source.functions[0])["x"].dims)


class Launched(unittest.TestCase):
    def test_kernels_in_variables_say_what_they_are_handed(self):
        cases = [
            ("as it is", "kernel[(4,)](x, n)", (True, True)),
            ("the kernel with its grid in a variable", "run = kernel[(4,)]\n    run(x, n)", (True, True)),
            ("the grid in a variable", "grid = (4,)\n    kernel[grid](x, n)", (True, True)),
            ("the kernel in a variable", "chosen = kernel\n    chosen[(4,)](x, n)", (True, True)),
            (
                "the kernel in a variable with a type",
                "chosen: object = kernel\n    chosen[(4,)](x, n)",
                (True, True),
            ),
            (
                "one of two kernels",
                "chosen = other if n > 4 else kernel\n    chosen[(4,)](x, n)",
                (True, True),
            ),
            ("one of two kernels at once", "(other if n > 4 else kernel)[(4,)](x, n)", (True, True)),
            (
                "one of two branches",
                "if n > 4:\n        f = other\n    else:\n        f = kernel\n    f[(4,)](x, n)",
                (True, True),
            ),
            ("a module's kernel", "chosen = ops.kernel\n    chosen[(4,)](x, n)", (True, True)),
            ("a variable of itself", "run = run\n    run(x, n)", (False, False)),
            ("another kernel", "run = other[(4,)]\n    run(x, n)", (False, False)),
            ("an element of a list", "rows = tables[n]\n    rows(x, n)", (False, False)),
        ]
        for name, lines, expected in cases:
            with self.subTest(name):
                text = "def call(x, n):\n    %s\n" % lines
                source = Source(text, KernelParameters("kernel", ["p", "count"], {"p"}))
                hints = source.hints(source.functions[0])
                self.assertEqual(expected, (hints["x"].tensor, hints["n"].scalar))


class Widths(unittest.TestCase):
    def test_are_tried_with_each_other_where_a_problem_speaks_of_them(self):
        def tensor(name, dtype):
            return Parameter(name, name, False, [Choice("?", Tensor(dtype, ("n",)))])

        entry = types.SimpleNamespace(
            parameters=[tensor("values", "float32"), tensor("ids", "int64"), tensor("ends", "int64")]
        )
        seen = []

        def runs():
            seen.append([each.choice.tensor.dtype for each in entry.parameters])
            return True

        tried = set()
        problem = "`first` is of type int32[], not int64[]"
        self.assertEqual([True] * 4, [try_widths(entry, problem, tried, runs) for _ in range(4)])
        self.assertFalse(try_widths(entry, "another problem", set(), runs))
        self.assertEqual(
            [
                ["float32", "int64", "int32"],
                ["float32", "int64", "int64"],
                ["float32", "int32", "int64"],
                ["float32", "int32", "int32"],
            ],
            seen,
        )
