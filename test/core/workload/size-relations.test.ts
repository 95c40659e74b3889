import { expect, test } from "vitest";
import {
  divisorsOf,
  type SizeRelation,
  withRelations,
} from "../../../server/core/workload/probe/shapes/size-relations";
import { settingsWithin } from "../../../server/host/services/workload/entries/domains";
import { probeSettings } from "../../../server/core/workload/probe/settings";
import { fitLastRow } from "../../../server/core/workload/probe/fitting/fit-last-row";
import { proposeProbedShapes } from "../../../server/core/workload/probe/shapes/proposed";

interface Case {
  readonly relations: readonly SizeRelation[];
  readonly sizes: Readonly<Record<string, number>>;
  readonly expected: Readonly<Record<string, number>>;
  /** Values of every size are multiples of this. */
  readonly step?: number;
}

const ofHeads: SizeRelation = { kind: "multiple", name: "heads", value: "kv" };

test.each<[string, Case]>([
  ["multiples", { relations: [ofHeads], sizes: { heads: 13, kv: 4 }, expected: { heads: 12, kv: 4 } }],
  [
    "a divisor that is greater",
    { relations: [ofHeads], sizes: { heads: 3, kv: 7 }, expected: { heads: 7, kv: 7 } },
  ],
  [
    "multiples of two",
    {
      relations: [ofHeads, { kind: "multiple", name: "heads", value: 4 }],
      sizes: { heads: 25, kv: 6 },
      expected: { heads: 24, kv: 6 },
    },
  ],
  [
    "multiples among values of a step",
    { relations: [ofHeads], sizes: { heads: 32, kv: 3 }, step: 32, expected: { heads: 96, kv: 3 } },
  ],
  [
    "equal ones, also of what changes",
    {
      relations: [{ kind: "equal", name: "width", value: "2 * heads" }, ofHeads],
      sizes: { heads: 13, kv: 4, width: 5 },
      expected: { heads: 12, kv: 4, width: 24 },
    },
  ],
  [
    "enough blocks",
    {
      relations: [{ kind: "least", name: "blocks", value: "ceil_div(n, size)" }],
      sizes: { blocks: 2, size: 8, n: 33 },
      expected: { blocks: 5, size: 8, n: 33 },
    },
  ],
  [
    "no more than",
    { relations: [{ kind: "most", name: "n", value: 64 }], sizes: { n: 99 }, expected: { n: 64 } },
  ],
  ["what holds", { relations: [ofHeads], sizes: { heads: 8, kv: 2 }, expected: { heads: 8, kv: 2 } }],
  ["others alone", { relations: [ofHeads], sizes: { n: 5 }, expected: { n: 5 } }],
])("sizes with relations: %s", (_, { relations, sizes, expected, step = 1 }) => {
  expect(withRelations(sizes, relations, (__, wanted) => step * Math.round(wanted / step))).toEqual(expected);
});

test("the settings of a search and the proposed shapes keep to relations, their divisors small", () => {
  const relations: readonly SizeRelation[] = [ofHeads, { kind: "equal", name: "width", value: "heads * 64" }];
  const names = ["batch", "heads", "kv", "width"];
  const plan = { sizes: names, others: [], ranges: [], step: 1, extents: ["batch * width"] };
  const all = [
    ...settingsWithin(new Map(names.map((name) => [name, { kind: "any" }])), "small", relations),
    ...probeSettings(names, { step: 1, isSmall: true, relations }),
    ...proposeProbedShapes({ ...plan, grid: [], threadsPerBlock: 1, relations }).map(({ sizes }) => sizes),
  ];
  for (const { heads = 0, kv = 1, width = 0 } of all) expect([heads % kv, width]).toEqual([0, heads * 64]);
  expect(divisorsOf(relations)).toEqual(new Set(["kv"]));
  const searched = probeSettings(names, { step: 1, isSmall: true, relations });
  expect(searched.every(({ kv = 0 }) => kv <= 5)).toBe(true);
});

test.each([
  ["pages of a cache", (p: number, h: number) => 3 * p * h + h, "4 * page * heads"],
  ["a plain product", (p: number, h: number) => p * h, undefined],
])("whole rows of which the last is touched in part: %s", (_, value, expected) => {
  const samples = [
    [7, 5],
    [11, 3],
    [5, 9],
    [13, 4],
  ].map(([page = 0, heads = 0]) => ({ sizes: { page, heads }, value: value(page, heads) }));
  expect(fitLastRow(samples)).toBe(expected);
});

test("tables get as many rows as there is room for", () => {
  const plan = {
    sizes: ["page", "width"],
    others: [],
    ranges: ["rows"],
    step: 1,
    grid: [],
    threadsPerBlock: 1,
  };
  const tables = new Map([["rows", "page * width"]]);
  const shapes = proposeProbedShapes({ ...plan, tables, extents: ["page * width", "rows * (page * width)"] });
  for (const { sizes } of shapes) {
    const { rows = 0, page = 0, width = 0 } = sizes;
    expect(rows).toBeGreaterThan(3);
    expect(rows * page * width).toBeLessThanOrEqual(4_194_304);
  }
});
