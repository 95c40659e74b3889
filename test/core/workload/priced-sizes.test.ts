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

/** A call of a grid that fills a GPU, with so many instructions. */
function fixed(instructions: (sizes: Sizes) => number) {
  return (sizes: Sizes): Promise<PricedRun | undefined> =>
    Promise.resolve({ threads: 221_184, instructions: instructions(sizes) });
}

interface Case {
  readonly title: string;
  readonly run: (sizes: Sizes) => Promise<PricedRun | undefined>;
  /** What is larger than in the first shape; undefined where nothing is. */
  readonly larger: Sizes | undefined;
  readonly shape?: readonly string[];
}

const ofRows = taking(({ rows = 0 }) => rows);

const cases: readonly Case[] = [
  {
    title: "a thread for each element",
    run: taking(({ rows = 0, columns = 0 }) => rows * columns),
    larger: { rows: 512 },
  },
  { title: "a thread for each row", run: ofRows, larger: { rows: 131_072 }, shape: ["rows"] },
  { title: "rows as long as buffers allow", run: ofRows, larger: { rows: 65_536 } },
  { title: "one block, whatever the sizes", run: taking(() => 256), larger: undefined },
  { title: "a GPU that is full", run: taking(() => 131_072), larger: undefined },
  {
    title: "a grid that fills a GPU whatever the sizes, eight times the work",
    run: fixed(({ rows = 0, columns = 0 }) => rows * columns),
    larger: { rows: 2048 },
  },
  {
    title: "a fixed grid, what one size makes more work of",
    run: fixed(({ columns = 0 }) => columns),
    larger: { columns: 2048 },
  },
  { title: "a fixed grid whose work stays", run: fixed(() => 100), larger: undefined },
  {
    title: "blocks that come with one of the sizes",
    run: taking(({ rows = 0 }) => 131_072 * (1 + Math.floor(rows / 512))),
    larger: undefined,
  },
  { title: "a radius that all shapes have", run: taking(({ radius = 0 }) => radius), larger: undefined },
  {
    title: "work that is too much",
    run: taking(({ rows = 0 }) => rows, 1_000_000),
    larger: { rows: 1024 },
  },
  {
    title: "rows up to a limit",
    run: taking(({ rows = 0 }) => Math.min(rows, 1000)),
    larger: { rows: 1024 },
  },
  {
    title: "a call that fails with more",
    run: ({ rows = 0 }) => Promise.resolve(rows > 512 ? undefined : { threads: rows, instructions: 1 }),
    larger: { rows: 512 },
  },
  { title: "a call that always fails", run: () => Promise.resolve(undefined), larger: undefined },
];

test.each(cases)(
  "a price is asked for with sizes that fill a GPU: $title",
  async ({ run, larger, shape = picture.shape }) => {
    const tensor = { ...picture, shape };
    const priced = await pricedSizes({ shapes, inputs: { x: tensor }, outputs: { y: tensor } }, run);
    expect(priced).toEqual(larger && { ...shapes[0]?.sizes, ...larger });
  },
);
