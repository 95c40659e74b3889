import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { type KernelHead, kernelHeads } from "../../../server/core/language/cuda/kernel-heads";
import { findKernels, parseSource } from "../../../server/core/language/source-file";
import type { Grammars } from "../../../server/core/language/tree";
import { repository } from "../../../server/setup/support/layout.mjs";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

let grammars: Grammars;
beforeAll(async () => {
  grammars = await loadGrammars();
});

/** What the grammar says, as far as heads say it. */
function kernelsOf(text: string): readonly KernelHead[] {
  const source = parseSource(grammars, "cuda", text);
  try {
    return findKernels(source).map(({ name, dialect, nameRange }) => ({ name, dialect, nameRange }));
  } finally {
    source.tree.dispose();
  }
}

const kernel = "__global__ void k(float* x) {\n  if (x[0] > 0) { x[1] = ';'; }\n}";

test.each([
  ["host code around it", `#include <cstdio>\nint a = f({1, 2});\n${kernel}\nint main() { return '}'; }\n`],
  ["scopes", `#pragma once\nnamespace a::b { // here\nstruct S { int i; };\nextern "C" {\n${kernel}\n}\n}\n`],
  ["a template", `template <typename T, int N = 4>\nstatic __global__ void k(T t, int n = 1) { }`],
  [
    "launch bounds and a prototype",
    `__global__ void k(int);\n__global__ void __launch_bounds__(256, 2) k(int) {}`,
  ],
  ["one for each condition", `#ifdef A\n${kernel}\n#else\nvoid f(int) {\n}\n#endif\n`],
  ["a mark behind the type", `extern "C" void __global__ k(int* a)\n{\n}\n`],
  ["a comment and a text with braces", `// {\n/* } */ const char* s = "{";\n${kernel}\n`],
  ["numbers with separators", `int n = 1'000'000; char c = '{';\n${kernel}`],
  ["a comment before its name", `__global__ /* ( */ void\n  k /* x */ (int n)\n{ }`],
] as const)("heads tell: %s", (_, text) => {
  const heads = kernelHeads(text);
  expect(heads).toEqual(kernelsOf(text));
  expect(heads?.map(({ name }) => name)).toEqual(["k"]);
});

test.each([
  ["RAFT_KERNEL k(float* x) { x[0] = 1; }", ["k"]],
  ["namespace n {\ntemplate <typename T>\nCUML_KERNEL k(T* x) { x[0] = 1; }\n}", ["k"]],
  ["DEVICE_GLOBAL void k(float* x) { x[0] = 1; }", ["k"]],
  ["RAFT_KERNEL k(float* x);", []],
  ["static KERNEL_COUNT k(float* x) { return 0; }", []],
] as const)("a header's macro for the mark, by its name: %s", (text, names) => {
  expect(kernelsOf(text).map(({ name }) => name)).toEqual(names);
});

test.each([
  ["conditions around heads", `#ifdef A\nvoid f() {\n#else\nvoid f(int) {\n#endif\n}\n${kernel}\n`],
  [
    "a macro for the mark",
    `#define KERNEL __global__ void\nint f() { return 1; }\nKERNEL k(int n) { n = 1; }\n`,
  ],
  ["a library's macro for the mark", `#include "marks.hpp"\nAUDIO_KERNEL k(int n) { n = 1; }\n`],
  ["a macro for the whole head", `__global__ void DECLARE(k) {\n}\n`],
  ["a word that may be a macro", `EXPORTED __global__ void k(int n) {\n}\n`],
  ["a raw text", `const char* s = R"(} " ;)";\n${kernel}`],
  ["a brace too many", `int f() { }}\n${kernel}`],
  ["a class with kernels", `class C { friend __global__ void k(); int i; };\n${kernel}`],
  ["a specialization", `template <> __global__ void k<float>(float* x) {\n}\n`],
  ["a return type of its own", `__global__ std::enable_if_t<true> k(float* x) {\n}\n`],
] as const)("it takes a grammar: %s", (_, text) => {
  expect(kernelHeads(text)).toBeUndefined();
});

const sources = execFileSync("git", ["ls-files", "--", "*.cu", "*.cuh"], {
  cwd: repository,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "");

test("heads say of the sources of this repository what the grammar says, and of most of them they do", () => {
  const texts = sources.map((path) => [path, readFileSync(`${repository}/${path}`, "utf8")] as const);
  const told = texts.filter(([, text]) => kernelHeads(text) !== undefined);
  const differing = told.filter(
    ([, text]) => JSON.stringify(kernelHeads(text)) !== JSON.stringify(kernelsOf(text)),
  );
  expect(differing.map(([path]) => path)).toEqual([]);
  expect(told.length / texts.length).toBeGreaterThan(0.8);
});
