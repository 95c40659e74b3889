import { expect, test } from "vitest";
import { withinOwnArrays } from "../../../server/core/workload/cases/own-arrays";

const shapes = [
  { sizes: { rows: 1024, width: 1024 } },
  { sizes: { rows: 17, width: 19 } },
  { sizes: { rows: 523, width: 525 }, heldOut: true },
];

test("a size is cut to what an array holds, the others stay as they are", async () => {
  const within = await withinOwnArrays(shapes, ({ sizes: { width = 0 } }) =>
    Promise.resolve(width > 300 ? "it leaves the array" : undefined),
  );
  expect(within).toEqual({
    shapes: [
      { sizes: { rows: 1024, width: 256 } },
      { sizes: { rows: 17, width: 19 } },
      { sizes: { rows: 523, width: 256 }, heldOut: true },
    ],
    limits: [{ name: "width", most: 256, tooLarge: 1024, said: "it leaves the array" }],
  });
});

test("of an array that fits nothing but the least value that is left, and equal shapes become one", async () => {
  const { shapes: left } = await withinOwnArrays(
    [{ sizes: { width: 64 } }, { sizes: { width: 96 } }, { sizes: { width: 20 } }],
    ({ sizes: { width = 0 } }) => Promise.resolve(width > 20 ? "it leaves the array" : undefined),
  );
  expect(left).toEqual([{ sizes: { width: 20 } }]);
});

test("what the smallest shape does is no matter of sizes", async () => {
  expect(await withinOwnArrays(shapes, () => Promise.resolve("it leaves the array"))).toEqual({
    shapes,
    limits: [],
  });
});
