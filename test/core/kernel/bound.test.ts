import fc from "fast-check";
import { expect, test } from "vitest";
import { modelledBound } from "../../../server/core/kernel/bound";
import type { LaunchProfile } from "../../../server/core/kernel/launch-profile";
import { counterNames, noCounters } from "../../../server/core/kernel/counters";
import { defaultGpu } from "../../../server/core/kernel/gpu-model";
import { toleranceFor } from "../../../server/core/kernel/tolerance";

const a100 = defaultGpu("sm_80");
const quiet: LaunchProfile = { counters: noCounters(), blocks: 1080, threadsPerBlock: 256, registersPerThread: 32, sharedBytes: 0, footprintBytes: 0 };
const counted = (changes: Partial<LaunchProfile["counters"]>): LaunchProfile["counters"] => ({ ...noCounters(), ...changes });

test("memory that is touched once goes over DRAM whole, what is moved again for a quarter", () => {
  const sectors = 1_000_000;
  const once = modelledBound([{ ...quiet, counters: counted({ globalLoadSectors: sectors }), footprintBytes: 32 * sectors }], a100);
  expect(once.terms["dram"]).toBeCloseTo((32 * sectors) / 1555, 5);
  const again = modelledBound([{ ...quiet, counters: counted({ globalLoadSectors: 5 * sectors }), footprintBytes: 32 * sectors }], a100);
  expect(again.terms["dram"]).toBeCloseTo((2 * 32 * sectors) / 1555, 5);
  expect(once).toMatchObject({ gpu: "A100 40GB SXM", binding: "dram", nanoseconds: once.terms["dram"] });
});

test("passes through shared memory bind where banks conflict", () => {
  const bound = modelledBound([{ ...quiet, counters: counted({ sharedWavefronts: 32_000_000, instructions: 1_000_000 }) }], a100);
  expect(bound.binding).toBe("shared");
});

test("a launch that leaves multiprocessors idle, or whose last round is small, takes longer for the same work", () => {
  const time = (blocks: number): number => modelledBound([{ ...quiet, blocks, counters: counted({ instructions: 10_000_000 }) }], a100).nanoseconds;
  expect(time(27)).toBeCloseTo(4 * time(108), 6);
  expect(time(109)).toBeCloseTo((2 * 108 / 109) * time(108), 6);
});

test("fewer resident blocks need more rounds", () => {
  const rounds = (registersPerThread: number): number => modelledBound([{ ...quiet, blocks: 1728, registersPerThread, counters: counted({ globalLoadRequests: 1 }) }], a100).terms["latency"] ?? 0;
  expect([rounds(32), rounds(64), rounds(255)]).toEqual([800, 1600, 6400]);
});

test("launches one after the other add up, with a gap between them", () => {
  const one = { ...quiet, counters: counted({ globalLoadRequests: 1 }) };
  expect(modelledBound([one, one], a100).nanoseconds).toBe(2 * modelledBound([one], a100).nanoseconds + 1000);
});

test("the bound is deterministic and never falls when a counter rises", () => {
  const counters = fc.record(Object.fromEntries(counterNames.map((name) => [name, fc.nat(10_000_000)]))) as unknown as fc.Arbitrary<LaunchProfile["counters"]>;
  fc.assert(fc.property(counters, fc.constantFrom(...counterNames), fc.integer({ min: 1, max: 100_000 }), fc.nat(1_000_000_000), (start, name, blocks, footprintBytes) => {
    const launch = { ...quiet, blocks, footprintBytes, counters: start };
    const before = modelledBound([launch], a100);
    const after = modelledBound([{ ...launch, counters: { ...start, [name]: start[name] * 2 + 1 } }], a100);
    expect(after.nanoseconds).toBeGreaterThanOrEqual(before.nanoseconds);
    expect(modelledBound([launch], a100)).toEqual(before);
    expect(before.terms[before.binding]).toBe(Math.max(...Object.values(before.terms)));
  }));
});

test("tolerances: the spec's own, else by dtype; integers are exact", () => {
  expect(toleranceFor("float32", { absolute: 1, relative: 2 })).toEqual({ absolute: 1, relative: 2, stated: true });
  expect(toleranceFor("int32", undefined)).toEqual({ absolute: 0, relative: 0, stated: false });
  const order = (["float64", "float32", "float16", "bfloat16"] as const).map((dtype) => toleranceFor(dtype, undefined).relative);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});
