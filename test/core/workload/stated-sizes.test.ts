import { expect, test } from "vitest";
import { proposeProbedShapes } from "../../../server/core/workload/probe/shapes/proposed";
import { statedNumbers, statedSizes, withStated } from "../../../server/core/workload/probe/stated-sizes";

test.each([
  ["// n = 1 << 20", { n: 1_048_576 }],
  ["/* dim: 24, n is typically 4,096 */", { n: 4096, dim: 24 }],
  ["// N = 2^18 vectors", { n: 262_144 }],
  ["// frames are 1920x1080", { w: 1920, h: 1080 }],
  ["// blocks of 16x16x4", {}],
  ["// p.n = 3, n = 0.5, n / 4", {}],
  ["int n = 64;", {}],
  ["// n = 64k, dim = 12K", { n: 65_536, dim: 12_000 }],
  ["// n: 4M samples, dim of 3 million", { n: 4_194_304, dim: 3_000_000 }],
  ["// n = 1e6, dim = 1.5k", { n: 1_000_000, dim: 1500 }],
  ["// n ~ 20k-50k, dim: 16 .. 96, w is 1 to 8", { n: 50_000, dim: 96, w: 8 }],
  ["// n = 4 MB, dim = 20ms, w = 4 kHz", {}],
  ["// n = 3D, dim = 7x7, w = 10.5, h = 64k/2", {}],
  ["// n = 4096-1, dim = 512 - 2", {}],
  ["// n = 4096, w : 0..255", { n: 4096 }],
  ["// n = 4096\n// dim = 24\n// - w = 8", { n: 4096, dim: 24, w: 8 }],
  ["// n = 4096 points, dim = 96 floats", { n: 4096, dim: 96 }],
  ["// n is typically between 100 and 4000, w is 8 and dim 24", { n: 4000, w: 8, dim: 24 }],
])("sizes that %s says", (text, sizes) => {
  expect(statedSizes(text, ["n", "dim", "w", "h"], "cuda").sizes).toEqual(sizes);
});

test.each([
  ["// Typical call: 16384 x 256", ["rows", "cols"], { rows: 16_384, cols: 256 }],
  ["// 1920x1080 frames", ["rows", "cols"], { rows: 1080, cols: 1920 }],
  ["// M x N x K = 4096 x 2048 x 512", ["M", "N", "K"], { M: 4096, N: 2048, K: 512 }],
  ["// M = N = K = 4096", ["M", "N", "K"], { M: 4096, N: 4096, K: 4096 }],
  ["/* (B=8, H=16, T=1024) */", ["B", "H", "T"], { B: 8, H: 16, T: 1024 }],
  ["// x is (B, T, D); usual sizes 8 x 1024 x 768", ["B", "T", "D", "ldx"], { B: 8, T: 1024, D: 768 }],
  ["// typical: (64, 2048, 512)", ["b", "t", "d"], { b: 64, t: 2048, d: 512 }],
  ["// batch of 64 sequences of 2048", ["batch", "seqLen"], { batch: 64, seqLen: 2048 }],
  ["// 4096 contracts with 512 steps", ["contracts", "numSteps"], { contracts: 4096, numSteps: 512 }],
  [
    "// 3 channels, 256 bins and 8M pixels",
    ["channels", "nbins", "n"],
    { channels: 3, nbins: 256, n: 8_388_608 },
  ],
  ["// vocabulary of 50257, hidden size 768", ["vocab", "hidden"], { vocab: 50_257, hidden: 768 }],
  ["// 32 heads of 128, 8192 - 16384 tokens", ["n_heads", "tokens"], { n_heads: 32, tokens: 16_384 }],
  [
    "// batch 8, seqlen 4096, dim 5120, width 4",
    ["b", "l", "d", "width"],
    { b: 8, l: 4096, d: 5120, width: 4 },
  ],
  ["// a 512^3 volume, 360 views", ["nx", "ny", "nz", "nviews"], { nx: 512, ny: 512, nz: 512, nviews: 360 }],
  ["// 400 x 300 x 200 cells", ["nx", "ny", "nz"], { nx: 400, ny: 300, nz: 200 }],
  ["// 360 projections of 1024 x 768", ["nx", "ny", "nz"], {}],
  [
    "// offsets count 32-bit words of rows 16 bits wide, batch of 8-byte keys",
    ["count", "rows", "batch"],
    {},
  ],
  ["// about 2 million readings", ["n"], { n: 2_000_000 }],
  ["// each block handles 64 rows; each thread 4 elements", ["rows", "n"], {}],
  ["// 16x16 tiles, 32 lanes hold 4 rows per warp", ["rows", "cols"], {}],
  ["// float32, sm_80; see section 4.2 of 2017, 32 bytes of y = 2 * n elements", ["n", "rows"], {}],
] as const)("sizes in words: %s", (text, names, sizes) => {
  expect(statedSizes(text, names, "cuda").sizes).toEqual(sizes);
});

test.each([
  ['"""Typical call: 16384 x 256."""\nrows, cols = x.shape', { rows: 16_384, cols: 256 }],
  ['"""Typical call: 16384 x 256."""\nn = x.numel()', { rows: 16_384, columns: 256 }],
  ["# batch of 64 sequences of 2048, model width 512\nB, T, D = x.shape", { b: 64, t: 2048, d: 512 }],
  [
    '"""Inputs of the 512x512 net: img is (8, 128, 64, 48) in bf16."""\nn, c, h, w = img.shape',
    { n: 8, c: 128, h: 64, w: 48 },
  ],
  ["# k: (items, steps, parts) half -- 6 x 1024 x 96\ni, s, p = k.shape", { i: 6, s: 1024, p: 96 }],
])("what words of %j say of what code takes from shapes", (text, sizes) => {
  expect(statedNumbers(text)).toMatchObject(sizes);
});

test.each([
  ["# n = 1 << 20", { n: 1_048_576 }],
  ['def f(x):\n    """x: (n, dim); dim is usually 4096."""', { dim: 4096 }],
  ["r'''n: 2**12,\ndim 7'''\ndim = 8", { n: 4096, dim: 7 }],
  ['text = """\nn = 64\n"""', {}],
  ["n = 64  # a few, dim = 3 million", { dim: 3_000_000 }],
])("sizes that Python's %s says", (text, sizes) => {
  expect(statedSizes(text, ["n", "dim"], "triton").sizes).toEqual(sizes);
});

test("what is said of any name, and of the sides of a frame, which comments need not name", () => {
  const text = "# Rows = 4096, of 640x480; x / 4\ndef pad(img, W, height): ...";
  expect(statedNumbers(text)).toEqual({ rows: 4096, w: 640, height: 480 });
});

test.each([
  ["// dim <= 32, n in the millions", { dim: 32 }],
  ["// n is at most 2^10, w of up to 64", { n: 1024, w: 64 }],
  ["// n < 512, dim = 64, w <= h", {}],
])("limits that %s says", (text, limits) => {
  const stated = statedSizes(text, ["n", "dim", "w", "h"], "cuda");
  expect(stated.limits).toEqual(limits);
  const found = {
    spec: { shapes: [{ sizes: { n: 4096, dim: 4096 } }, { sizes: { n: 7, dim: 33 }, heldOut: true }] },
    unknowns: [],
  } as unknown as Parameters<typeof withStated>[0];
  const { n = 4096, dim = 4096 } = limits as { n?: number; dim?: number };
  expect(withStated(found, { sizes: limits, limits }).spec.shapes).toEqual([
    { sizes: { n, dim } },
    { sizes: { n: 7, dim: Math.min(33, dim) }, heldOut: true },
  ]);
});

test("limits hold where the largest shape has something else than what is stated", () => {
  const found = {
    spec: { shapes: [{ sizes: { n: 16 } }, { sizes: { n: 33 } }] },
    unknowns: [],
  } as unknown as Parameters<typeof withStated>[0];
  expect(withStated(found, statedSizes("// n <= 32", ["n"], "cuda")).spec.shapes).toEqual([
    { sizes: { n: 16 } },
    { sizes: { n: 32 } },
  ]);
});

test.each([
  ["as it is", { n: 5000 }, { n: 5000, dim: 512 }],
  ["a part of it where that is too much", { n: 2 ** 18, dim: 24 }, { n: 2 ** 17, dim: 24 }],
  ["not where it is far too much", { n: 1e12 }, { n: 1024, dim: 1024 }],
])("the largest shape has what is stated, %s", (_, stated, sizes) => {
  const plan = {
    ...{ sizes: ["n", "dim"], others: [], ranges: [], step: 1, extents: ["n * dim"] },
    ...{ grid: [], threadsPerBlock: 1, stated },
  };
  expect(proposeProbedShapes(plan)[0]).toEqual({ sizes });
});

test.each([
  ["of the grid as long as it fills a GPU", { n: 2 ** 22, dim: 128 }, { n: 2 ** 19, dim: 128 }],
  ["then what is looped over", { n: 2 ** 19, dim: 4096 }, { n: 2 ** 17, dim: 512 }],
  ["what is looped over, where nothing is said of the grid", { dim: 2 ** 14 }, { n: 2 ** 14, dim: 4096 }],
  ["others, where the grid is small", { n: 64, dim: 2 ** 20 }, { n: 64, dim: 2 ** 20 }],
])("stated sizes beyond a check's time are made smaller: %s", (_, stated, sizes) => {
  const plan = {
    ...{ sizes: ["n", "dim"], others: [], ranges: [], step: 1, extents: ["n", "dim"] },
    ...{ grid: ["ceil_div(n, 128)"], threadsPerBlock: 128, stated },
    work: (all: Readonly<Record<string, number>>) => ((all["n"] ?? 1) * (all["dim"] ?? 1)) / 4,
  };
  expect(proposeProbedShapes(plan)[0]).toEqual({ sizes });
});

test.each([
  ["the largest is halved until it is not too much", { n: 2 ** 20, dim: 24 }, 1, { n: 2 ** 17, dim: 24 }],
  ["a smaller part is asked for", { n: 2 ** 20, dim: 24 }, 1 / 16, { n: 2 ** 16, dim: 24 }],
  ["no size of the kernel is passed", { other: 7 }, 1, { n: 1024, dim: 1024 }],
])("the largest shape has what a program passes: %s", (_, passed, scale, sizes) => {
  const plan = {
    ...{ sizes: ["n", "dim"], others: [], ranges: [], step: 1, extents: ["n * dim"] },
    ...{ grid: [], threadsPerBlock: 1, passed },
  };
  expect(proposeProbedShapes(plan, scale)[0]).toEqual({ sizes });
});
