import { candidateHead, candidateName, describeTarget } from "../../../server/core/words/names/names";
import { simulatedLimitWords } from "../../../server/core/words/names/bound-words";
import { limitOf, type LaunchModel } from "../../../server/core/timing/execution/launch-model";
import { expect, test } from "vitest";

test.each([
  ["vgpu:sm_80", "A100 40GB SXM (sm_80), modelled"],
  ["vgpu:sm_90", "H100 SXM (sm_90), modelled"],
  ["ssh:box/sm_80", "A100 40GB SXM (sm_80), modelled, compiled on box"],
  ["gpu:0", "gpu:0"],
  ["gpu:0/H200 SXM", "H200 SXM (sm_90), timed on gpu:0"],
  ["ssh:box/gpu:1/H200 SXM", "H200 SXM (sm_90), timed on ssh:box/gpu:1"],
  ["command:bench", "command:bench"],
  ["", ""],
])("the target %s reads: %s", (target, words) => expect(describeTarget(target)).toBe(words));

test.each([
  ["c12", "candidate 12", "Candidate 12"],
  ["baseline", "the baseline", "The baseline"],
  ["odd", "odd", "odd"],
])("the candidate %s is called %s", (id, name, head) =>
  expect([candidateName(id), candidateHead(id)]).toEqual([name, head]),
);

const idle = Object.fromEntries(
  ["issued", "fixed", "memory", "shared", "other", "barrier", "unit", "queue", "notSelected"].map((name) => [
    name,
    0,
  ]),
) as LaunchModel["activities"];

test.each([
  ["a unit that is busy nearly all the time", { atomics: 1.03, dram: 0.1 }, { queue: 0.9 }, "atomics at L2"],
  ["issuing", { fma: 0.6 }, { issued: 0.5, notSelected: 0.4 }, "issue of instructions"],
  [
    "nothing busy: what warps wait for",
    { dram: 0.3 },
    { notSelected: 0.5, memory: 0.3 },
    "latency of memory",
  ],
  ["barriers", {}, { barrier: 0.4, fixed: 0.2 }, "barriers"],
])("a simulated time is spent on: %s", (name, busy, parts, words) => {
  const instructionsPerClock = name === "issuing" ? 3.5 : 0.5;
  const simulatedLimit = limitOf({ busy, activities: { ...idle, ...parts }, instructionsPerClock });
  const near = { nanoseconds: 10, simulatedNanoseconds: 19, simulatedLimit };
  expect([simulatedLimitWords(near), simulatedLimitWords({ ...near, simulatedNanoseconds: 20 })]).toEqual([
    undefined,
    words,
  ]);
});
