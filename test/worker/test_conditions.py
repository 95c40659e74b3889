"""What host code asks of its sizes, and which sizes keep to it."""

import ast
import unittest

import paths  # noqa: F401
from kernelwright_worker.probe.values.choices import Choice, Tensor
from kernelwright_worker.probe.values.parameters import Parameter
from kernelwright_worker.probe.entries import Entry, entries_of
from kernelwright_worker.probe.sizes import first_sizes, odd_sizes, other_sizes
from kernelwright_worker.probe.text.conditions import Rules, Words, constants_of, rules_of
from kernelwright_worker.probe.text.hints import Function, KernelParameters, Source


def rules(body: str) -> Rules:
    tree = ast.parse("LIMIT = 1 << 9\ndef call(x, n, d):\n    %s\n" % body)
    function = tree.body[1]
    named = lambda node: node.id if isinstance(node, ast.Name) else None
    return rules_of(function, Words(named, constants_of(tree, function)))


class Conditions(unittest.TestCase):
    def test_the_nearest_value_that_is_allowed(self):
        cases = [
            ("a far lower bound", Rules(least={"n": 9000}), 64, 9000),
            ("an upper bound", Rules(most={"n": 48}), 64, 48),
            ("both", Rules(least={"n": 20}, most={"n": 48}, multiples={"n": 32}), 64, 32),
            ("none", Rules(), 64, 64),
        ]
        for title, asked, wanted, expected in cases:
            with self.subTest(title):
                self.assertEqual(expected, asked.nearest("n", wanted))

    def test_what_is_asked(self):
        cases = [
            ("assert n % 4 == 0 and not d % 8", Rules(multiples={"n": 4, "d": 8})),
            ("if n % d: raise ValueError(n)", Rules(divided=(("n", "d"),))),
            ("assert d in {64, 16}", Rules(values={"d": (16, 64)})),
            ("if d not in (1, 2): raise ValueError(d)", Rules(values={"d": (1, 2)})),
            ("if d != 64 and d != 32: raise ValueError(d)", Rules(values={"d": (32, 64)})),
            ("assert 2 <= n <= LIMIT", Rules(least={"n": 2}, most={"n": 512})),
            ("if n > LIMIT or n < 100: raise ValueError(n)", Rules(least={"n": 100}, most={"n": 512})),
            ("assert n & (n - 1) == 0", Rules(powers=frozenset("n"))),
            ("assert d == triton.next_power_of_2(d)", Rules(powers=frozenset("d"))),
            ("if n > 8:\n        return x", Rules()),
            ("assert x.dtype == torch.float16", Rules()),
        ]
        for body, expected in cases:
            with self.subTest(body):
                self.assertEqual(expected, rules(body))

    def test_strides_are_no_sizes(self):
        text = """
def call(x, y):
    assert x.ndim == 2 and x.stride(1) == 1 and x.size(0) % 4 == 0
    assert y.stride(0) == x.stride(0)
    rows, columns = x.shape
    kernel[(rows,)](x, y, columns)
"""
        source = Source(text, KernelParameters("kernel", ["x", "y", "n"], {"x", "y"}))
        [entry] = entries_of(source, "kernel", {"x", "y"})
        self.assertEqual(Rules(multiples={"rows": 4}), entry.rules)

    def test_in_the_names_of_what_was_chosen(self):
        asked = Rules(
            {"dim": 8},
            (("dim", "heads"), ("heads", "groups"), ("t", "chunk")),
            least={"heads": 2},
            powers=frozenset("t"),
        )
        cases = [
            ({}, asked),
            (
                {"dim": "C", "heads": 6, "groups": "g"},
                Rules({"C": 24}, (("t", "chunk"),), {"g": (1, 2, 3, 6)}, frozenset("t")),
            ),
            (
                {"heads": "H", "t": 64},
                Rules(
                    {"dim": 8},
                    (("dim", "H"), ("H", "groups")),
                    {"chunk": (1, 2, 4, 8, 16, 32, 64)},
                    least={"H": 2},
                ),
            ),
        ]
        for known, expected in cases:
            with self.subTest(str(known)):
                self.assertEqual(expected, asked.renamed(known))

    def test_sizes_keep_to_it(self):
        cases = [
            (Rules(multiples={"L": 8}), lambda L, D: L % 8 == 0),
            (Rules(least={"D": 100}, most={"D": 512}), lambda L, D: 100 <= D <= 512),
            (Rules(values={"D": (48, 80)}), lambda L, D: D in (48, 80)),
            (Rules(powers=frozenset("L")), lambda L, D: L & (L - 1) == 0),
            (Rules(most={"L": 3}), lambda L, D: L <= 3),
        ]
        function = Function(ast.parse("def call(x): pass").body[0], None, None, {})
        for asked, holds in cases:
            with self.subTest(str(asked)):
                x = Parameter("x", "x", False, [Choice("?", Tensor("float32", ("L", "D")))])
                entry = Entry(function, "call", [], [x], asked=asked)
                first = first_sizes(entry)
                for sizes in (first, other_sizes(first, asked), odd_sizes(first, asked)):
                    self.assertTrue(holds(**sizes), sizes)


if __name__ == "__main__":
    unittest.main()
