"""Sizes that a guess has made equal: which get names of their own."""

import ast
import unittest

import paths  # noqa: F401
import usual
from kernelwright_worker.probe.budget import Budget
from kernelwright_worker.probe.entries import entries_of
from kernelwright_worker.probe.search import Attempt, shape_in
from kernelwright_worker.probe.settling.untying import Untying
from kernelwright_worker.probe.sizes import first_sizes
from kernelwright_worker.probe.text.hints import KernelParameters, Source
from kernelwright_worker.probe.text.kernel_pointers import kernel_pointers
from kernelwright_worker.probe.values.usual import USUAL

KERNEL = """
@triton.jit
def step(x, w, y, n):
    i = tl.arange(0, 64)
    tl.store(y + i, tl.load(x + i) + tl.load(w + i), mask=i < n)

"""
PRODUCT = "def run(x, w):\n    n = w.shape[0]\n    y = x.new_empty(len(x), n)\n    step[(n,)](x, w, y, w.stride(1))\n    return y\n"
LAYER = (
    "class Layer:\n    def __init__(self, in_features, out_features):\n        self.w = empty(in_features, out_features)\n"
    "    def run(self, x):\n        step[(1,)](x, self.w, x, 1)\n"
)


def product(shapes, numbers):
    """`x [M, K]` with `w [N, K]`."""
    (m, k), (n, other) = shapes["x"], shapes["w"]
    return [m, n] if k == other else None


def pair(shapes, numbers):
    """Two tensors of one shape."""
    return shapes["x"] if shapes["x"] == shapes["w"] else None


def layer(shapes, numbers):
    """A layer whose input has as many columns as its first number says."""
    return [shapes["x"][0], numbers[1]] if shapes["x"][1] == numbers[0] else None


class TiedSizes(unittest.TestCase):
    def setUp(self):
        USUAL.take(usual.ROWS)

    def test_sizes(self):
        cases = [
            (
                "rows of two matrices that are multiplied",
                PRODUCT,
                product,
                "run(x, w)",
                {"x": ("rows", "w_1")},
            ),
            ("rows of two that are added", PRODUCT, pair, "run(x, w)", {"x": ("N", "w_1")}),
            (
                "widths of a layer",
                LAYER,
                layer,
                "Layer(columns, out_features).run(x)",
                {"x": ("rows", "columns")},
            ),
        ]
        for title, text, result, call, expected in cases:
            with self.subTest(title):
                parameters, pointers = kernel_pointers(ast.parse(KERNEL + text))["step"]
                source = Source(KERNEL + text, KernelParameters("step", parameters, pointers))
                entry = entries_of(source, "step", pointers)[0]

                def run(entry, sizes):
                    shapes = {name: shape_in(each.tensor, sizes) for name, each in entry.tensors().items()}
                    numbers = [sizes[each.choice.text] for each in entry.making]
                    shape = result(shapes, numbers)
                    if shape is None:
                        return Attempt(0, 0)
                    return Attempt(3, 0, results=[("float32", shape, None, True)])

                made = run(entry, first_sizes(entry))
                Untying(run, run, Budget(60.0, 1000), lambda _: True).untie(entry, made)
                dims = {name: each.tensor.dims for name, each in entry.tensors().items() if name in expected}
                self.assertEqual((call, expected), (entry.text(), dims))


if __name__ == "__main__":
    unittest.main()
