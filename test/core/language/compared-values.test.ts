import { expect, test } from "vitest";
import { cudaLaunchFacts } from "../../../server/core/language/cuda/launch/launch-facts";
import { withSource } from "../../../server/core/language/source-file";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

test.each<[string, string, Readonly<Record<string, number>>]>([
  ["a macro", "if (a[i] == NONE) a[i] = n;", { a: -1 }],
  ["a limit of C", "if (a[2 * i + 1] == INT_MAX) b[i] = 1;", { a: 2 ** 31 - 1 }],
  ["a local of the element", "int seen = a[i]; if (seen == FREE) b[i] = 1;", { a: 7 }],
  ["an exchange by an atomic", "if (atomicCAS(&b[i % n], 0, i) == 0) a[i] = 1;", { b: 0 }],
  ["an exchange at a sum", "atomicCAS(b + i, FREE, i);", { b: 7 }],
  ["a number that only a launch knows", "if (a[i] == n) b[i] = 1;", {}],
  ["an assignment", "a[i] = 3; b[i] = a[i] + 3;", {}],
  ["a comment", "// if (a[i] == 3)\nb[i] = a[i];", {}],
])("%s that elements are compared with", async (_, body, expected) => {
  const text = `#define NONE (-1)\nconst int FREE = 7;\n__global__ void k(int* a, int* b, int n) {\nint i = threadIdx.x;\n${body}\n}\n`;
  const facts = withSource(await loadGrammars(), "k.cu", text, (source) => cudaLaunchFacts(source, "k"));
  expect(Object.fromEntries(facts?.compared ?? [])).toEqual(expected);
});
