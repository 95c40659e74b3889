import { expect, test } from "vitest";
import { restingVerdict } from "../../../server/core/agent/beside/resting-verdict";
import type { CorrectVerdict, Verdict } from "../../../server/core/judge/verdict";
import { collectGarbage } from "../../harness/collect-garbage";
import { type LineCounters, noCounters, sumCounters } from "../../../server/core/timing/counters";

/** Collects garbage behind the turn in which weak references still hold. */
async function collect(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  collectGarbage();
}

function lines(): readonly LineCounters[] {
  return [1, 2].map((line) => ({
    ...noCounters(),
    file: "k.cu",
    line,
    instructions: 32 * line,
    loadReuse: { first: line, sameBlock: [0, 4], otherBlocks: [] },
  }));
}

function verdict(): CorrectVerdict {
  const counters = { origin: "virtual-gpu", lines: lines(), totals: sumCounters(lines()) } as const;
  return { kind: "correct", counters, facts: [], cases: [] } as unknown as CorrectVerdict;
}

test("a resting verdict says the same, before and after what it was made of is gone", async () => {
  const resting = restingVerdict(verdict());
  expect(resting).toEqual(verdict());
  await collect();
  expect(resting.counters.lines).toEqual(lines());
  expect(JSON.stringify(resting)).toBe(JSON.stringify({ ...verdict(), counters: resting.counters }));
  expect(structuredClone(resting)).toEqual(verdict());
});

test("lines are read once for all who look at the same time", async () => {
  const resting = restingVerdict(verdict());
  await collect();
  const { lines: first } = resting.counters;
  expect(resting.counters.lines).toBe(first);
});

test("what rests already, and what has no counters, is given back", () => {
  const resting = restingVerdict(verdict());
  expect(restingVerdict(resting)).toBe(resting);
  const wrong = { kind: "refused", reason: "wgmma", file: "k.cu", line: 1 } as unknown as Verdict;
  expect(restingVerdict(wrong)).toBe(wrong);
});
