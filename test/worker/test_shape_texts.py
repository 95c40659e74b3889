import ast
import unittest

from kernelwright_worker.probe.text.shape_texts import in_names_of, shapes_told

CASES = [
    ("x: (rows, cols)", {"x": ["rows", "cols"]}),
    (
        "x (rows, cols) fp16, y (n, rows, d) fp16, z (n,) int32.",
        {"x": ["rows", "cols"], "y": ["n", "rows", "d"], "z": ["n"]},
    ),
    ("x (Tensor): [batch, heads, d]", {"x": ["batch", "heads", "d"]}),
    ("x (torch.Tensor, optional): of shape (a, b)", {"x": ["a", "b"]}),
    ("x (float): a factor; y (rows, cols)", {"y": ["rows", "cols"]}),
    ("x, y: (rows, cols)", {"x": ["rows", "cols"], "y": ["rows", "cols"]}),
    ("x, y (m, k) and (k, n) matrices", {"x": ["m", "k"], "y": ["k", "n"]}),
    ("x of size (m, k) times y of size (k, n)", {"x": ["m", "k"], "y": ["k", "n"]}),
    ("x is scaled by y (rows, 1)", {"y": ["rows", "1"]}),
    ("x holds what was said (see above, twice)", {}),
]


class ShapeTextTests(unittest.TestCase):
    def test_shapes_that_a_docstring_gives(self):
        for text, expected in CASES:
            with self.subTest(text):
                source = f'def f(x, y, z):\n    """{text}"""\n'
                function = ast.parse(source).body[0]
                self.assertEqual(expected, shapes_told(source, function))

    def test_shapes_that_stand_before_the_function(self):
        cases = [
            ("# y (n, rows)\n", {"y": ["n", "rows"]}),
            ('"""Layers.\n\nx: [rows, cols]\n"""\nimport torch\n\n\n', {"x": ["rows", "cols"]}),
            (
                "#   x  [B, H, S]     y likewise\n#   z  [B] int32\nimport torch\n\nN = 4\n\n",
                {"x": ["B", "H", "S"], "z": ["B"]},
            ),
            ("def g(x):\n    # x: [rows]\n    return x\n\n\n", {}),
            ("# x: [rows, cols]\n\n\ndef g(x):\n    return x\n\n\n", {"x": ["rows", "cols"]}),
        ]
        for before, expected in cases:
            with self.subTest(before):
                source = before + "def f(x, y, z):\n    return x\n"
                function = ast.parse(source).body[-1]
                self.assertEqual(expected, shapes_told(source, function))

    def test_sizes_in_the_names_of_the_code(self):
        told = {
            "q": ["items*heads", "steps", "64"],
            "k": ["items * heads", "steps", "64"],
            "m": ["heads", "2 * steps"],
        }
        coded = {"q": ["rows", "n", "d"], "k": [], "m": []}
        named = {"q": ["rows", "n", "64"], "k": ["rows", "n", "64"], "m": ["heads", "2 * n"]}
        self.assertEqual(named, in_names_of(told, coded))

    def test_the_function_itself_comes_first(self):
        source = '# x: [a, b]\n\n\n# x: [c]\ndef f(x):\n    """x: [n, m]"""\n'
        self.assertEqual({"x": ["n", "m"]}, shapes_told(source, ast.parse(source).body[-1]))


if __name__ == "__main__":
    unittest.main()
