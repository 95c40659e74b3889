import fc from "fast-check";
import { expect, test } from "vitest";
import { modelledBound } from "../../../server/core/timing/bound";
import { counterNames, noCounters } from "../../../server/core/timing/counters";
import { defaultGpu } from "../../../server/core/timing/gpu-model";
import { type LaunchProfile, addLaunch, timesOf } from "../../../server/core/timing/launch-profile";
import { servedSectors } from "../../../server/core/timing/reuse";
import { toleranceFor } from "../../../server/core/judge/tolerance";

const a100 = defaultGpu("sm_80");
const quiet: LaunchProfile = {
  counters: noCounters(),
  blocks: 1080,
  threadsPerBlock: 256,
  registersPerThread: 32,
  sharedBytes: 0,
  footprintBytes: 0,
};
const counted = (changes: Partial<LaunchProfile["counters"]>): LaunchProfile["counters"] => ({
  ...noCounters(),
  ...changes,
});

test("memory that is touched once goes over DRAM whole, what is moved again for a quarter where reuse is not known", () => {
  const sectors = 1_000_000;
  const once = modelledBound(
    [{ ...quiet, counters: counted({ globalLoadSectors: sectors }), footprintBytes: 32 * sectors }],
    a100,
  );
  expect(once.terms["dram"]).toBeCloseTo((32 * sectors) / 1555, 5);
  const again = modelledBound(
    [{ ...quiet, counters: counted({ globalLoadSectors: 5 * sectors }), footprintBytes: 32 * sectors }],
    a100,
  );
  expect(again.terms["dram"]).toBeCloseTo((2 * 32 * sectors) / 1555, 5);
  expect(once).toMatchObject({ gpu: "A100 40GB SXM", binding: "dram", nanoseconds: once.terms["dram"] });
});

const reuse = (
  first: number,
  sameBlock: readonly number[],
  otherBlocks: readonly number[] = [],
): LaunchProfile["counters"]["loadReuse"] => ({ first, sameBlock, otherBlocks });

test("with reuse known, first touches and what no cache holds go over DRAM", () => {
  const counters = counted({
    globalLoadSectors: 4000,
    globalStoreSectors: 500,
    loadReuse: reuse(1000, [2000, 0, 0], [900, 100]),
    storeReuse: reuse(500, []),
  });
  const { terms } = modelledBound([{ ...quiet, counters }], a100);
  expect(terms["dram"]).toBeCloseTo((1500 * 32) / 1555, 6);
  // 2000 loads end in the first level; what other blocks touched is in the second.
  const clock = 19500 / (108 * 64 * 2);
  expect(terms["l2"]).toBeCloseTo(((2000 + 500) * 32) / 108 / (48 * clock), 6);
});

test("distances beyond a cache go to the next level, within a class by its share", () => {
  const cache = { firstLevelBytes: 2048, secondLevelBytes: 2 ** 20, blocksAtOnce: 2 };
  // Classes: below 2 KiB, 2 to 4 KiB, … ; a block's own reuse finds half of the second level.
  expect(servedSectors({ first: 3, sameBlock: [10, 20], otherBlocks: [] }, cache)).toEqual({
    firstLevel: 10,
    secondLevel: 20,
    memory: 3,
  });
  expect(
    servedSectors({ first: 0, sameBlock: [0, 8], otherBlocks: [] }, { ...cache, firstLevelBytes: 3072 }),
  ).toEqual({ firstLevel: 4, secondLevel: 4, memory: 0 });
  const far = (at: number): number[] => Array.from({ length: at + 1 }, (_, index) => (index === at ? 6 : 0));
  // Class 9 ends at 1 MiB, class 8 at 512 KiB.
  expect(servedSectors({ first: 0, sameBlock: far(9), otherBlocks: far(9) }, cache)).toEqual({
    firstLevel: 0,
    secondLevel: 6,
    memory: 6,
  });
  expect(servedSectors({ first: 0, sameBlock: far(8), otherBlocks: far(10) }, cache)).toEqual({
    firstLevel: 0,
    secondLevel: 6,
    memory: 6,
  });
  expect(
    servedSectors(
      { first: 0, sameBlock: far(17), otherBlocks: far(17) },
      { ...cache, secondLevelBytes: 2 ** 30 },
    ),
  ).toEqual({ firstLevel: 0, secondLevel: 0, memory: 12 });
});

test("each pipe takes as long as its rate on the architecture says", () => {
  const terms = (architecture: string): Readonly<Record<string, number>> =>
    modelledBound(
      [
        {
          ...quiet,
          counters: counted({
            fp64Instructions: 32_000,
            fp32Instructions: 32_000,
            specialInstructions: 32_000,
          }),
        },
      ],
      defaultGpu(architecture),
    ).terms;
  const ratio = (architecture: string, term: string): number =>
    (terms(architecture)[term] ?? 0) / (terms(architecture)["fp32"] ?? 1);
  expect(
    ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"].map((each) => [
      ratio(each, "fp64"),
      ratio(each, "special"),
    ]),
  ).toEqual([
    [32, 4],
    [2, 4],
    [64, 8],
    [64, 8],
    [2, 8],
    [2, 8],
    [64, 8],
  ]);
});

test("atomics wait for memory once as loads and stores do", () => {
  const latency = (counters: Parameters<typeof counted>[0]): number =>
    modelledBound([{ ...quiet, blocks: 1, counters: counted(counters) }], a100).terms["latency"] ?? 0;
  expect([
    latency({ globalAtomicSectors: 1 }),
    latency({ globalStoreRequests: 1 }),
    latency({ instructions: 1 }),
  ]).toEqual([400, 400, 0]);
});

test("low occupancy shows as latency, by Little's law", () => {
  const counters = counted({
    globalLoadRequests: 1_000_000,
    globalLoadSectors: 4_000_000,
    loadReuse: reuse(4_000_000, []),
  });
  const latency = (registersPerThread: number): number =>
    modelledBound([{ ...quiet, blocks: 108_000, registersPerThread, counters }], a100).terms["latency"] ?? 0;
  // 64, 32 and 8 resident warps: the fewer there are, the less is on its way.
  expect([latency(64) / latency(32), latency(255) / latency(32)]).toEqual([2, 8]);
  expect(modelledBound([{ ...quiet, blocks: 108_000, registersPerThread: 32, counters }], a100).binding).toBe(
    "dram",
  );
});

test("atomics take as many passes as lanes want one address", () => {
  const one =
    modelledBound([{ ...quiet, counters: counted({ sharedAtomicPasses: 1_000_000 }) }], a100).terms[
      "atomics"
    ] ?? 0;
  const both = modelledBound(
    [{ ...quiet, counters: counted({ sharedAtomicPasses: 1_000_000, globalAtomicPasses: 1_000_000 }) }],
    a100,
  ).terms["atomics"];
  expect(both).toBeCloseTo(2 * one, 6);
});

test("launches of one shape that are kept together cost what they cost apart", () => {
  const one: LaunchProfile = {
    ...quiet,
    counters: counted({ instructions: 5_000_000, globalLoadRequests: 1 }),
  };
  const together = [one, one, one].reduce<readonly LaunchProfile[]>((sum, each) => addLaunch(sum, each), []);
  expect(together).toHaveLength(1);
  expect(modelledBound(together, a100).nanoseconds).toBeCloseTo(
    modelledBound([one, one, one], a100).nanoseconds,
    6,
  );
  const shapes = Array.from({ length: 100 }, (_, index) => ({ ...one, blocks: index + 1 })).reduce<
    readonly LaunchProfile[]
  >((sum, each) => addLaunch(sum, each), []);
  expect([shapes.length, shapes.reduce((sum, each) => sum + timesOf(each), 0)]).toEqual([32, 100]);
});

test("more of any class of reuse never lowers a term", () => {
  const classes = fc.array(fc.nat(100_000), { maxLength: 18 });
  const drawn = fc.record({ first: fc.nat(1000), sameBlock: classes, otherBlocks: classes });
  fc.assert(
    fc.property(drawn, fc.nat(17), fc.boolean(), fc.boolean(), (start, at, own, isLoad) => {
      const grown = Array.from(
        { length: 18 },
        (_, index) => ((own ? start.sameBlock : start.otherBlocks)[index] ?? 0) + (index === at ? 5000 : 0),
      );
      const more = own ? { ...start, sameBlock: grown } : { ...start, otherBlocks: grown };
      const terms = (given: typeof start): readonly number[] =>
        Object.values(
          modelledBound(
            [
              {
                ...quiet,
                counters: counted({
                  globalLoadRequests: 9000,
                  ...(isLoad ? { loadReuse: given } : { storeReuse: given }),
                }),
              },
            ],
            a100,
          ).terms,
        );
      const [before, after] = [terms(start), terms(more)];
      expect(after.every((value, index) => value >= (before[index] ?? 0) - 1e-9)).toBe(true);
    }),
  );
});

test("passes through shared memory bind where banks conflict", () => {
  const bound = modelledBound(
    [{ ...quiet, counters: counted({ sharedWavefronts: 32_000_000, instructions: 1_000_000 }) }],
    a100,
  );
  expect(bound.binding).toBe("shared");
});

test("a launch that leaves multiprocessors idle, or whose last round is small, takes longer for the same work", () => {
  const time = (blocks: number): number =>
    modelledBound([{ ...quiet, blocks, counters: counted({ instructions: 10_000_000 }) }], a100).nanoseconds;
  expect(time(27)).toBeCloseTo(4 * time(108), 6);
  expect(time(109)).toBeCloseTo(((2 * 108) / 109) * time(108), 6);
});

test("fewer resident blocks need more rounds", () => {
  const rounds = (registersPerThread: number): number =>
    modelledBound(
      [{ ...quiet, blocks: 1728, registersPerThread, counters: counted({ globalLoadRequests: 1 }) }],
      a100,
    ).terms["latency"] ?? 0;
  expect([rounds(32), rounds(64), rounds(255)]).toEqual([800, 1600, 6400]);
});

test("launches one after the other add up, with a gap between them", () => {
  const one = { ...quiet, counters: counted({ globalLoadRequests: 1 }) };
  expect(modelledBound([one, one], a100).nanoseconds).toBe(2 * modelledBound([one], a100).nanoseconds + 1000);
});

test("the bound is deterministic and never falls when a counter rises", () => {
  const counters = fc.record(
    Object.fromEntries(counterNames.map((name) => [name, fc.nat(10_000_000)])),
  ) as unknown as fc.Arbitrary<LaunchProfile["counters"]>;
  fc.assert(
    fc.property(
      counters,
      fc.constantFrom(...counterNames),
      fc.integer({ min: 1, max: 100_000 }),
      fc.nat(1_000_000_000),
      (start, name, blocks, footprintBytes) => {
        const launch = { ...quiet, blocks, footprintBytes, counters: start };
        const before = modelledBound([launch], a100);
        const after = modelledBound(
          [{ ...launch, counters: { ...start, [name]: start[name] * 2 + 1 } }],
          a100,
        );
        expect(after.nanoseconds).toBeGreaterThanOrEqual(before.nanoseconds);
        expect(modelledBound([launch], a100)).toEqual(before);
        expect(before.terms[before.binding]).toBe(Math.max(...Object.values(before.terms)));
      },
    ),
  );
});

test("tolerances: the spec's own, else by dtype; integers are exact", () => {
  expect(toleranceFor("float32", { absolute: 1, relative: 2 })).toEqual({
    absolute: 1,
    relative: 2,
    stated: true,
  });
  expect(toleranceFor("int32", undefined)).toEqual({ absolute: 0, relative: 0, stated: false });
  const order = (["float64", "float32", "float16", "bfloat16"] as const).map(
    (dtype) => toleranceFor(dtype, undefined).relative,
  );
  expect(order).toEqual([...order].sort((a, b) => a - b));
});
