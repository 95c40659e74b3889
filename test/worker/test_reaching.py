"""Tables whose shapes are guessed: what becomes of them once it is known how far a kernel reads them."""

import ast
import math
import unittest

import paths  # noqa: F401
import usual
from kernelwright_worker.probe.budget import Budget
from kernelwright_worker.probe.entries import entries_of
from kernelwright_worker.probe.search import Attempt, shape_in
from kernelwright_worker.probe.settling.reaching import Reaching
from kernelwright_worker.probe.sizes import first_sizes
from kernelwright_worker.probe.text.hints import KernelParameters, Source
from kernelwright_worker.probe.text.kernel_pointers import kernel_pointers
from kernelwright_worker.probe.values.usual import USUAL

TURNED = """
@triton.jit
def turn(x, table, y, n):
    i = tl.arange(0, 64)
    tl.store(y + i, tl.load(x + i) * tl.load(table + i), mask=i < n)

def turned(x, table):
    spans, steps, lanes = x.shape
    y = torch.empty_like(x)
    turn[(spans * steps,)](x, table, y, steps)
    return y
"""


class Tables(unittest.TestCase):
    def setUp(self):
        USUAL.take(usual.ROWS)

    def test_shapes(self):
        cases = [
            ("a row for each step", lambda spans, steps, lanes: steps * lanes, ("steps", "lanes")),
            ("a row of so many numbers", lambda spans, steps, lanes: steps * 48, ("steps", 48)),
            ("one row for all", lambda spans, steps, lanes: lanes, ("lanes",)),
            ("a square", lambda spans, steps, lanes: steps * steps, ("steps", "steps")),
            (
                "a row for each group of steps",
                lambda spans, steps, lanes: -(-steps // 16) * lanes,
                ("ceil_div(steps, 16)", "lanes"),
            ),
            ("all of it", math.prod, ("spans", "steps", "lanes")),
            (
                "a plane for each lane",
                lambda spans, steps, lanes: lanes * steps * 7,
                ("steps", "lanes", 7),
            ),
            ("an end that is no product", lambda spans, steps, lanes: steps + lanes + 5, None),
        ]
        for title, end, expected in cases:
            with self.subTest(title):
                entry, table = self.entry()
                before = table.choice.tensor.dims

                def run(entry, sizes):
                    shapes = {name: shape_in(each.tensor, sizes) for name, each in entry.tensors().items()}
                    reads = end(shapes["x"]) if end is math.prod else end(*shapes["x"])
                    if reads > math.prod(shapes["table"]):
                        return Attempt(1, 0)
                    results = [("float32", shapes["x"], None, True)]
                    return Attempt(3, 0, results=results, read={"table": reads})

                made = run(entry, first_sizes(entry))
                Reaching(run, run, run, Budget(60.0, 1000)).settle(entry, made)
                self.assertEqual(table.choice.tensor.dims, before if expected is None else expected)

    def test_work_that_is_taken_from_the_table(self):
        """A table whose rows are the work keeps its shape: with more of them more is read."""
        entry, table = self.entry()
        before = table.choice.tensor.dims

        def run(entry, sizes):
            shapes = {name: shape_in(each.tensor, sizes) for name, each in entry.tensors().items()}
            rows, elements = shapes["table"][0], math.prod(shapes["table"])
            made = Attempt(3, 0, results=[("float32", [rows], None, True)], read={"table": elements})
            made.instructions = elements
            return made

        made = run(entry, first_sizes(entry))
        Reaching(run, run, run, Budget(60.0, 10**9)).settle(entry, made)
        self.assertEqual(table.choice.tensor.dims, before)

    def entry(self):
        """The entry, and the parameter of the table: at first as large as what is turned."""
        parameters, pointers = kernel_pointers(ast.parse(TURNED))["turn"]
        source = Source(TURNED, KernelParameters("turn", parameters, pointers))
        entry = entries_of(source, "turn", pointers)[0]
        table = next(each for each in entry.parameters if each.alias == "table")
        shapes = [each.tensor.dims for each in table.choices if each and each.tensor]
        table.chosen = shapes.index(("spans", "steps", "lanes"))
        return entry, table


if __name__ == "__main__":
    unittest.main()
