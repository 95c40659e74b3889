import { beforeAll, expect, test } from "vitest";
import { sizeTerms } from "../../../server/core/language/cuda/launch/sizes/size-terms";
import { fitTerms } from "../../../server/core/workload/probe/fitting/fit-terms";
import type { Grammars } from "../../../server/core/language/tree";
import { loadGrammars } from "../../../server/host/toolchain/grammars";
import { evaluateSizeExpression } from "../../../server/core/workload/size-expression";

let grammars: Grammars;
beforeAll(async () => {
  grammars = await loadGrammars();
});

test.each<[string, string, readonly string[]]>([
  [
    "several in a declaration",
    "int oh = h + 2 * pad - k + 1, ow = (w + 2 * pad - k) / s + 1;",
    ["h + 2 * pad - k + 1", "(w + 2 * pad - k) / s + 1"],
  ],
  [
    "terms of terms",
    "const int across = (n + 31) / 32;\n const size_t all = (size_t)across * n; // int lost = n - 1;",
    ["(n + 31) / 32", "((n + 31) / 32) * n"],
  ],
  [
    "what holds other numbers, calls and places",
    "int i = blockIdx.x * 256; int m = min(n, 3); int j = i + n;",
    [],
  ],
  ["another name of a size", "int rows = n; int last = rows - 1;", ["n - 1"]],
  ["no declaration", "n = n - 1; float y = n - 1; for (int i = n - 1; i > 0; --i) {}", []],
])("what code computes of sizes: %s", (_, text, expected) => {
  const tree = grammars.cuda.parse(`void f(int n) { ${text} }`);
  expect(sizeTerms(tree.root, ["n", "h", "w", "k", "s", "pad"])).toEqual(expected);
  tree.dispose();
});

const settings = [
  { n: 5, h: 7, w: 9, k: 3, s: 2, pad: 1 },
  { n: 9, h: 11, w: 6, k: 2, s: 1, pad: 3 },
  { n: 6, h: 5, w: 7, k: 4, s: 3, pad: 2 },
];
const terms = ["h + 2 * pad - k + 1", "(w + 2 * pad - k) / s + 1"];

test.each([
  ["h + 2 * pad - k + 1", "h + 2 * pad - k + 1"],
  ["n * (h + 2 * pad - k + 1)", "n * (h + 2 * pad - k + 1)"],
  [
    "n * ((w + 2 * pad - k) / s + 1) * (h + 2 * pad - k + 1)",
    "n * (h + 2 * pad - k + 1) * ((w + 2 * pad - k) / s + 1)",
  ],
  ["n * h", undefined],
  ["n * (h + 2 * pad - k) + 3", undefined],
])("products of sizes and terms: %s", (extent, expected) => {
  const samples = settings.map((sizes) => {
    const value = evaluateSizeExpression(extent, sizes);
    return { sizes, value: value.ok ? value.value : 0 };
  });
  expect(fitTerms(samples, terms)).toBe(expected);
});
