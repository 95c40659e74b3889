import { expect, test } from "vitest";
import { grownRun } from "../../../server/core/workload/probe/shapes/growth";
import type { ShapePlan, Sizes } from "../../../server/core/workload/probe/shapes/plan";
import { firstSizes } from "../../../server/core/workload/probe/shapes/proposed";
import { filterSizes, usualSizes } from "../../../server/core/workload/probe/shapes/usual-sizes";

function planOf(
  sizes: readonly string[],
  extents: readonly string[],
  more: Partial<ShapePlan> = {},
): ShapePlan {
  return { sizes, extents, others: [], ranges: [], step: 1, grid: [], threadsPerBlock: 1, ...more };
}

test.each<[string, readonly string[], Readonly<Record<string, number>>]>([
  ["attention", ["B", "H", "S", "D"], { B: 8, H: 16, S: 1024, D: 64 }],
  ["attention by the letters of its papers", ["B", "H", "N", "D"], { B: 8, H: 16, N: 1024, D: 64 }],
  [
    "counts before the words",
    ["num_heads", "max_seq_len", "head_dim"],
    { num_heads: 16, max_seq_len: 1024, head_dim: 64 },
  ],
  [
    "words told by capitals",
    ["batchSize", "numKvHeads", "seqLen"],
    { batchSize: 8, numKvHeads: 16, seqLen: 1024 },
  ],
  ["pictures", ["N", "C", "H", "W"], { N: 8, C: 64, H: 512, W: 512 }],
  ["a filter over them", ["height", "width", "radius"], { height: 512, width: 512, radius: 4 }],
  ["the step of a filter", ["h", "w", "ksize", "stride"], { h: 512, w: 512, ksize: 3, stride: 1 }],
  [
    "two pictures, and how often a benchmark runs",
    ["oWidth", "oHeight", "iWidth", "iHeight", "repeat"],
    { oWidth: 512, oHeight: 512, iWidth: 512, iHeight: 512, repeat: 2 },
  ],
  ["the stride of rows", ["rows", "cols", "stride"], { rows: 512, cols: 512 }],
  ["matrices", ["M", "N", "K"], {}],
  ["two sizes, which are rows and columns", ["batch", "dim"], {}],
])("usual sizes of %s", (_, names, expected) => {
  const usual = usualSizes(planOf(names, []));
  expect(Object.fromEntries([...usual].map(([name, size]) => [name, size.usual]))).toEqual(expected);
});

test.each<[string, readonly string[], readonly string[], Readonly<Record<string, number>>]>([
  ["multiprocessors", ["n"], ["sm_count"], { sm_count: 108 }],
  ["multiprocessors in capitals", ["p"], ["numSMs"], { numSMs: 108 }],
  ["blocks", ["n"], ["num_blocks"], { num_blocks: 216 }],
  ["blocks that buffers have", ["num_blocks"], [], {}],
])("usual numbers of %s that share the work", (_, names, others, expected) => {
  const usual = usualSizes(planOf(names, [], { others }));
  expect(Object.fromEntries([...usual].map(([name, size]) => [name, size.usual]))).toEqual(expected);
});

test("names of filters are told whatever else there is", () => {
  const names = ["n", "taps", "pad", "n_pad", "order", "KH", "dilation_h", "half"];
  expect([...filterSizes(names)]).toEqual(["taps", "pad", "n_pad", "KH", "dilation_h"]);
});

interface Kernel {
  readonly threads: (sizes: Sizes) => number;
  /** Warp-level instructions of a thread. */
  readonly work: (sizes: Sizes) => number;
}

async function grownSizes(plan: ShapePlan, { threads, work }: Kernel): Promise<Sizes> {
  const run = (sizes: Sizes) => ({
    ...{ sizes, seen: undefined, threads: threads(sizes) },
    work: (threads(sizes) * work(sizes)) / 32,
  });
  const grown = await grownRun(plan, run(firstSizes(plan)), (sizes) => Promise.resolve(run(sizes)));
  return grown.sizes;
}

const value = (sizes: Sizes, name: string): number => sizes[name] ?? 1;

test.each<[string, ShapePlan, Kernel, Sizes]>([
  [
    "few heads, each with a long row of keys",
    planOf(["B", "H", "S", "D"], ["B * H * S * D"]),
    { threads: (each) => value(each, "B") * value(each, "H") * 128, work: (each) => value(each, "S") },
    { B: 8, H: 16, S: 1024, D: 32 },
  ],
  [
    "loops that are too much work",
    planOf(["B", "H", "S", "D"], ["B * H * S * D"]),
    {
      threads: (each) => value(each, "B") * value(each, "H") * value(each, "S"),
      work: (each) => 4 * value(each, "S") * value(each, "D"),
    },
    { B: 8, H: 8, S: 256, D: 16 },
  ],
  [
    "names that say nothing",
    planOf(["p", "q", "u", "v", "x"], ["p * q", "u * v", "x"]),
    { threads: (each) => value(each, "p") * value(each, "q"), work: (each) => value(each, "x") },
    { p: 512, q: 512, u: 256, v: 256, x: 256 },
  ],
  [
    "what comments say is not usual, but known",
    planOf(["p", "q", "u", "v", "x"], ["p * q", "u * v", "x"], { stated: { x: 16 } }),
    { threads: (each) => value(each, "p") * value(each, "q"), work: (each) => value(each, "x") },
    { p: 2048, q: 1024, u: 256, v: 256, x: 16 },
  ],
])("sizes grow to usual ones: %s", async (_, plan, kernel, expected) => {
  expect(await grownSizes(plan, kernel)).toEqual(expected);
});
