import { expect, test } from "vitest";
import { withHost } from "../../../server/core/judge/host/compare-host";
import type { Comparison } from "../../../server/core/judge/comparison";
import { timeThatCounts } from "../../../server/core/judge/time-that-counts";
import type { CorrectVerdict, ModelledBound } from "../../../server/core/judge/verdict";
import { noCounters } from "../../../server/core/timing/counters";
import {
  type HostTime,
  hostTime,
  noHostCalls,
  relativeHostTime,
} from "../../../server/core/timing/host/host-calls";
import { describeBound } from "../../../server/core/words/names/bound-words";

interface Version {
  /** Nanoseconds. */
  readonly gpu: number;
  readonly simulated?: number;
  readonly host: number;
  readonly shared?: number;
}

function boundOf({ gpu, simulated, host, shared = 0 }: Version): ModelledBound {
  const time: HostTime = { nanoseconds: host, calls: { ...noHostCalls, sharedBytes: shared } };
  return {
    ...{ gpu: "A100", nanoseconds: gpu, terms: { dram: gpu }, binding: "dram" },
    ...(simulated !== undefined && { simulatedNanoseconds: simulated }),
    host: time,
  };
}

const nothing: Comparison = { kind: "same", by: "bound", gain: 0, sentence: "as before" };
const faster: Comparison = { kind: "better", by: "bound", gain: 0.1, sentence: "faster" };
const base = { gpu: 10_000, host: 50_000 };

test.each<{
  readonly title: string;
  readonly now: Version;
  readonly then?: Version;
  readonly onGpu?: Comparison;
  readonly is: Comparison["kind"];
  readonly by?: Comparison["by"];
}>([
  {
    title: "what both share cancels",
    now: { gpu: 9_000, host: 50_000 },
    onGpu: faster,
    is: "better",
    by: "bound",
  },
  { title: "a copy less wins", now: { gpu: 10_000, host: 40_000 }, is: "better" },
  { title: "a copy more loses", now: { gpu: 10_000, host: 60_000 }, is: "worse" },
  {
    title: "a copy more loses what the GPU gains",
    now: { gpu: 5_000, host: 60_000 },
    onGpu: faster,
    is: "worse",
  },
  {
    title: "work that moves to the GPU may cost less than the copy",
    now: { gpu: 13_000, host: 40_000 },
    is: "better",
  },
  { title: "work that costs as much as the copy is no gain", now: { gpu: 20_000, host: 40_000 }, is: "same" },
  {
    title: "the simulated time has its say",
    now: { gpu: 10_000, simulated: 30_000, host: 40_000 },
    then: { ...base, simulated: 12_000 },
    is: "worse",
  },
  {
    title: "beside a long launch some host code is nothing",
    now: { gpu: 1_000_000, host: 45_000 },
    then: { gpu: 1_000_000, host: 50_000 },
    is: "same",
    by: "bound",
  },
  {
    title: "a small gain on the GPU is no gain where the host loses more",
    now: { gpu: 995_000, host: 56_000 },
    then: { gpu: 1_000_000, host: 50_000 },
    onGpu: faster,
    is: "same",
  },
  {
    title: "shared memory in place of copies is no gain",
    now: { gpu: 10_000, host: 10_000, shared: 4_096 },
    is: "same",
    by: "bound",
  },
])("$title", ({ now, then = base, onGpu = nothing, is, by = "host calls" }) => {
  const compared = withHost(onGpu, { bound: boundOf(now) }, { bound: boundOf(then) });
  expect(compared).toMatchObject({ kind: is, by });
});

const calls = {
  ...{ toHost: { calls: 2, bytes: 2_000_000 }, toDevice: { calls: 1, bytes: 0 }, waits: 2 },
  ...{ allocations: { small: 1, large: 0, pooled: 1 }, sharedBytes: 0 },
};

test.each([
  ["7.0", 212_667],
  ["8.6", 126_000],
  ["12.0", 82_364],
])("calls have a price on capability %s", (capability, nanoseconds) => {
  expect(Math.round(hostTime(calls, { capability })?.nanoseconds ?? 0)).toBe(nanoseconds);
});

test("what kernels move in memory of the host crosses the link", () => {
  const host = hostTime({ ...noHostCalls, crossedBytes: 25_000_000 }, { capability: "8.0" });
  expect(host?.nanoseconds).toBe(1_000_000);
  expect(describeBound({ ...boundOf({ gpu: 5_000, host: 0 }), ...(host && { host }) })).toContain(
    "host calls about 1 ms (23.8 MiB that kernels move in the host's memory)",
  );
});

test("pages of the host that are locked have a price of their own", () => {
  const host = hostTime({ ...noHostCalls, pinned: { calls: 2, bytes: 5_000_000 } }, { capability: "8.0" });
  expect(host?.nanoseconds).toBe(3_000_000);
  expect(describeBound({ ...boundOf({ gpu: 5_000, host: 0 }), ...(host && { host }) })).toContain(
    "host calls about 3 ms (2 allocations of pinned memory)",
  );
});

test.each([
  [3_000, undefined, ""],
  [2_004_000, 1_000_000, "host calls about 1 ms (2 M steps of its own)"],
])("what host code computes has a price where it is much: %d steps", (steps, nanoseconds, told) => {
  const host = hostTime({ ...noHostCalls, steps }, { capability: "8.0" });
  expect(host?.nanoseconds).toBe(nanoseconds);
  expect(describeBound({ ...boundOf({ gpu: 5_000, host: 0 }), ...(host && { host }) })).toContain(told);
});

test("what host code takes is told apart from the GPU's time", () => {
  const host = hostTime(calls, { capability: "8.0" });
  const bound = boundOf({ gpu: 5_000, host: 0 });
  expect(describeBound({ ...bound, ...(host && { host }) })).toBe(
    "modelled bound 5 µs on A100 (DRAM); host calls about 126 µs (2 transfers to the host, 1 transfer to the GPU, 2 waits, 2 allocations)",
  );
  const less = relativeHostTime(undefined, host, 0.5);
  expect(describeBound({ ...bound, ...(less && { host: less }) })).toContain("host calls about 63 µs less");
  expect(describeBound(bound)).toBe("modelled bound 5 µs on A100 (DRAM)");
});

test("an order of versions takes host code along", () => {
  const verdict = (version: Version): CorrectVerdict => ({
    ...{ kind: "correct", tier: "full", cases: [], facts: [], bound: boundOf(version) },
    counters: { origin: "virtual-gpu", lines: [], totals: noCounters() },
    evidence: { sourceDigest: "", target: "", specDigest: "", sizes: {} },
  });
  const versions = [verdict({ gpu: 10_000, host: 50_000 }), verdict({ gpu: 12_000, host: 20_000 })];
  expect(versions.map(timeThatCounts(versions).of)).toEqual([40_000, 12_000]);
});
