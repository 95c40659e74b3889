import { expect, test } from "vitest";
import { fail, succeed } from "../../../server/core/base/outcome";
import type { EntryFunction } from "../../../server/core/language/cuda/entry/entry-functions";
import type { EntryObservation, EntryProbeCall, ProbedEntry } from "../../../server/core/ports/entry-prober";
import { findArguments } from "../../../server/host/services/workload/entries/find-arguments";

const span = { from: 0, to: 4096, bytes: 4096 };
const buffer = { isAtomic: false, contendedBytes: 0, elementBytes: 4, isFloat: true } as const;
const reach = [1024, 1, 1] as const;
const seen: EntryObservation = {
  buffers: [
    { ...buffer, name: "x", read: span, readFirst: span, lastBy: reach },
    { ...buffer, name: "y", written: span, lastBy: reach },
  ],
  launches: [
    { kernel: "blur", grid: [4, 1, 1], block: [256, 1, 1] },
  ] as unknown as EntryObservation["launches"],
  ...{ launchCount: 1, warpInstructions: 1, isCut: false, sharedBytes: 0, faults: [] },
  ...{ loadReach: reach, storeReach: reach },
};

const type = { dtype: "float32", width: 1 } as const;
const float = (name: string, isConst: boolean) => ({ kind: "buffer" as const, name, type, isConst });

/** The budgets of the calls that are made of an entry which needs so many instructions, or so much room. */
async function callsOf(
  sizes: readonly string[],
  answer: (call: EntryProbeCall) => string | undefined,
): Promise<readonly string[]> {
  const calls: string[] = [];
  const probed: ProbedEntry = {
    constantBytes: new Map(),
    run: (call) => {
      const problem = answer(call);
      calls.push(`${call.instructionBudget / 1e6}M${call.isVast === true ? ", vast" : ""}`);
      return Promise.resolve(problem === undefined ? succeed(seen) : fail(problem));
    },
    close: () => Promise.resolve(),
  };
  const planned = [
    ...[float("x", true), float("y", false)],
    ...sizes.map((name) => ({ kind: "size" as const, name, dtype: "int32" as const })),
  ];
  const plan = { planned, returned: [], symbols: [], terms: [] };
  const entry = { parameters: [], letters: new Map() } as unknown as EntryFunction;
  const found = await findArguments(probed, "blur", { entry, plan });
  return [...new Set(calls), found.ok ? `found after ${calls.length}` : found.problem];
}

const needs =
  (instructions: number) =>
  ({ instructionBudget }: EntryProbeCall): string | undefined =>
    instructionBudget >= instructions
      ? undefined
      : `blur did not end within the ${instructionBudget.toLocaleString("en-US")} warp instructions of a probe`;

test.each([
  { title: "little work is called once", sizes: [], answer: needs(5e5), calls: ["1M", "found after 1"] },
  {
    title: "a picture's work gets more",
    sizes: [],
    answer: needs(5e6),
    calls: ["1M", "16M", "found after 2"],
  },
  {
    title: "a large picture's work gets more again",
    sizes: [],
    answer: needs(5e7),
    calls: ["1M", "16M", "64M, vast", "found after 3"],
  },
  {
    title: "large buffers get room",
    sizes: [],
    answer: (call: EntryProbeCall) =>
      needs(5e6)(call) ??
      (call.isVast === true ? undefined : 'a read behind the end of "x" (25165824 bytes)'),
    calls: ["1M", "16M", "64M, vast", "found after 3"],
  },
])("of an entry without sizes $title", async ({ sizes, answer, calls }) => {
  expect(await callsOf(sizes, answer)).toEqual(calls);
});

test("an entry that is passed a size is called with less of it, not with room for more", async () => {
  const calls = await callsOf(["n"], needs(5e7));
  expect(calls.filter((each) => each.includes("vast"))).toEqual([]);
});
