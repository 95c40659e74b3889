import { expect, test } from "vitest";
import { blockShape } from "../../../server/core/agent/rulebook/cuda/launch/block-shape";
import { cudaKernel } from "../../../server/core/agent/rulebook/cuda/kernel";
import { isNot, type RuleInput } from "../../../server/core/agent/rulebook/rule";
import { inferSpec } from "../../../server/core/language/inference";
import { evaluateBlock, evaluateLaunchSite } from "../../../server/core/language/launch-evaluation";
import {
  findKernels,
  findLaunchSites,
  parseSource,
  type SourceFile,
} from "../../../server/core/language/source-file";
import { noCounters } from "../../../server/core/timing/counters";
import type { KernelSpec } from "../../../server/core/workload/spec";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

const grammars = await loadGrammars();

const body = "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i]; }";
const parameters = "(const float* a, float* b, int n)";
const plain = `__global__ void k${parameters} ${body}`;
const host = (statements: string): string => `void run${parameters} { ${statements} }`;

/** What the three readers are to agree on: threads of a block, and blocks for n = 1000. */
interface Launch {
  readonly block: readonly [number, number, number];
  readonly grid: readonly [number, number, number];
}

const row: Launch = { block: [256, 1, 1], grid: [4, 1, 1] };
const square: Launch = { block: [16, 16, 1], grid: [63, 63, 1] };

/** A launch in a style that somebody writes, what it means, and how it is called. */
const spellings: readonly (readonly [string, string, Launch])[] = [
  ["numbers", `${plain}\n${host("k<<<(n + 255) / 256, 256>>>(a, b, n);")}`, row],
  ["a macro", `#define TPB 256\n${plain}\n${host("k<<<(n + TPB - 1) / TPB, TPB>>>(a, b, n);")}`, row],
  [
    "a macro made of macros",
    `#define WARPS 8\n#define TPB (WARPS * 32)\n${plain}\n${host("k<<<(n + TPB - 1) / TPB, TPB>>>(a, b, n);")}`,
    row,
  ],
  [
    "a constexpr",
    `constexpr int kThreads = 256;\n${plain}\n${host("k<<<(n + kThreads - 1) / kThreads, kThreads>>>(a, b, n);")}`,
    row,
  ],
  [
    "a static const in a namespace",
    `namespace cfg { static const unsigned kThreads = 256u; }\n${plain}\n${host("k<<<(n + cfg::kThreads - 1) / cfg::kThreads, cfg::kThreads>>>(a, b, n);")}`,
    row,
  ],
  [
    "an enumerator",
    `enum { kThreads = 256 };\n${plain}\n${host("k<<<(n + kThreads - 1) / kThreads, kThreads>>>(a, b, n);")}`,
    row,
  ],
  [
    "an enumerator that counts on",
    `enum Size { kLess = 255, kThreads };\n${plain}\n${host("k<<<(n + kThreads - 1) / kThreads, kThreads>>>(a, b, n);")}`,
    row,
  ],
  [
    "a constant of a class",
    `struct Config { static constexpr int threads = 256; };\n${plain}\n${host("k<<<(n + Config::threads - 1) / Config::threads, Config::threads>>>(a, b, n);")}`,
    row,
  ],
  [
    "locals",
    `${plain}\n${host("int threads = 256; int blocks = (n + threads - 1) / threads; k<<<blocks, threads>>>(a, b, n);")}`,
    row,
  ],
  [
    "a local declared first and set later",
    `${plain}\n${host("int threads, blocks; threads = 256; blocks = (n + threads - 1) / threads; k<<<blocks, threads>>>(a, b, n);")}`,
    row,
  ],
  [
    "const auto",
    `${plain}\n${host("const auto threads = 256; const auto blocks = (n + threads - 1) / threads; k<<<blocks, threads>>>(a, b, n);")}`,
    row,
  ],
  [
    "dim3 by its constructor",
    `${plain}\n${host("dim3 block(256); dim3 grid((n + 255) / 256); k<<<grid, block>>>(a, b, n);")}`,
    row,
  ],
  [
    "two dim3 in one declaration",
    `${plain}\n${host("dim3 grid((n + 255) / 256), block(256); k<<<grid, block>>>(a, b, n);")}`,
    row,
  ],
  [
    "dim3 in braces",
    `${plain}\n${host("dim3 block{256}; dim3 grid{(n + 255) / 256u}; k<<<grid, block>>>(a, b, n);")}`,
    row,
  ],
  [
    "dim3 by assignment",
    `${plain}\n${host("dim3 block = dim3(256, 1, 1); dim3 grid = dim3((n + 255) / 256, 1, 1); k<<<grid, block>>>(a, b, n);")}`,
    row,
  ],
  [
    "auto of a dim3",
    `${plain}\n${host("auto block = dim3(256); auto grid = dim3{(n + 255) / 256u}; k<<<grid, block>>>(a, b, n);")}`,
    row,
  ],
  [
    "dim3 from a number",
    `${plain}\n${host("dim3 block = 256; dim3 grid = (n + 255) / 256; k<<<grid, block>>>(a, b, n);")}`,
    row,
  ],
  [
    "members of a dim3",
    `${plain}\n${host("dim3 block, grid; block.x = 256; grid.x = (n + block.x - 1) / block.x; k<<<grid, block>>>(a, b, n);")}`,
    row,
  ],
  [
    "the grid by a member of the block",
    `${plain}\n${host("dim3 block(256); dim3 grid((n + block.x - 1) / block.x); k<<<grid, block>>>(a, b, n);")}`,
    row,
  ],
  [
    "a cast and a rounding function",
    `int div_up(int x, int y);\n${plain}\n${host("dim3 block(256); k<<<div_up((int)n, (int)block.x), block>>>(a, b, n);")}`,
    row,
  ],
  [
    "dim3 at the launch",
    `${plain}\n${host("k<<<dim3((n + 255) / 256, 1), dim3(256, 1), 0, 0>>>(a, b, n);")}`,
    row,
  ],
  ["bare lists at the launch", `${plain}\n${host("k<<<{(n + 255) / 256, 1}, {256, 1}>>>(a, b, n);")}`, row],
  [
    "a dim3 of the file",
    `static const dim3 kBlock(256);\n${plain}\n${host("k<<<(n + 255) / 256, kBlock>>>(a, b, n);")}`,
    row,
  ],
  [
    "a bound launch",
    `${plain}\n${host("cudaStream_t s = 0; const size_t bytes = 0; k<<<(n + 255) / 256, 256, bytes, s>>>(a, b, n);")}`,
    row,
  ],
  [
    "a macro for the qualifier",
    `#define KERNEL __global__ void\n#define GLOBAL __global__\nGLOBAL void k${parameters} ${body}\n${host("k<<<(n + 255) / 256, 256>>>(a, b, n);")}`,
    row,
  ],
  [
    "launch bounds, restrict and extern C",
    `extern "C" __global__ void __launch_bounds__(256) k(const float* __restrict__ a, float* __restrict__ b, const int n) ${body}\n${host("k<<<(n + 255) / 256, 256>>>(a, b, n);")}`,
    row,
  ],
  [
    "a kernel in a namespace",
    `namespace ops { ${plain} }\n${host("ops::k<<<(n + 255) / 256, 256>>>(a, b, n);")}`,
    row,
  ],
  [
    "a template of a type",
    `template <typename T> __global__ void k(const T* a, T* b, int n) ${body}\n${host("k<float><<<(n + 255) / 256, 256>>>(a, b, n);")}`,
    row,
  ],
  [
    "a template of a number",
    `template <int B> __global__ void k${parameters} ${body}\n${host("constexpr int B = 256; k<B><<<(n + B - 1) / B, B>>>(a, b, n);")}`,
    row,
  ],
  [
    "a typedef for the type",
    `typedef float real;\n__global__ void k(const real* a, real* b, int n) ${body}\n${host("k<<<(n + 255) / 256, 256>>>(a, b, n);")}`,
    row,
  ],
  [
    "a using for the type",
    `using scalar = float;\n__global__ void k(const scalar* a, scalar* b, int n) ${body}\n${host("k<<<(n + 255) / 256, 256>>>(a, b, n);")}`,
    row,
  ],
  [
    "a block size with a default",
    `${plain}\nvoid run(const float* a, float* b, int n, int threads = 256) { k<<<(n + threads - 1) / threads, threads>>>(a, b, n); }`,
    row,
  ],
  [
    "a block size from the only caller",
    `${plain}\nvoid run(const float* a, float* b, int n, int threads) { k<<<(n + threads - 1) / threads, threads>>>(a, b, n); }\nvoid all(const float* a, float* b, int n) { run(a, b, n, 256); }`,
    row,
  ],
  [
    "cudaLaunchKernel",
    `${plain}\n${host("void* args[] = {&a, &b, &n}; cudaLaunchKernel((const void*)k, dim3((n + 255) / 256), dim3(256), args, 0, 0);")}`,
    row,
  ],
  [
    "a launch inside a condition",
    `${plain}\n${host("const int threads = 256; if (n > 0) { const int blocks = (n + threads - 1) / threads; k<<<blocks, threads>>>(a, b, n); }")}`,
    row,
  ],
  [
    "another launch with other locals before",
    `${plain}\n${host("{ int threads = 64; other<<<n, threads>>>(b); } { int threads = 256; k<<<(n + threads - 1) / threads, threads>>>(a, b, n); }")}`,
    row,
  ],
  [
    "ceil of a quotient",
    `${plain}\n${host("int threads = 256; int blocks = (int)ceil((float)n / threads); k<<<blocks, threads>>>(a, b, n);")}`,
    row,
  ],
  [
    "a shift",
    `${plain}\n${host("const int threads = 1 << 8; k<<<(n + threads - 1) >> 8, threads>>>(a, b, n);")}`,
    row,
  ],
  [
    "a remainder",
    `${plain}\n${host("const int threads = 256; k<<<n / threads + (n % threads != 0), threads>>>(a, b, n);")}`,
    row,
  ],
  [
    "a square block",
    `#define TILE 16\n${plain}\n${host("dim3 threads(TILE, TILE); dim3 blocks((n + threads.x - 1) / threads.x, (n + threads.y - 1) / threads.y); k<<<blocks, threads>>>(a, b, n);")}`,
    square,
  ],
  [
    "a square block by its members",
    `const int TILE = 16;\n${plain}\n${host("dim3 threads; threads.x = TILE; threads.y = TILE; threads.z = 1; dim3 blocks; blocks.x = (n + TILE - 1) / TILE; blocks.y = blocks.x; k<<<blocks, threads>>>(a, b, n);")}`,
    square,
  ],
];

function lensOf(source: SourceFile): unknown {
  const [site] = findLaunchSites(source).filter(({ kernel }) => kernel === "k");
  return {
    kernels: findKernels(source).map(({ name, damaged }) => [name, damaged]),
    threads: site === undefined ? undefined : evaluateBlock(site).threadsPerBlock,
  };
}

/** The spec as it is inferred, and its launch for n = 1000. */
function inferredLaunch(source: SourceFile): { readonly spec: KernelSpec; readonly launch: unknown } {
  const inferred = inferSpec(source, "a.cu", "k");
  if (!inferred.ok) throw new Error(inferred.problem);
  const { spec } = inferred.value;
  const { run } = spec;
  const [site] = findLaunchSites(source).filter(({ kernel }) => kernel === "k");
  if (run.kind !== "launch" || site === undefined) throw new Error("a launch is expected");
  const shape = evaluateLaunchSite({ site, arguments: run.launch.arguments, sizes: { n: 1000 } });
  if (!shape.ok) throw new Error(shape.problem);
  const { grid, block } = shape.value;
  return { spec, launch: { guessed: run.launch.grid !== undefined, grid, block } };
}

function ruleView(text: string, source: SourceFile, spec: KernelSpec): unknown {
  const counters: RuleInput["counters"] = { origin: "virtual-gpu", lines: [], totals: noCounters() };
  const input: RuleInput = {
    tree: { "a.cu": text },
    file: "a.cu",
    kernel: "k",
    dialect: "cuda",
    spec,
    counters,
    facts: [],
    bound: { gpu: "", nanoseconds: 1, terms: {}, binding: "dram" } as unknown as RuleInput["bound"],
    sizes: { n: 1000 },
    parse: () => source.tree.root,
  };
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  return isNot(block) ? block : block.sizes;
}

test.each(spellings)("lens, spec inference and rules agree on %s", (_, text, { block, grid }) => {
  const source = parseSource(grammars, "cuda", text);
  const [x, y, z] = block;
  const { spec, launch } = inferredLaunch(source);
  expect({ lens: lensOf(source), launch, rules: ruleView(text, source, spec) }).toEqual({
    lens: { kernels: [["k", false]], threads: x * y * z },
    launch: { guessed: false, grid, block },
    rules: block,
  });
  source.tree.dispose();
});

/** Launches that no reader may claim to know, since a branch or a loop decides. */
const undecided: readonly (readonly [string, string])[] = [
  ["a block that a branch changes", "int t = 128; if (n > 5) t = 256; k<<<n, t>>>(a, b, n);"],
  ["a member that a branch changes", "dim3 t(128); if (n > 5) t.x = 256; k<<<n, t>>>(a, b, n);"],
  ["a loop's variable", "for (int t = 32; t < 512; t *= 2) k<<<n, t>>>(a, b, n);"],
  ["a parameter of the host", "k<<<n, n>>>(a, b, n);"],
  ["a variable of a block beside", "{ int t = 64; } k<<<n, t>>>(a, b, n);"],
];

test.each(undecided)("no reader claims to know %s", (_, statements) => {
  const text = `${plain}\n${host(statements)}`;
  const source = parseSource(grammars, "cuda", text);
  const inferred = inferSpec(source, "a.cu", "k");
  if (!inferred.ok) throw new Error(inferred.problem);
  expect({
    lens: lensOf(source),
    rules: ruleView(text, source, inferred.value.spec),
  }).toMatchObject({
    lens: { kernels: [["k", false]], threads: undefined },
    rules: { kind: "not", because: "launch" },
  });
  source.tree.dispose();
});
