import { expect, test } from "vitest";
import type { SizeCondition } from "../../../server/core/language/cuda/entry/size-conditions";
import {
  askedDomain,
  nearestIn,
  settingsWithin,
} from "../../../server/host/services/workload/entries/domains";

const cases: readonly {
  readonly title: string;
  readonly asked: SizeCondition;
  readonly near: readonly (readonly [wanted: number, value: number])[];
}[] = [
  {
    title: "values",
    asked: { values: [64, 128] },
    near: [
      [1, 64],
      [100, 128],
    ],
  },
  {
    title: "multiples from a least one",
    asked: { multipleOf: 1024, least: 1024 },
    near: [
      [17, 1024],
      [5000, 5120],
    ],
  },
  {
    title: "multiples up to the most",
    asked: { multipleOf: 12, most: 100 },
    near: [
      [1000, 96],
      [1, 12],
    ],
  },
  {
    title: "powers within bounds",
    asked: { isPower: true, least: 20, most: 500 },
    near: [
      [1, 32],
      [4096, 256],
      [60, 64],
    ],
  },
  { title: "one value", asked: { least: 1, most: 1 }, near: [[40, 1]] },
];

test.each(cases)("numbers that host code asks for: $title", ({ asked, near }) => {
  const domain = askedDomain(asked, { kind: "any" });
  expect(near.map(([wanted]) => nearestIn(domain, wanted))).toEqual(near.map(([, value]) => value));
  const { values, multipleOf = 1, least = 1, most = Infinity } = asked;
  for (const { n = 0 } of settingsWithin(
    new Map([
      ["n", domain],
      ["other", { kind: "any" }],
    ]),
    "small",
  )) {
    expect(values === undefined || values.includes(n)).toBe(true);
    expect([n % multipleOf, n >= least, n <= most]).toEqual([0, true, true]);
  }
});

test("numbers with bounds differ from one setting to the next, where there are several", () => {
  const domain = askedDomain({ least: 100, most: 512 }, { kind: "any" });
  const values = settingsWithin(new Map([["n", domain]]), "small").map(({ n }) => n);
  expect(new Set(values).size).toBe(values.length);
});
