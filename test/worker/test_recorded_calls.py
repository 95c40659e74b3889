"""Calls of a program from which calls with other sizes are made."""

import struct
import unittest

import paths  # noqa: F401
from kernelwright_worker.probe.entries import entries_of
from kernelwright_worker.probe.recorded import RecordedCall
from kernelwright_worker.probe.text.hints import KernelParameters, Source
from kernelwright_worker.recording.values import values_in

TEXT = """
@triton.jit
def turn_kernel(x, angles, out, heads, BLOCK: tl.constexpr):
    pass


def turn(x, angles, heads, interleaved=False, out=None):
    batch, length, _, width = x.shape
    out = torch.empty_like(x)
    turn_kernel[(batch * length,)](x, angles, out, heads, BLOCK=64)
    return out
"""


MODULE = """
@triton.jit
def turn_kernel(x, angles, out, heads, BLOCK: tl.constexpr):
    pass


class Gate(nn.Module):
    def __init__(self, features, bias=True):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(features)) if bias else None

    def forward(self, packed):
        x, angles = packed.chunk(2, dim=-1)
        rows = x.shape[0]
        out = torch.empty_like(x)
        turn_kernel[(rows,)](x, angles, out, 1, BLOCK=64)
        return out
"""


def entry(text=TEXT):
    source = Source(
        text,
        KernelParameters("turn_kernel", ["x", "angles", "out", "heads", "BLOCK"], {"x", "angles", "out"}),
    )
    found = entries_of(source, "turn_kernel", {"x", "angles", "out"})[0]
    return found, source.hints(found.function)


def call(text="turn(x, angles, heads, bool(interleaved))", kind="normal"):
    tensors = [("x", [2, 100, 4, 64]), ("angles", [100, 32])]
    inputs = [
        {"name": name, "dtype": "float32", "shape": shape, "values": {"kind": kind}}
        for name, shape in tensors
    ]
    return RecordedCall({"call": text, "numbers": {"heads": 4, "interleaved": 1}, "inputs": inputs})


class Entries(unittest.TestCase):
    def shapes(self, recorded, runs):
        made, hints = entry()
        found = recorded.entry(made, hints, runs)
        if found is None:
            return None
        return (
            found.text(),
            {name: choice.tensor.dims for name, choice in found.tensors().items()},
            found.base,
        )

    def test_first_naming_that_runs_with_other_sizes(self):
        related = {"x": ("batch", "length", 4, "width"), "angles": ("length", "width // 2")}

        def is_related(version, otherwise):
            tensors = version.tensors()
            return not otherwise or tensors["angles"].tensor.dims == related["angles"]

        self.assertEqual(
            ("turn(x, angles, 4, True)", related, {"batch": 2, "length": 100, "width": 64}),
            self.shapes(call(), is_related),
        )

    def test_naming_that_runs_as_it_was_where_no_other_does(self):
        _, dims, _ = self.shapes(call(), lambda version, otherwise: not otherwise)
        self.assertEqual(("length", "angles_1"), dims["angles"])

    def test_permuted_tensors(self):
        text = "turn(x.permute(0, 2, 1, 3), angles, heads)"
        _, dims, _ = self.shapes(call(text), lambda *_: True)
        # The function sees [batch, length, _, width] with the two in the middle exchanged.
        self.assertEqual(("batch", "x_2", "length", "width"), dims["x"])

    def test_sizes_with_names_are_named_before_others(self):
        tensors = [("angles", [100, 64]), ("x", [2, 100, 4, 64])]
        inputs = [
            {"name": name, "dtype": "float32", "shape": shape, "values": {"kind": "normal"}}
            for name, shape in tensors
        ]
        recorded = RecordedCall(
            {"call": "turn(angles=angles, x=x, heads=heads)", "numbers": {"heads": 4}, "inputs": inputs}
        )
        _, dims, _ = self.shapes(recorded, lambda *_: True)
        self.assertEqual(("length", "width"), dims["angles"])

    def test_modules(self):
        text = "with_parameters(Gate(features=features, bias=bool(bias)), shift=shift)(packed)"
        inputs = [
            {"name": name, "dtype": "float32", "shape": shape, "values": {"kind": "normal"}}
            for name, shape in [("shift", [300]), ("packed", [37, 600])]
        ]
        recorded = {"call": text, "numbers": {"features": 300, "bias": 1}, "inputs": inputs}
        dims = {"packed": ("packed_0", "2 * features")}
        cases = [
            ("as it was made", text, ("Gate(features, True)(packed)", dims)),
            ("in evaluation", text.replace(")), shift", ")).eval(), shift"), None),
            ("another module", text.replace("Gate", "Gated"), None),
        ]
        for title, each, expected in cases:
            with self.subTest(title):
                found = RecordedCall({**recorded, "call": each}).entry(*entry(MODULE), lambda *_: True)
                seen = {name: choice.tensor.dims for name, choice in found.tensors().items()} if found else {}
                self.assertEqual(expected, found and (found.text(), seen))

    def test_no_entry(self):
        cases = [
            ("another function", call("turned(x, angles, heads)"), lambda *_: True),
            ("an argument for no parameter", call("turn(x, angles, heads, sign=heads)"), lambda *_: True),
            ("tensors within an argument", call("turn(x, [angles], heads)"), lambda *_: True),
            ("values that mean something", call(kind="other"), lambda *_: True),
            ("what never runs", call(), lambda *_: False),
        ]
        for title, recorded, runs in cases:
            with self.subTest(title):
                self.assertIsNone(self.shapes(recorded, runs))


class Values(unittest.TestCase):
    def test_kinds(self):
        whole, floating = "int32", "float32"
        cases = [
            (whole, [3, 0, 3, 1], {"kind": "range", "low": 0, "high": 3}),
            (whole, [-1, 2, 2, 0], {"kind": "range", "low": -1, "high": 2}),
            (whole, [5, 5, 5], {"kind": "range", "low": 5, "high": 5}),
            (whole, [2, 0, 1], {"kind": "permutation", "low": 0, "high": 2}),
            (whole, [0, 3, 3, 9], {"kind": "other"}),
            (whole, [7, 2, 40], {"kind": "other"}),
            (whole, [-3, 4, 4], {"kind": "other"}),
            (floating, [0.5, 0.0, 1.0], {"kind": "uniform"}),
            (floating, [0.5, 7.0], {"kind": "positive"}),
            (floating, [-0.5, 0.5], {"kind": "normal"}),
            (floating, [0.0, 0.0], {"kind": "normal"}),
            (floating, [0.0, float("inf")], {"kind": "other"}),
        ]
        for dtype, values, expected in cases:
            with self.subTest(values):
                content = struct.pack("<%d%s" % (len(values), "i" if dtype == whole else "f"), *values)
                self.assertEqual(expected, values_in(content, dtype))
        self.assertEqual({"kind": "zero-one"}, values_in(b"\x00\x01", "bool"))


if __name__ == "__main__":
    unittest.main()
