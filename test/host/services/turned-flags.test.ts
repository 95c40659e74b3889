import { expect, test } from "vitest";
import { fail, type Outcome, succeed } from "../../../server/core/base/outcome";
import type { EntryFunction } from "../../../server/core/language/cuda/entry/entry-functions";
import type { EntryObservation, ProbedEntry } from "../../../server/core/ports/entry-prober";
import { findArguments } from "../../../server/host/services/workload/entries/find-arguments";
import type { EntryPlan } from "../../../server/host/services/workload/entries/plan-entry";

const flag = (name: string): EntryPlan["planned"][number] => ({
  ...({ kind: "value", name, dtype: "bool", value: 1 } as const),
});
const planned: EntryPlan["planned"] = [
  { kind: "size", name: "n", dtype: "int32" },
  flag("along"),
  { kind: "value", name: "scale", dtype: "float32", value: 0.5 },
  flag("adds"),
];

/** The flags of each series of calls, where all calls end so. */
async function flagsTried(seen: Outcome<{ readonly launches: readonly object[] }, string>): Promise<string> {
  const tried: string[] = [];
  const probed = {
    run: ({ arguments: passed }: Parameters<ProbedEntry["run"]>[0]) => {
      const values = passed.map((each) => (each.kind === "number" ? each.value : undefined));
      const flags = `${values[1]}${values[3]}`;
      if (tried.at(-1) !== flags) tried.push(flags);
      return Promise.resolve(seen as Outcome<EntryObservation, string>);
    },
  } as unknown as ProbedEntry;
  const entry = { parameters: [] } as unknown as EntryFunction;
  await findArguments(probed, "columns", {
    entry,
    plan: { planned, returned: [], symbols: [], terms: [] },
  });
  return tried.join(" ");
}

test.each([
  ["another kernel is launched", succeed({ launches: [{ kernel: "rows" }] }), "11 01 10"],
  ["no call ends", fail("it crashed"), "11"],
] as const)("flags are turned over one after the other, or not, where %s", async (_, seen, expected) => {
  expect(await flagsTried(seen)).toBe(expected);
});
