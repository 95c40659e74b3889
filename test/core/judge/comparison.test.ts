import fc from "fast-check";
import { expect, test } from "vitest";
import { compareVerdicts } from "../../../server/core/judge/comparison";
import { noCounters } from "../../../server/core/timing/counters";
import type { CorrectVerdict } from "../../../server/core/judge/verdict";

type Counts = readonly [nanoseconds: number, sectors: number, wavefronts: number, instructions: number];

function verdict([nanoseconds, sectors, wavefronts, instructions]: Counts): CorrectVerdict {
  const totals = { ...noCounters(), globalLoadSectors: sectors, sharedWavefronts: wavefronts, instructions };
  return {
    kind: "correct",
    tier: "full",
    cases: [],
    facts: [],
    counters: { origin: "virtual-gpu", lines: [], totals },
    bound: { gpu: "A100", nanoseconds, terms: {}, binding: "dram" },
    evidence: { sourceDigest: "", target: "", specDigest: "", sizes: {} },
  };
}

const before: Counts = [1000, 100, 100, 100];
const cases: readonly (readonly [Counts, "better" | "same" | "worse", string])[] = [
  [[980, 100, 100, 100], "better", "bound"],
  [[981, 100, 100, 100], "same", "bound"],
  [[1005, 100, 100, 100], "same", "bound"],
  [[1006, 1, 1, 1], "worse", "bound"],
  [[1000, 98, 100, 100], "better", "global sectors"],
  [[1000, 98, 100, 109], "better", "global sectors"],
  [[1000, 98, 100, 111], "same", "global sectors"],
  [[1000, 102, 1, 1], "worse", "global sectors"],
  [[1000, 100, 50, 100], "better", "shared wavefronts"],
  [[1000, 100, 100, 25], "better", "warp instructions"],
  [[1000, 100, 100, 130], "worse", "warp instructions"],
  [[500, 200, 200, 200], "better", "bound"],
];

for (const [after, kind, by] of cases) {
  test(`${before.join(" ")} → ${after.join(" ")} is ${kind} by ${by}`, () => {
    expect(compareVerdicts(verdict(after), verdict(before))).toMatchObject({ kind, by });
  });
}

test("nothing is better than itself, and no two are each better than the other", () => {
  const counts = fc.tuple(
    fc.integer({ min: 1, max: 4000 }),
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: 1, max: 300 }),
  );
  fc.assert(
    fc.property(counts, counts, (a, b) => {
      expect(compareVerdicts(verdict(a), verdict(a)).kind).toBe("same");
      const kinds = [
        compareVerdicts(verdict(a), verdict(b)).kind,
        compareVerdicts(verdict(b), verdict(a)).kind,
      ];
      expect(kinds).not.toEqual(["better", "better"]);
    }),
  );
});

const shapes = [
  { name: "a shape that takes much longer", before: 5000, after: 50_000, kind: "worse" },
  { name: "a small shape that takes a little longer", before: 400, after: 1400, kind: "better" },
] as const;

for (const { name, before: then, after: now, kind } of shapes)
  test(`a gain against ${name} is ${kind}`, () => {
    const sizes = { n: 7 };
    const champion = { ...verdict(before), shapeCosts: [{ sizes, nanoseconds: then }] };
    const challenger = { ...verdict([500, 100, 100, 100]), shapeCosts: [{ sizes, nanoseconds: now }] };
    expect(compareVerdicts(challenger, champion)).toMatchObject({ kind, by: "bound" });
  });
