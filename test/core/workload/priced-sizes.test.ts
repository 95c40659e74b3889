import { expect, test } from "vitest";
import { type PricedRun, pricedSizes } from "../../../server/core/workload/cases/priced-sizes";

type Sizes = Readonly<Record<string, number>>;

const shapes = [
  { sizes: { rows: 256, columns: 256, radius: 3 } },
  { sizes: { rows: 17, columns: 19, radius: 3 } },
  { sizes: { rows: 41, columns: 13, radius: 3 }, heldOut: true },
];

const picture = { dtype: "float32", shape: ["rows", "columns"] } as const;

/** A call with a thread for each of so many, and as many instructions as a warp of them has. */
function taking(threads: (sizes: Sizes) => number, each = 10) {
  return (sizes: Sizes): Promise<PricedRun | undefined> =>
    Promise.resolve({ threads: threads(sizes), instructions: (threads(sizes) / 32) * each });
}

test.each<
  readonly [
    why: string,
    run: (sizes: Sizes) => Promise<PricedRun | undefined>,
    larger: Sizes | undefined,
    shape?: readonly string[],
  ]
>([
  ["a thread for each element", taking(({ rows = 0, columns = 0 }) => rows * columns), { rows: 512 }],
  ["a thread for each row", taking(({ rows = 0 }) => rows), { rows: 131_072 }, ["rows"]],
  ["rows as long as buffers allow", taking(({ rows = 0 }) => rows), { rows: 65_536 }],
  ["one block, whatever the sizes", taking(() => 256), undefined],
  ["a GPU that is full", taking(() => 131_072), undefined],
  ["a radius that all shapes have", taking(({ radius = 0 }) => radius), undefined],
  ["work that is too much", taking(({ rows = 0 }) => rows, 1_000_000), { rows: 1024 }],
  ["rows up to a limit", taking(({ rows = 0 }) => Math.min(rows, 1000)), { rows: 1024 }],
  [
    "a call that fails with more",
    ({ rows = 0 }) => Promise.resolve(rows > 512 ? undefined : { threads: rows, instructions: 1 }),
    { rows: 512 },
  ],
  ["a call that always fails", () => Promise.resolve(undefined), undefined],
])("a price is asked for with sizes that fill a GPU: %s", async (_, run, larger, shape) => {
  const tensor = shape === undefined ? picture : { ...picture, shape };
  const priced = await pricedSizes({ shapes, inputs: { x: tensor }, outputs: { y: tensor } }, run);
  expect(priced).toEqual(larger && { ...shapes[0]?.sizes, ...larger });
});
