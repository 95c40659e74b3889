"""Parameters that are objects or lists, widths of blocks, numbers of which there are few: what is tried for them."""

import ast
import unittest

import paths  # noqa: F401
import usual
from kernelwright_worker.probe.entries import entries_of
from kernelwright_worker.probe.sizes import first_sizes
from kernelwright_worker.probe.text.hints import KernelParameters, Source
from kernelwright_worker.probe.text.kernel_pointers import kernel_pointers
from kernelwright_worker.probe.values.usual import USUAL

KERNEL = """
@triton.jit
def step(x, w, n, C: tl.constexpr):
    i = tl.arange(0, C)
    tl.store(x + i, tl.load(w + i), mask=i < n)

"""
DATA = """
@dataclass
class Plan:
    width: int
    kind: str = "plain"
    rate: float = 0.1

"""
KEPT = """
class Plan:
    def __init__(self, width, depth=4):
        self.width = width
        self.depth = depth

"""


class Apart(unittest.TestCase):
    def setUp(self):
        USUAL.take(usual.ROWS)

    def entry(self, text):
        """What is called first, with the shapes of its tensors and the first sizes."""
        parameters, pointers = kernel_pointers(ast.parse(text))["step"]
        found = entries_of(Source(text, KernelParameters("step", parameters, pointers)), "step", pointers)
        shapes = {name: each.tensor.dims for name, each in found[0].tensors().items()}
        return found[0].text(), shapes, first_sizes(found[0])

    def test_tables_and_tuples(self):
        cases = [
            (
                "a dictionary",
                "def run(x, params, config):\n    w = params['weight']\n    eps = config['eps']\n"
                "    step[(x.shape[0],)](x, w, config['rows'] + eps, C=64)\n",
                "run(x, dict(weight=weight), dict(eps=1e-5, rows=rows))",
            ),
            (
                "one that is handed on as a whole",
                "def run(x, w, config):\n    print(config)\n    step[(1,)](x, w, config['n'], C=64)\n",
                "run(x, w, config)",
            ),
            (
                "pairs of a loop",
                "def run(pairs):\n    for p, g in pairs:\n        step[(1,)](p, g, p.numel(), C=64)\n",
                "run([(p_0, g_0), (p_1, g_1)])",
            ),
            (
                "pairs by their annotation",
                "def run(pairs: list[tuple[torch.Tensor, torch.Tensor]]):\n"
                "    step[(1,)](pairs[0][0], pairs[0][1], pairs[0][0].numel(), C=64)\n",
                "run([(pairs_a_0, pairs_b_0), (pairs_a_1, pairs_b_1)])",
            ),
            (
                "counts that are parts of a whole",
                "def run(x, w, counts):\n    tokens, d = x.shape\n    assert sum(counts) == tokens\n"
                "    step[(len(counts),)](x, w, max(counts), C=64)\n",
                "run(x, w, [tokens - tokens // 2, tokens // 4, tokens // 2 - tokens // 4])",
            ),
        ]
        for name, text, call in cases:
            with self.subTest(name):
                self.assertEqual(self.entry(KERNEL + text)[0], call)

    def test_objects(self):
        launch = "    step[(x.shape[0],)](x, w, plan.width, C=64)\n"
        cases = [
            ("a dataclass", DATA + "def run(x, w, plan: Plan):\n" + launch, "run(x, w, Plan(width=size))"),
            (
                "one that nothing says of",
                KEPT + "def run(x, w, plan):\n" + launch,
                "run(x, w, Plan(width=size))",
            ),
            (
                "one of no class here",
                "def run(x, w, plan):\n" + launch,
                "run(x, w, SimpleNamespace(width=size))",
            ),
            ("one that is handed on", "def run(x, w, plan):\n    check(plan)\n" + launch, "run(x, w, plan)"),
            (
                "a shape that follows",
                DATA + "def run(x, w, plan: Plan):\n    assert w.shape[-1] == 2 * plan.width\n" + launch,
                "run(x, w, Plan(width=width))",
            ),
            (
                "a constructor's",
                DATA
                + "class Layer:\n    def __init__(self, plan: Plan):\n        self.plan = plan\n"
                + "    def run(self, x, w):\n        b, width = x.shape\n"
                + "        step[(b,)](x, w, self.plan.width, C=64)\n",
                "Layer(Plan(width=width)).run(x, w)",
            ),
            (
                "a module of torch",
                "class Layer:\n    def __init__(self, linear: nn.Linear):\n        self.w = linear.weight.data\n"
                + "    def run(self, x):\n        b, k = x.shape\n        step[(b,)](x, self.w, k, C=64)\n",
                "Layer(torch.nn.Linear(in_features=K, out_features=K)).run(x)",
            ),
            (
                "one that is told by what it is asked",
                "def run(x, norm):\n    step[(x.shape[0],)](x, norm.weight, norm.eps, C=64)\n",
                "run(x, torch.nn.LayerNorm(normalized_shape=size))",
            ),
        ]
        for title, text, expected in cases:
            with self.subTest(title):
                self.assertEqual(expected, self.entry(KERNEL + text)[0])

    def test_what_a_constructor_is_told(self):
        run = "    def run(self, x):\n        step[(1,)](x, self.w, self.n, C=64)\n"
        body = "        self.n = %s\n        self.w = torch.zeros(n, %s)\n"
        cases = [
            ("a switch", "n, bias", "        if bias:\n            n += 1\n", "n", "True"),
            ("a device by another name", "n, dev", "", "n, device=dev", "'cuda'"),
            ("a number that is compared", "n, bits", "        assert bits in (4, 8)\n", "n // bits", "4"),
            ("a size by its ending", "n, group_size", "", "n // group_size", "columns"),
        ]
        for title, given, lines, made, second in cases:
            with self.subTest(title):
                head = "class Layer:\n    def __init__(self, %s):\n" % given
                text = head + lines + body % ("n", made) + run
                self.assertEqual("Layer(columns, %s).run(x)" % second, self.entry(KERNEL + text)[0])

    def test_lists(self):
        launch = "        step[(p.numel(),)](p, g, 4, C=64)\n"
        both = "run([ps_0, ps_1], [gs_0, gs_1])"
        cases = [
            ("of a loop", "def run(ps, gs):\n    for p, g in zip(ps, gs):\n" + launch, both),
            (
                "with a number",
                "def run(ps, gs):\n    for i, (p, g) in enumerate(zip(ps, gs)):\n" + launch,
                both,
            ),
            (
                "by annotation",
                "def run(ps: list[torch.Tensor], g):\n    for p in ps:\n" + launch,
                "run([ps_0, ps_1], g)",
            ),
            (
                "of an optimizer",
                "class Steps(torch.optim.Optimizer):\n    def __init__(self, ps, lr=0.1):\n"
                "        super().__init__(ps, dict(lr=lr))\n    def run(self):\n"
                "        for p in self.param_groups[0]['params']:\n            g = p.grad\n    " + launch,
                "Steps(with_gradients(ps_0, ps_1, ps_0_gradient, ps_1_gradient)).run()",
            ),
            (
                "a tensor",
                "def run(ps, g):\n    for i in range(ps.shape[0]):\n        p = ps[i]\n" + launch,
                "run(ps, g)",
            ),
        ]
        for title, text, expected in cases:
            with self.subTest(title):
                self.assertEqual(expected, self.entry(KERNEL + text)[0])

    def test_numbers(self):
        cases = [
            (
                "how wide a block is, which divides a length",
                "def run(x, w, chunk):\n    t, d = x.shape\n    if t % chunk: raise ValueError\n"
                "    step[(t,)](x, w, t, C=chunk)\n",
                ("run(x, w, 64)", {"T": 64}),
            ),
            (
                "an option of the launch",
                "def run(x, w, warps):\n    n, d = x.shape\n    step[(n,)](x, w, n, C=64, num_warps=warps)\n",
                ("run(x, w, 4)", {}),
            ),
            (
                "parts of a size, real numbers of eight bits",
                'def run(x, w):\n    """x: (rows, width) fp8, w: (rows, width // 128) fp32"""\n'
                "    step[(x.shape[0],)](x, w, 64, C=64)\n",
                ("run(x.view(torch.float8_e4m3fn), w)", {"rows": 64, "width": 128}),
            ),
            (
                "heads of a module",
                "class Layer:\n    def __init__(self, dim, n_heads, n_kv_heads, window=8):\n"
                "        assert dim % n_heads == 0\n"
                "        self.h, self.d, self.window = n_heads, dim // n_heads, window\n"
                "    def run(self, x, w):\n        b, t, c = x.shape\n        assert t % self.window == 0\n"
                "        step[(b,)](x, w, self.d, C=64)\n",
                ("Layer(C, 4, 2).run(x, w)", {"T": 64, "C": 32}),
            ),
            (
                "complex numbers, of which a constructor's number says how many",
                "class Front:\n    def __init__(self, points=1024):\n"
                "        self.points = points\n        self.bins = self.points // 2 + 1\n"
                "    def run(self, x, w):\n        b, f, t = x.shape\n"
                "        assert f == self.bins and x.dtype == torch.complex64\n"
                "        step[(b,)](torch.view_as_real(x), w, f, C=64)\n",
                ("Front(points).run(x.view(torch.complex64)[..., 0], w)", {"points": 64}),
            ),
            (
                "types and sizes of what an object was made with",
                "class Bank:\n    def __init__(self, table):\n        entries, width = table.shape\n"
                "        assert table.dtype == torch.float16\n        self.table, self.width = table, width\n"
                "    def run(self, x):\n        rows = x.shape[0]\n        assert x.shape == (rows, self.width)\n"
                "        assert x.dtype == self.table.dtype\n        step[(rows,)](x, self.table, rows, C=64)\n",
                ("Bank(table).run(x)", {"rows": 16, "width": 32}),
            ),
            (
                "rows of so many",
                "def run(x, w, width):\n    m = x.shape[0]\n    y = x.reshape(-1, width)\n"
                "    step[(m,)](y, w, width, C=64)\n",
                ("run(x, w, width)", {"M": 64, "width": 32}),
            ),
        ]
        for title, text, (call, sizes) in cases:
            with self.subTest(title):
                found, _, first = self.entry(KERNEL + text)
                self.assertEqual((call, sizes), (found, {name: first[name] for name in sizes}))


if __name__ == "__main__":
    unittest.main()
