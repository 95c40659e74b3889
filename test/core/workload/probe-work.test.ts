import { expect, test } from "vitest";
import { proposeProbedShapes } from "../../../server/core/workload/probe/shapes/proposed";
import { workBySizes } from "../../../server/core/workload/probe/work";

const settings = [{ n: 100 }, { n: 400 }];

/** The large shape of a kernel with one thread for each element, whose work was seen at two sizes. */
function largeShape(work: readonly [number, number]): unknown {
  const estimate = workBySizes(
    settings,
    work.map((warpInstructions) => ({ warpInstructions })),
    ["n"],
  );
  const [large] = proposeProbedShapes({
    sizes: ["n"],
    others: [],
    ranges: [],
    step: 1,
    extents: ["n"],
    grid: ["ceil_div(n, 256)"],
    threadsPerBlock: 256,
    ...(estimate && { work: estimate }),
  });
  return large;
}

test("a stride stays as long as its row, whatever little the probes tell of the work", () => {
  const sizes = ["rows", "cols", "ld"];
  const work = workBySizes(
    [
      { rows: 31, cols: 41, ld: 53 },
      { rows: 29, cols: 37, ld: 67 },
      { rows: 37, cols: 43, ld: 47 },
      { rows: 23, cols: 53, ld: 61 },
    ],
    [1392, 1359, 1923, 1680].map((warpInstructions) => ({ warpInstructions })),
    sizes,
  );
  const plan = {
    ...{ sizes, others: [], ranges: [], step: 1, extents: ["rows * ld", "rows"], threadsPerBlock: 256 },
    grid: ["ceil_div(cols, 16)", "ceil_div(rows, 16)"],
    ...(work && { work }),
  };
  const shapes = proposeProbedShapes(plan).map(({ sizes: found }) => found);
  expect(shapes[0]).toEqual({ rows: 512, cols: 256, ld: 256 });
  expect(shapes.filter((shape) => (shape["ld"] ?? 0) < (shape["cols"] ?? 0))).toEqual([]);
});

test.each([
  ["grows with the elements", [1000, 4000], { sizes: { n: 1_048_576 } }],
  ["grows with their square", [10_000, 160_000], { sizes: { n: 4096 } }],
  ["does not grow", [1000, 1000], { sizes: { n: 1_048_576 } }],
  ["was not seen", [0, 0], { sizes: { n: 1_048_576 } }],
] as const)("a shape for work that %s", (_, work, expected) => {
  expect(largeShape(work)).toEqual(expected);
});

test("work that grows with the square of one size, and hardly with the other", () => {
  const settings = [
    { n: 23, k: 31 },
    { n: 31, k: 19 },
    { n: 19, k: 37 },
    { n: 37, k: 29 },
    { n: 368, k: 496 },
  ];
  // One warp for each 32 of n, each of which looks at all n.
  const observations = settings.map(({ n, k }) => ({
    warpInstructions: Math.ceil(n / 32) * (30 * n + 8 * k),
  }));
  const work = workBySizes(settings, observations, ["n", "k"]);
  const wanted = (8192 / 32) * 30 * 8192;
  const ratio = (work?.({ n: 8192, k: 2 }) ?? 0) / wanted;
  // By the product of both it would be a hundredth.
  expect(ratio).toBeGreaterThan(0.2);
  expect(ratio).toBeLessThan(3);
});

test("where no usual size suits a kernel, its table without a parameter has rows beside the probes' sizes", () => {
  const shapes = proposeProbedShapes({
    ...{ sizes: ["n"], others: [], ranges: ["table_rows"], step: 1, threadsPerBlock: 256 },
    ...{ extents: ["n", "table_rows * 16"], grid: ["n"], tables: new Map([["table_rows", 16]]) },
    work: ({ n = 0 }) => (n > 2 ? Infinity : 1),
    proven: { n: 2 },
  });
  expect(shapes[0]).toEqual({ sizes: { n: 2, table_rows: 16_384 } });
});
