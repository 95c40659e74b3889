import { expect, test } from "vitest";
import { runLints, type LintMemory, lintMemory } from "../../../server/core/lint/run-lints";
import {
  colouredNames,
  type ColourMemory,
  colourMemory,
} from "../../../server/core/language/names/coloured-names";
import {
  findKernels,
  findSymbols,
  parseSource,
  sourceMemory,
  type SourceFile,
  type SourceMemory,
} from "../../../server/core/language/source-file";
import { loadGrammars } from "../../../server/host/toolchain/grammars";
import { readCase } from "../../harness/cases";

const grammars = await loadGrammars();

type Edit = readonly [sought: string | RegExp, put: string];

interface Typing {
  readonly name: string;
  readonly text: string;
  /** One after the other, each to the text that the one before it has left. */
  readonly edits: readonly Edit[];
}

const library = `#include <cstdio>
#define TILE 32
namespace lib {
struct Shape { enum { kRows = 8 }; };
constexpr int kPad = 1;
template <typename T, int kWidth>
__global__ void turn(const T* in, T* out, int w, int h) {
  __shared__ T tile[TILE][TILE + kPad];
  const int x = blockIdx.x * TILE + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[(blockIdx.y * TILE + threadIdx.y) * w + x];
  out[x * h] = tile[threadIdx.x][threadIdx.y] * kWidth;
}
extern "C" __global__ void halve(float* x, int n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 0.5 * x[i];
}
void launch(float* in, float* out, int w, int h) {
  turn<float, 3><<<dim3(w / TILE, h / TILE), dim3(TILE, TILE)>>>(in, out, w, h);
  halve<<<1, 64>>>(in, w);
}
}  // namespace lib
int main() { lib::launch(nullptr, nullptr, 64, 64); }
`;

const twins = `#if FAST
__global__ void same(float* x) { x[threadIdx.x] *= 2.0; }
#else
__global__ void same(float* x) { x[threadIdx.x] *= 2.0; }
#endif
`;

const triton = `import triton
import triton.language as tl

@triton.jit
def clip(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, 100)
    mask = i < n
    tl.store(x_ptr + i, tl.load(x_ptr + i))
`;

const cases: readonly Typing[] = [
  {
    name: "lines above everything, and taken back",
    text: library,
    edits: [
      ["#include", "// a\n\n#include"],
      ["// a\n\n", ""],
    ],
  },
  {
    name: "letters within a kernel, which break it for a while",
    text: library,
    edits: [
      ["  __shared__", "  x__shared__"],
      ["x__shared__", "__shared__"],
      ["  out[x * h] =", "  __syncthreads();\n  out[x * h] ="],
    ],
  },
  {
    name: "a brace that is opened, and closed later",
    text: library,
    edits: [
      ["if (i < n) x[i]", "if (i < n) { x[i]"],
      ["* x[i];\n", "* x[i]; }\n"],
    ],
  },
  {
    name: "constants of other values, and of none",
    text: library,
    edits: [
      ["#define TILE 32", "#define TILE kPad"],
      ["kPad = 1", "kPad = threadIdx.x"],
      ["constexpr int kPad = threadIdx.x;\n", ""],
      ["kRows = 8", "kPad = 4"],
    ],
  },
  {
    name: "a macro that stands for the mark of kernels",
    text: library,
    edits: [
      ["#define TILE 32", "#define TILE 32\n#define KERNEL __global__"],
      ['extern "C" __global__ void', "KERNEL void"],
      ["#define KERNEL __global__", "#define KERNEL"],
    ],
  },
  {
    name: "the namespace, and what is asked of a launch",
    text: library,
    edits: [
      ["namespace lib {", "namespace other {"],
      [/namespace other \{/, ""],
      ["#include <cstdio>", "#include <vector>"],
      ["(in, w);", "(in, w);\n  check(cudaGetLastError());"],
    ],
  },
  {
    name: "one of two definitions that are alike",
    text: twins,
    edits: [
      ["#else\n", "#else\n\n"],
      ["*= 2.0", "*= 2.0f"],
      ["#if FAST\n", ""],
    ],
  },
  {
    name: "a Triton kernel",
    text: triton,
    edits: [
      ["import triton\n", "import triton\n\n"],
      ["tl.load(x_ptr + i)", "tl.load(x_ptr + i, mask)"],
      ["100", "128"],
    ],
  },
  ...["everything.cu", "broken.cu"].map((name): Typing => ({
    name,
    text: readCase(`language/${name}`),
    edits: [
      [/^/, "\n"],
      [/\n\}/, "\n x}"],
      [/\n x\}/, "\n}"],
      [/\{/, ""],
    ],
  })),
];

test.each(cases)("what is remembered while somebody types is what a fresh look finds: $name", (typing) => {
  const dialect = typing.text === triton ? "triton" : "cuda";
  const memory = { ...sourceMemory(), ...lintMemory(), colours: colourMemory() };
  let source = parseSource(grammars, dialect, typing.text);
  const compare = (): void => expect(factsOf(source, memory)).toEqual(factsOf(source));
  compare();
  for (const [sought, put] of typing.edits) {
    const text = source.text.replace(sought, put);
    expect(text).not.toBe(source.text);
    source = parseSource(grammars, dialect, text, source);
    compare();
  }
  source.tree.dispose();
});

type Memory = SourceMemory & LintMemory & { readonly colours: ColourMemory };

function factsOf(source: SourceFile, memory?: Memory): unknown {
  const kernels = findKernels(source, memory);
  return {
    kernels,
    symbols: findSymbols(source, kernels, memory),
    colours: colouredNames(source, kernels, memory?.colours),
    lints: runLints(source, memory),
  };
}

test("nothing is looked at twice but what has changed", () => {
  const memory = sourceMemory();
  const first = parseSource(grammars, "cuda", library);
  const [, halve] = findKernels(first, memory);
  const second = parseSource(grammars, "cuda", library.replace("* kWidth", "+ kWidth"), first);
  const [turn, same] = findKernels(second, memory);
  expect(turn?.name).toBe("turn");
  expect(same).toBe(halve);
  second.tree.dispose();
});
