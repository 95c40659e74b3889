import { expect, test } from "vitest";
import { friendlierSizes } from "../../../server/core/workload/cases/friendlier-sizes";

const shapes = [
  { sizes: { side: 128, rows: 256 } },
  { sizes: { side: 129, rows: 131 } },
  { sizes: { side: 5, rows: 7 } },
  { sizes: { side: 193, rows: 195 }, heldOut: true },
];

test.each<readonly [why: string, fails: (side: number, rows: number) => boolean, steps: object | undefined]>([
  ["odd sides", (side) => side % 2 === 1, { side: 2 }],
  ["rows that are no multiple of 32", (_, rows) => rows % 32 !== 0, { rows: 32 }],
  ["either", (side, rows) => side % 4 !== 0 || rows % 4 !== 0, { side: 4, rows: 4 }],
  ["no size", () => false, undefined],
  ["every size", () => true, undefined],
  ["what is small, and the first shape", (side) => side < 200 && side % 3 !== 0, undefined],
])("sizes where a fault is at %s", async (_, fails, steps) => {
  const taken = await friendlierSizes(
    shapes,
    ({ sizes: { side = 0, rows = 0 } }) => Promise.resolve(fails(side, rows) ? "a race" : undefined),
    ["side", "rows"],
  );
  expect(taken.instead?.steps).toEqual(steps);
  const left = taken.shapes.filter(({ sizes: { side = 0, rows = 0 } }) => fails(side, rows));
  expect(steps === undefined ? taken.shapes : left).toEqual(steps === undefined ? shapes : []);
});

test.each<readonly [extents: readonly string[], steps: object]>([
  [["n"], { n: 8 }],
  [["n", "delta"], { delta: 8 }],
  [["delta"], { delta: 8 }],
  [[], { delta: 8 }],
])("where %j are extents, what is no extent stays as it is if these help", async (extents, steps) => {
  const all = [{ sizes: { n: 256, delta: 8 } }, { sizes: { n: 33, delta: 1 } }];
  const finds = ({ sizes: { n = 0, delta = 0 } }: (typeof all)[number]): Promise<string | undefined> =>
    Promise.resolve(n % 8 === 0 || delta % 8 === 0 ? undefined : "an undefined shuffle");
  expect((await friendlierSizes(all, finds as never, extents)).instead?.steps).toEqual(steps);
});

test("what extents are multiples of suits the other shapes, too", async () => {
  const all = [
    { sizes: { n: 256, delta: 8 } },
    { sizes: { n: 33, delta: 1 } },
    { sizes: { n: 4099, delta: 4 }, heldOut: true },
  ];
  const finds = ({ sizes: { n = 0, delta = 0 } }: (typeof all)[number]): Promise<string | undefined> =>
    Promise.resolve(n % (2 * delta) === 0 ? undefined : "an undefined shuffle");
  const { shapes, instead } = await friendlierSizes(all, finds as never, ["n"]);
  expect([instead?.steps, shapes.map(({ sizes }) => sizes["n"])]).toEqual([{ n: 8 }, [256, 40, 4104]]);
});
