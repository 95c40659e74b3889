import { expect, test } from "vitest";
import { otherLayouts } from "../../../server/host/worker/triton/returned-layout";
import type { RunOutcome } from "../../../server/host/worker/evaluation/kernel-runner";

type Ran = Extract<RunOutcome, { kind: "ran" }>;

function ranWith(strides: readonly number[]): Ran {
  return {
    kind: "ran",
    outputs: [],
    findings: [],
    remarks: [],
    counters: undefined,
    launches: [],
    facts: [],
    hostWritten: [],
    strides: [strides],
  };
}

test.each([
  { title: "row after row", shape: [4, 3], now: [3, 1], was: [3, 1], told: [] },
  { title: "exchanged axes", shape: [4, 3], now: [1, 4], was: [3, 1], told: ["other-layout"] },
  { title: "exchanged axes, as before", shape: [4, 3], now: [1, 4], was: [1, 4], told: [] },
  { title: "row after row, and it was not", shape: [4, 3], now: [3, 1], was: [1, 4], told: [] },
  { title: "rows with gaps", shape: [4, 3], now: [8, 1], was: [3, 1], told: ["other-layout"] },
  { title: "one number for all rows", shape: [4, 3], now: [0, 1], was: [3, 1], told: ["other-layout"] },
  { title: "an axis of one element", shape: [4, 1, 3], now: [3, 99, 1], was: [3, 3, 1], told: [] },
  { title: "nothing at all", shape: [0, 3], now: [1, 4], was: [3, 1], told: [] },
])("a result with $title", async ({ shape, now, was, told }) => {
  const output = { name: "y", dtype: "float32" as const, shape, bytes: 48 };
  const before = (): Promise<Ran> => Promise.resolve(ranWith(was));
  const found = await otherLayouts({ run: ranWith(now), outputs: [output], before, file: "kernel.py" });
  expect(found.map(({ kind }) => kind)).toEqual(told);
});
