import { beforeAll, expect, test } from "vitest";
import { findKernels, withSource } from "../../../server/core/language/source-file";
import { findPrograms } from "../../../server/core/language/programs";
import type { Grammars } from "../../../server/core/language/tree";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

let grammars: Grammars;
beforeAll(async () => {
  grammars = await loadGrammars();
});

/** Where a source can be run: `LINE` of the whole file, `LINE test` of a test. */
const cases: readonly (readonly [title: string, file: string, text: string, expected: readonly string[]])[] =
  [
    [
      "main of a CUDA program",
      "a.cu",
      "__global__ void k() {}\nstatic int other() { return 1; }\nint main(int n, char** words) { k<<<1, 1>>>(); }\n",
      ["3"],
    ],
    ["a file of kernels", "a.cu", "__global__ void k() {}\n", []],
    [
      "a script with a guard",
      "a.py",
      'import torch\nprint(1)\nif __name__ == "__main__":\n    run()\n',
      ["3"],
    ],
    [
      "a script without one, from its first call",
      "a.py",
      '"""Adds."""\nimport triton.language as tl\nn = 4\ny = add(n)\nprint(y)\n',
      ["4"],
    ],
    [
      "tests of functions and classes, with decorators",
      "test_a.py",
      [
        "import torch",
        "torch.manual_seed(0)",
        "@pytest.mark.parametrize('n', [1])",
        "def test_add(n): ...",
        "class TestScale:",
        "    def helper(self): ...",
        "    def test_double(self): ...",
        "def check(): ...",
      ].join("\n"),
      ["4 test_add", "7 TestScale::test_double"],
    ],
    [
      "tests of a file that runs as well",
      "a.py",
      "from torch import nn\ndef test_a(): ...\nif '__main__' == __name__: test_a()\n",
      ["2 test_a", "3"],
    ],
    ["nothing of a module", "a.py", "import triton\ndef add(x):\n    return x\nsize = 4\n", []],
    ["nothing of Python without a GPU", "a.py", "import numpy\ndef test_a(): ...\nprint(1)\n", []],
  ];

test.each(cases)("%s", (_, file, text, expected) => {
  const found = withSource(grammars, file, text, (source) => findPrograms(source, findKernels(source)));
  const told = found?.map(({ test: name, position }) =>
    name === undefined ? `${position.line + 1}` : `${position.line + 1} ${name}`,
  );
  expect(told).toEqual(expected);
});
