"""Types of elements that the text of a file gives."""

import ast
import unittest

import paths  # noqa: F401
from kernelwright_worker.probe.text.types_told import kernel_types, types_told


def told(text: str) -> dict:
    tree = ast.parse(text)
    function = next(
        e for e in ast.walk(tree) if isinstance(e, ast.FunctionDef) and e.name in ("call", "forward")
    )
    return types_told(text, tree, function)


class Told(unittest.TestCase):
    def test_of_parameters(self):
        half = {"x": "float16"}
        cases = [
            (
                "asserted",
                "def call(x, w):\n    assert x.dtype == torch.float16 and w.dtype is torch.float32",
                {**half, "w": "float32"},
            ),
            ("one of several", "def call(x):\n    assert x.dtype in (torch.half, torch.bfloat16)", half),
            (
                "several types in a line",
                'def call(x, w, b):\n    """x [B, C] half, w [C, D] half, b [D] -> [B, D] float32"""',
                {**half, "w": "float16"},
            ),
            (
                "names with shapes and one type",
                'def call(x, at, w):\n    """at: [B], w, x: float16 [B, C]"""',
                {**half, "w": "float16"},
            ),
            (
                "one of two short types, of several names with shapes",
                'def call(x, w, b):\n    """x [M, D], w [N, D] (bf16 or fp16, unit stride in D), b [N] -> [M, N]."""',
                {"x": "bfloat16", "w": "bfloat16"},
            ),
            (
                "one of two short types behind words",
                'def call(x):\n    """x: (B, T) rows, fp16/bf16."""',
                half,
            ),
            (
                "a type among brackets",
                'def call(x):\n    """x: [B, C] (bf16, row-major)"""',
                {"x": "bfloat16"},
            ),
            (
                "what a file says of itself",
                '"""Scores of windows.\n\nq, k: (items*heads, steps, 64) fp16. With w small, int8 suffices.\n"""\n'
                "def call(q, k, w):\n    pass",
                {"q": "float16", "k": "float16"},
            ),
            (
                "comments at the head of a file",
                "# Linear layer.\n#   x   fp16 [M, K]\n#   at  int32 [N]\nimport torch\ndef call(x, at):\n    pass",
                {**half, "at": "int32"},
            ),
            ("a short type or a long one", 'def call(x):\n    """x: fp16 or fp32 [B, C]"""', {}),
            ("a size called half", 'def call(x):\n    """x: (half, dim)"""', {}),
            ("eight bits", 'def call(x):\n    """x: [B, C] fp8"""', {"x": "float8_e4m3fn"}),
            ("a type before its name", 'def call(x, w):\n    """half x, float32 w"""', {}),
            (
                "made and divided",
                "def call(x, w):\n    pass\ndef test(kind=torch.half):\n"
                "    w = torch.randn(4, dtype=torch.bfloat16) / 2\n    call(torch.ones(4, dtype=kind), w)",
                {**half, "w": "bfloat16"},
            ),
            ("refused", "def call(x):\n    if x.dtype != torch.float16:\n        raise TypeError(x)", half),
            (
                "of all of a list",
                "def call(x, w):\n    for t in (x, w):\n        assert t.dtype == torch.float16",
                {**half, "w": "float16"},
            ),
            (
                "refused, of all of a list",
                "def call(x, w):\n    for t in (x, w):\n        if t.dtype != torch.float16 or not t.is_cuda:\n"
                "            raise TypeError(t)",
                {**half, "w": "float16"},
            ),
            (
                "refused, with the names beside",
                "def call(x, w):\n    for n, t in (('x', x), ('w', w)):\n"
                "        if not (t.is_cuda and t.dtype == torch.float16):\n            raise TypeError(n)",
                {**half, "w": "float16"},
            ),
            (
                "asked for by a function that is handed all",
                "def check(*ts, like):\n    for t in ts:\n        assert t.dtype == torch.float16\n"
                "    assert like.dtype == torch.int8\ndef call(x, w, q):\n    check(x, w, like=q)",
                {**half, "w": "float16", "q": "int8"},
            ),
            (
                "all()",
                "def call(x, w):\n    assert all(t.dtype == torch.float16 for t in [x, w])",
                {**half, "w": "float16"},
            ),
            (
                "the same as another",
                "def call(x, w):\n    assert x.dtype == torch.float16\n    assert x.dtype == w.dtype",
                {**half, "w": "float16"},
            ),
            (
                "a docstring",
                'def call(x, w):\n    """x: fp16 [rows]; w (float32): scales"""',
                {**half, "w": "float32"},
            ),
            (
                "widened, and converted back",
                "def call(x, w):\n    y = f(x.reshape(-1, 4).to(torch.float32), w.float())\n    return y.to(x.dtype)",
                half,
            ),
            (
                "one type for each",
                "# x: (M, K) fp16, w: (K, N) fp16, b: (N,)\ndef call(x, w, b):\n    pass",
                {**half, "w": "float16"},
            ),
            ("a comment", "# x is a half tensor\ndef call(x):\n    pass", half),
            ("two types in one sentence tell nothing", 'def call(x):\n    """x: fp16 or fp32"""', {}),
            ("a size that is called half", 'def call(x):\n    """x: [tokens, 2 * half]"""', {}),
            ("an annotation", "def call(x: Float16[Tensor, 'n']):\n    pass", half),
            ("a name", "def call(x_fp16, w_bf16):\n    pass", {"x_fp16": "float16", "w_bf16": "bfloat16"}),
            (
                "a test's tensor",
                "def call(x, w):\n    pass\ndef test():\n    a = torch.randn(4).half()\n    call(a, w=torch.ones(4, dtype=torch.bfloat16))",
                {**half, "w": "bfloat16"},
            ),
            (
                "one like a test's tensor",
                "def call(x, w):\n    pass\nb = torch.rand(4, device='cuda').to(torch.float16)\nc = torch.empty_like(b)\ncall(b, c)",
                {**half, "w": "float16"},
            ),
            (
                "a module's call",
                "class M(nn.Module):\n    def forward(self, x):\n        pass\nm = M(4).cuda()\nm(torch.randn(4).half())",
                half,
            ),
            ("nothing", "def call(x):\n    assert x.is_cuda", {}),
        ]
        for name, text, expected in cases:
            with self.subTest(name):
                self.assertEqual(expected, told(text))

    def test_of_what_a_kernel_stores(self):
        cases = [
            ("a cast", "tl.store(y + i, v.to(tl.float16))", {"y": "float16"}),
            (
                "loads that it widens",
                "v = tl.load(x + i).to(tl.float32)\n    tl.store(y + i, v.to(tl.bfloat16))",
                {"x": "bfloat16", "y": "bfloat16"},
            ),
            (
                "through a pointer of its own",
                "p = y + i\n    tl.store(p, v.to(tl.float16))",
                {"y": "float16"},
            ),
            ("a cast to what is usual", "tl.store(y + i, v.to(tl.float32))", {}),
            ("no cast", "tl.store(y + i, tl.load(x + i))", {}),
        ]
        for name, body, expected in cases:
            with self.subTest(name):
                self.assertEqual(expected, kernel_types(ast.parse("def k(x, y, i):\n    %s\n" % body), "k"))


if __name__ == "__main__":
    unittest.main()
