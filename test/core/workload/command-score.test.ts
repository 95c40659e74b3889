import { expect, test } from "vitest";
import { compareVerdicts } from "../../../server/core/judge/comparison";
import { scoreOf } from "../../../server/core/judge/score";
import type { ScoredVerdict } from "../../../server/core/judge/verdict";
import { type ScoreSource, readCommandSpec } from "../../../server/core/workload/command/command-spec";
import { readScore } from "../../../server/core/workload/command/read-score";

const cycles: ScoreSource = { pattern: "cycles: *(?<score>[\\d.,e+-]+)" };
const nested: ScoreSource = { pointer: "/runs/0/a~1b" };

test.each<[string, string, ScoreSource, number | string]>([
  ["the last match counts", "cycles: 12\ncycles: 9\n", cycles, 9],
  ["groups of thousands", "cycles: 1,234,567.5", cycles, 1_234_567.5],
  ["an exponent", "cycles: 1e3", cycles, 1000],
  ["nothing that matches", "done", cycles, `nothing that it printed matches ${cycles.pattern}`],
  ["a pointer", '{"runs":[{"a/b":2.5}]}', nested, 2.5],
  ["nothing there", '{"runs":[]}', nested, "what it printed has nothing at /runs/0/a~1b"],
  ["a text", '{"runs":[{"a/b":"2"}]}', nested, "what stands at /runs/0/a~1b is no number"],
  ["no JSON", "2.5 s", nested, "what it printed is no JSON text"],
  ["the whole output", "2.5", { pointer: "" }, 2.5],
])("the score of a command: %s", (_name, output, source, expected) => {
  const read = readScore(output, source);
  expect(read.ok ? read.value : read.problem).toBe(expected);
});

function scored(values: readonly number[], better: "lower" | "higher" = "lower"): ScoredVerdict {
  const evidence = { sourceDigest: "", target: "command:x", specDigest: "", sizes: {} };
  return { kind: "scored", tier: "full", score: scoreOf(values, { better }), evidence };
}

type Runs = readonly number[];

test.each<[string, { readonly from: Runs; readonly to: Runs; readonly better?: "higher" }, string]>([
  ["less is better", { from: [100, 100], to: [99, 99] }, "better"],
  ["more is better", { from: [100, 100], to: [99, 99], better: "higher" }, "worse"],
  ["too little", { from: [100, 100], to: [99.8, 99.8] }, "same"],
  ["within the noise", { from: [100, 104, 96], to: [97, 101, 93] }, "same"],
  ["beyond the noise", { from: [100, 101, 99], to: [90, 91, 89] }, "better"],
  ["one run may be luck", { from: [100], to: [96] }, "same"],
  ["one run that is far better", { from: [100], to: [90] }, "better"],
  ["from nothing", { from: [0, 0], to: [1, 1], better: "higher" }, "better"],
])("two scores of a command: %s", (_name, { from, to, better }, expected) => {
  expect(compareVerdicts(scored(to, better), scored(from, better)).kind).toBe(expected);
});

const least = { measure: ["./run"], score: cycles, better: "lower", editable: ["src/**"] };

test.each<[string, object, string]>([
  ["the least", {}, "ok"],
  ["a pattern without the group", { score: { pattern: "cycles: (\\d+)" } }, "score"],
  ["no pattern", { score: { pattern: "(" } }, "score"],
  ["a command as one text", { measure: "./run" }, "measure"],
  ["a relative folder", { readable: ["data"] }, "readable"],
])("the settings of a command: %s", (_name, changed, expected) => {
  const read = readCommandSpec({ ...least, ...changed });
  expect(read.ok ? "ok" : read.problem).toContain(expected);
});
