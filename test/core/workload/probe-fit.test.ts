import { expect, test } from "vitest";
import { findOverrun, withMaskOverruns } from "../../../server/core/workload/probe/overrun";
import { fitExtent } from "../../../server/core/workload/probe/fit";
import { withItsEnd } from "../../../server/core/workload/probe/rim";
import { withStrides } from "../../../server/core/workload/probe/shapes/plan";
import { proposeProbedShapes } from "../../../server/core/workload/probe/shapes/proposed";
import { evaluateSizeExpression } from "../../../server/core/workload/size-expression";
import { probeSettings } from "../../../server/core/workload/probe/settings";

type Sizes = Readonly<Record<string, number>>;

const settings = probeSettings(["n", "m"], { step: 1, isSmall: false });

/** What is fitted to the values that a function gives under the settings of a probe. */
function fitted(of: (sizes: { readonly n: number; readonly m: number }) => number): unknown {
  return fitExtent(
    settings.map((sizes: Sizes) => ({ sizes, value: of(sizes as { n: number; m: number }) })),
    [128],
  );
}

test("whole groups are told from all but one element, where one size is a multiple of a group", () => {
  const samples = [1151, 613, 906, 768].map((n) => ({ sizes: { n }, value: 2 * Math.floor(n / 2) }));
  expect(fitExtent(samples)).toBe("2 * (n / 2)");
});

test("a product with a size of 1 is no matrix that is covered", () => {
  const samples = [1024, 3072, 2048, 5120].map((n) => ({ sizes: { n, levels: 1 }, value: n / 2 }));
  expect(fitExtent(samples)).toBe("ceil_div(n, 2)");
});

test("a matrix with a stride of which the rim is left out is fitted as a whole", () => {
  const sizes = probeSettings(["nx", "ny", "pitch"], {
    step: 1,
    isSmall: false,
    strides: new Set(["pitch"]),
  });
  const ends = (rows: number, columns: number): unknown =>
    fitExtent(
      sizes.map((each: Sizes) => {
        const { nx = 0, ny = 0, pitch = 0 } = each;
        return { sizes: each, value: (ny - 1 - rows) * pitch + nx - columns };
      }),
    );
  expect([ends(0, 1), ends(1, 1), ends(2, 3), ends(0, 0)]).toEqual(
    Array.from({ length: 4 }, () => "(ny - 1) * pitch + nx"),
  );
});

test.each([
  ["a constant", () => 256, 256],
  ["a size", ({ n }) => n, "n"],
  ["a product", ({ n, m }) => n * m, "n * m"],
  ["a multiple", ({ n }) => 32 * n, "32 * n"],
  ["offsets of rows", ({ n }) => n + 1, "n + 1"],
  ["a result for each block", ({ n }) => Math.ceil(n / 256), "ceil_div(n, 256)"],
  ["a result for each block of each row", ({ n, m }) => n * Math.ceil(m / 128), "n * ceil_div(m, 128)"],
  ["whole parts of each row", ({ n, m }) => n * Math.floor(m / 8), "n * (m / 8)"],
  ["one for each share of a size", ({ n, m }) => Math.ceil(n / m), "ceil_div(n, m)"],
  ["whole blocks", ({ n }) => 256 * Math.ceil(n / 256), "256 * ceil_div(n, 256)"],
  ["a halo", ({ n, m }) => (n + 2) * (m + 4), "(n + 2) * (m + 4)"],
  ["a matrix whose rim is left out", ({ n, m }) => n * m - n - 1, "m * n"],
  ["a matrix whose wide rim is left out", ({ n, m }) => n * m - 4 * m - 3, "n * m"],
  ["a matrix with a border, whose end is left out", ({ n, m }) => (n + 8) * (m + 8) - 4, "(n + 8) * (m + 8)"],
  [
    "the inside of a matrix with a border",
    ({ n, m }) => (m + 8) * (n + 8) - 4 * (n + 8) - 4,
    "(m + 8) * (n + 8)",
  ],
  ["a sum", ({ n, m }) => n + m - 1, "n + m - 1"],
  ["half", ({ n }) => Math.floor(n / 2), "n / 2"],
  ["all pairs but one", ({ n }) => Math.floor(n / 2) - 1, "(n / 2) - 1"],
  ["what no form gives", ({ n, m }) => n * n + m * m * m + 77_777, undefined],
] as readonly [string, (sizes: { readonly n: number; readonly m: number }) => number, unknown][])(
  "the extent is %s",
  (_, of, expected) => {
    expect(fitted(of)).toEqual(expected);
  },
);

const strided = probeSettings(["b", "r", "c", "sb", "sr", "sc"], { step: 1, isSmall: false });

test.each([
  ["a stride for each of three axes", "(b - 1) * sb + (r - 1) * sr + (c - 1) * sc + 1"],
  ["strides in another order than the sizes", "(b - 1) * sr + (c - 1) * sb + 1"],
  ["elements side by side", "(b - 1) * sb + (r - 1) * sr + c"],
  ["a product of three of six sizes", "b * r * c"],
  ["three planes, each with a stride for its rows", "(3 - 1) * sb + (b - 1) * sr + c"],
])("the extent has %s", (_, extent) => {
  const samples = strided.map((sizes) => {
    const value = evaluateSizeExpression(extent, sizes);
    return { sizes, value: value.ok ? value.value : 0 };
  });
  expect(fitExtent(samples)).toBe(extent);
});

const windows = probeSettings(["h", "w", "kh", "kw"], {
  ...{ step: 1, isSmall: false, lesser: new Set(["kh", "kw"]) },
});

test.each(["h - kh + 1", "w - kw", "h * (w - kw + 1)", "(w - kw + 1) * (h - kh + 1)"])(
  "windows that are less than what they lie in: %s",
  (extent) => {
    const samples = windows.map((sizes) => {
      const value = evaluateSizeExpression(extent, sizes);
      return { sizes, value: value.ok ? value.value : 0 };
    });
    expect(samples.every(({ value }) => value > 0)).toBe(true);
    expect(fitExtent(samples)).toBe(extent);
  },
);

test("windows stay less than sizes in the shapes that are proposed", () => {
  const shapes = proposeProbedShapes({
    ...{ sizes: ["n"], others: ["taps", "rounds"], lesser: new Set(["taps"]), ranges: [], step: 1 },
    ...{ extents: ["n - taps + 1"], grid: ["ceil_div(n, 256)"], threadsPerBlock: 256 },
  });
  expect(shapes.map(({ sizes: { n, taps, rounds } }) => [n, taps, rounds].join(" "))).toEqual([
    "1048576 32 7",
    "10007 6 8",
    "33 3 6",
    "4099 8 9",
  ]);
});

test("strides lead over the rows within them, and elements of a row are side by side", () => {
  const extents = ["(b - 1) * sb + (r - 1) * sr + (c - 1) * sc + 1", "(m - 1) * lda + n"];
  const sizes = { b: 2, r: 3, c: 5, sb: 1, sr: 1, sc: 7, m: 4, n: 6, lda: 6 };
  expect(withStrides(sizes, extents, (_, value) => value)).toEqual({ ...sizes, sc: 1, sr: 6, sb: 18 });
});

test("rows of a table that is indexed are as long as the rows that are made of them", () => {
  const extents = ["(rows - 1) * ldy + width", "table_rows * ldx"];
  const sizes = { rows: 9, ldx: 5, ldy: 16, width: 12, stride: 2, table_rows: 7 };
  expect(withStrides(sizes, extents, (_, value) => value)).toEqual({ ...sizes, ldx: 17 });
});

test.each([
  { of: "numbers", extents: ["(rows - 1) * left + cols", "(rows - 1) * to + cols"] },
  { of: "vectors", extents: ["((rows - 1) * left + cols) * (4)", "((rows - 1) * to + cols) * (4)"] },
])("rows of $of do not lie over each other in the shapes that are proposed", ({ extents }) => {
  const shapes = proposeProbedShapes({
    ...{ sizes: ["rows", "cols", "left", "to"], others: [], ranges: [], step: 32, extents },
    ...{ grid: ["ceil_div(rows, 32)", "ceil_div(cols, 32)"], threadsPerBlock: 128 },
  });
  expect(shapes.map(({ sizes: { rows, cols, left, to } }) => [rows, cols, left, to].join(" "))).toEqual([
    "1024 1024 1024 1024",
    "1024 1024 1024 1024",
    "32 32 32 32",
    "512 512 512 544",
  ]);
});

test("settings differ under every step, and are its multiples", () => {
  for (const step of [1, 4, 32, 256])
    for (const isSmall of [false, true]) {
      const values = probeSettings(["n"], { step, isSmall }).map(({ n }) => n ?? 0);
      expect({ distinct: new Set(values).size, rest: values.map((value) => value % step) }).toEqual({
        distinct: 4,
        rest: [0, 0, 0, 0],
      });
    }
});

test("no number of blocks is a size as well, nor another number of blocks", () => {
  const sizes = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const counts = ["blocks", "blocks_y", "blocks_z"];
  for (let count = 1; count <= sizes.length; count += 1)
    for (const options of [
      { isSmall: false },
      { isSmall: true },
      { isSmall: false, isTiny: true },
      { isSmall: true, isLeast: true },
    ]) {
      const names = [...counts, ...sizes.slice(0, count)];
      for (const setting of probeSettings(names, { step: 1, counts: new Set(counts), ...options }))
        expect(
          counts.filter((name) => names.some((each) => each !== name && setting[each] === setting[name])),
        ).toEqual([]);
    }
});

test("sizes of a product differ by few tiles, and every two of them in some setting", () => {
  const found = probeSettings(["m", "n", "k"], { step: 64, isSmall: false, isTiled: true });
  expect(found.map(({ m = 0, n = 0, k = 0 }) => [m / 64, n / 64, k / 64])).toEqual([
    [1, 2, 1],
    [2, 1, 1],
    [1, 1, 2],
    [2, 2, 1],
  ]);
});

/** What is found in extents of which the thread at a place touched the last element. */
function overrun(
  of: (n: number, m: number) => number,
  by: (n: number, m: number) => readonly [number, number],
): unknown {
  const samples = settings.map((sizes: Sizes) => ({ sizes, value: of(sizes["n"] ?? 0, sizes["m"] ?? 0) }));
  const places = settings.map((sizes: Sizes) => [...by(sizes["n"] ?? 0, sizes["m"] ?? 0), 0] as const);
  return findOverrun(samples, places)?.extent;
}

test.each([
  ["a guard that lets thread n through", (n) => n + 1, (n) => [n, 0], "n"],
  ["the same with four elements a thread", (n) => 4 * n + 4, (n) => [n, 0], "4 * n"],
  ["one row too many", (n, m) => (n + 1) * m, (n, m) => [m - 1, n], "n * m"],
  ["one column too many in the last row", (n, m) => n * m + 1, (n, m) => [m, n - 1], "n * m"],
  ["a loop that reads behind the last row", (n, m) => n * m + 1, (n) => [n - 1, 0], "n * m"],
  ["row offsets, of which the last thread reads the next one", (n) => n + 1, (n) => [n - 1, 0], undefined],
  ["vertices of a grid, with their own width", (n, m) => (n + 1) * (m + 1), (n, m) => [m, n], undefined],
  ["no more than there is", (n) => n, (n) => [n - 1, 0], undefined],
] as readonly [
  string,
  (n: number, m: number) => number,
  (n: number, m: number) => readonly [number, number],
  unknown,
][])("an overrun: %s", (_, of, by, expected) => {
  expect(overrun(of, by)).toEqual(expected);
});

test("a mask that includes its bound lets one element too many through; offsets have one more by right", () => {
  const buffers = [
    { extent: "n + 1", overrun: undefined },
    { extent: "rows + 1", overrun: undefined },
    { extent: "n", overrun: undefined },
  ];
  expect(withMaskOverruns(buffers, new Set(["n"]))).toEqual([
    { extent: "n + 1", overrun: { extent: "n", by: 'the mask "<= n" alone' } },
    ...buffers.slice(1),
  ]);
});

test.each([
  { step: 4, isSmall: false },
  { step: 8, isSmall: true },
  { step: 32, isSmall: false },
  { step: 64, isSmall: false, isTiled: true },
])("no two of eight sizes have the same values in all settings: %j", (options) => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const found = probeSettings(names, options);
  const series = names.map((name) => found.map((setting) => setting[name]).join());
  expect(series.filter((each, position) => series.indexOf(each) !== position)).toEqual([]);
});

test.each([
  ["len - 5", "len"],
  ["4 * n * m - 3", "4 * n * m"],
  ["n - m", "n - m"],
  ["(n / 2) - 1", "(n / 2) - 1"],
  ["n + 2", "n + 2"],
  [256, 256],
])("an input that is touched as far as %s has %s elements", (extent, all) => {
  expect(withItsEnd(extent)).toBe(all);
});
