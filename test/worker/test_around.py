"""Which function is called first where another one works by elements around the one that launches."""

import ast
import unittest

import paths  # noqa: F401
import usual
from kernelwright_worker.probe.entries import entries_of
from kernelwright_worker.probe.text.hints import KernelParameters, Source
from kernelwright_worker.probe.text.kernel_pointers import kernel_pointers
from kernelwright_worker.probe.values.usual import USUAL

LAUNCHED = """
@triton.jit
def gate(x, y, n, C: tl.constexpr):
    i = tl.program_id(0) * C + tl.arange(0, C)
    tl.store(y + i, tl.sigmoid(tl.load(x + i, mask=i < n)), mask=i < n)


def gated(x):
    y = torch.empty_like(x)
    gate[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), C=256)
    return y


def around(x, skip):
"""

#: The body of a function around the launch, and what is called first.
CASES = {
    "a sum behind it": ("    return skip + 0.5 * gated(x)", "around"),
    "names in between": ("    z = x + skip\n    z = gated(z)\n    return z * 0.5", "around"),
    "nothing but the call": ("    return gated(x.contiguous())", "gated"),
    "a product of matrices": ("    return gated(x) @ skip", "gated"),
    "a test of both": ("    assert torch.allclose(gated(x), skip)\n    return 2 * x", "gated"),
    "a sum of all": ("    return (gated(x) - skip).sum()", "gated"),
    "a loop": ("    for _ in range(3):\n        x = gated(x) + skip\n    return x", "gated"),
}


class Around(unittest.TestCase):
    def test_what_is_called_first(self):
        USUAL.take(usual.ROWS)
        for name, (body, expected) in CASES.items():
            text = LAUNCHED + body + "\n"
            parameters, pointers = kernel_pointers(ast.parse(text))["gate"]
            found = entries_of(Source(text, KernelParameters("gate", parameters, pointers)), "gate", pointers)
            with self.subTest(name):
                self.assertEqual(found[0].function.name, expected)
                self.assertEqual(found[0].by_elements, expected == "around")


if __name__ == "__main__":
    unittest.main()
