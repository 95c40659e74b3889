import { expect, test } from "vitest";
import { fileConstants } from "../../../server/core/language/cuda/constants";
import { blockProposals } from "../../../server/core/language/cuda/launch/launch-hints";
import { prepareText } from "../../../server/core/language/cuda/prepare";
import { loadGrammars } from "../../../server/host/toolchain/grammars";

const grammars = await loadGrammars();

const plain = ["256", "128", "32"];

test.each<{ title: string; head?: string; body: string; blocks: readonly string[] }>([
  {
    title: "no block of as few threads as a table has columns",
    head: "#define SPECIES 8",
    body: "int i = blockIdx.x * blockDim.x + threadIdx.x; for (int s = 0; s < SPECIES; ++s) x[i * SPECIES + s] = 0;",
    blocks: plain,
  },
  {
    title: "usual blocks first where each thread counts up to a constant",
    head: "constexpr int kFeatures = 64;",
    body: "float own[kFeatures]; for (unsigned f = 0; f < kFeatures; f++) own[f] = x[f]; x[threadIdx.x] = own[0];",
    blocks: [...plain, "64"],
  },
  {
    title: "a constant first that threads are counted by",
    head: "enum { Lanes = 64 };",
    body: "for (int f = threadIdx.x; f < 1000; f += Lanes) x[f] = 0;",
    blocks: ["64", ...plain],
  },
  {
    title: "warps of a block from a shared array with one element for each",
    body: "__shared__ float sums[8]; if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = x[threadIdx.x];",
    blocks: plain,
  },
  {
    title: "no block of as few threads as a shared table has coefficients",
    body: "__shared__ float taps[16]; if (threadIdx.x < 16) taps[threadIdx.x] = x[threadIdx.x];",
    blocks: plain,
  },
  {
    title: "four warps from a shared array of four",
    body: "__shared__ float sums[4]; if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = x[threadIdx.x];",
    blocks: ["128", "256", "32"],
  },
])("a text proposes $title", ({ head = "", body, blocks }) => {
  const parsed = grammars.cuda.parse(prepareText(`${head}\n__global__ void k(float* x) {\n${body}\n}\n`));
  const proposed = blockProposals(parsed.root, "k", fileConstants(parsed.root))(1, []);
  parsed.dispose();
  expect(proposed.map(([x]) => String(x))).toEqual(blocks);
});
