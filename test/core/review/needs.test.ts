import fc from "fast-check";
import { expect, test } from "vitest";
import { findNeeds, type HunkNeeds } from "../../../server/core/review/needs";
import { draws } from "../../harness/draws";

interface Found extends HunkNeeds {
  /** Subsets that were tried, in order. */
  readonly tried: readonly string[];
}

/** Finds the needs where exactly these subsets hold, beside none and all. */
async function needsWhere(
  hunks: readonly string[],
  holds: (subset: readonly string[]) => boolean,
  mostTrials = Number.POSITIVE_INFINITY,
): Promise<Found> {
  const tried: string[] = [];
  const found = await findNeeds(
    hunks,
    (subset) => {
      tried.push([...subset].sort().join(""));
      return Promise.resolve(holds(subset));
    },
    { isSpent: () => tried.length >= mostTrials },
  );
  return { ...found, tried };
}

const has = (subset: readonly string[], ...hunks: readonly string[]): boolean =>
  hunks.every((hunk) => subset.includes(hunk));

test.each([
  {
    name: "a single change is not tried: it is the proposal",
    hunks: ["a"],
    holds: () => false,
    expected: { needs: { a: [] }, bounded: false, tried: [] },
  },
  {
    name: "changes that each stand alone",
    hunks: ["a", "b"],
    holds: () => true,
    expected: { needs: { a: [], b: [] }, bounded: false, tried: ["a", "b"] },
  },
  {
    name: "three that are one, as in the matmul sample",
    hunks: ["a", "b", "c"],
    holds: (subset: readonly string[]) => subset.length === 3,
    expected: {
      needs: { a: ["b", "c"], b: ["a", "c"], c: ["a", "b"] },
      bounded: false,
      tried: ["a", "b", "c", "ab", "ac", "bc"],
    },
  },
  {
    name: "a declaration that stands alone, and its use that does not",
    hunks: ["declare", "use"],
    holds: (subset: readonly string[]) => !has(subset, "use") || has(subset, "declare"),
    expected: { needs: { declare: [], use: ["declare"] }, bounded: false, tried: ["declare", "use"] },
  },
  {
    name: "two pairs",
    hunks: ["a", "b", "c", "d"],
    holds: (subset: readonly string[]) =>
      has(subset, "a") === has(subset, "b") && has(subset, "c") === has(subset, "d"),
    expected: {
      needs: { a: ["b"], b: ["a"], c: ["d"], d: ["c"] },
      bounded: false,
    },
  },
])("$name", async ({ hunks, holds, expected }) => {
  const found = await needsWhere(hunks, holds);
  expect(found).toMatchObject(expected);
});

test("what the budget leaves open counts as needing all others, and says so", async () => {
  const found = await needsWhere(["a", "b", "c"], (subset) => subset.length === 3, 3);
  expect(found).toEqual({
    needs: { a: ["b", "c"], b: ["a", "c"], c: ["a", "b"] },
    bounded: true,
    tried: ["a", "b", "c"],
  });
});

test("what a change is taken with always holds, nothing in it can be left out, and no subset is tried twice", async () => {
  const names = ["a", "b", "c", "d", "e"];
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.boolean(), { minLength: 32, maxLength: 32 }),
      async (count, table) => {
        const hunks = names.slice(0, count);
        const holds = (subset: readonly string[]): boolean =>
          subset.length === count ||
          table[subset.reduce((sum, hunk) => sum + 2 ** names.indexOf(hunk), 0)] === true;
        const { needs, bounded, tried } = await needsWhere(hunks, holds);
        expect(bounded).toBe(false);
        expect(new Set(tried).size).toBe(tried.length);
        for (const hunk of hunks) {
          const others = needs[hunk] ?? [];
          expect(holds([hunk, ...others])).toBe(true);
          for (const other of others)
            expect(holds([hunk, ...others.filter((each) => each !== other)])).toBe(false);
        }
      },
    ),
    { numRuns: draws(500) },
  );
});
