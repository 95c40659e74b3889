import { expect, test } from "vitest";
import { proposeProbedShapes } from "../../../server/core/workload/probe/shapes";
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

test.each([
  ["grows with the elements", [1000, 4000], { sizes: { n: 1_048_576 } }],
  ["grows with their square", [10_000, 160_000], { sizes: { n: 4096 } }],
  ["does not grow", [1000, 1000], { sizes: { n: 1_048_576 } }],
  ["was not seen", [0, 0], { sizes: { n: 1_048_576 } }],
] as const)("a shape for work that %s", (_, work, expected) => {
  expect(largeShape(work)).toEqual(expected);
});
