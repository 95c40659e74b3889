import fc from "fast-check";
import { expect, test } from "vitest";
import { compareVerdicts } from "../../../server/core/judge/comparison";
import type { BoundTermName } from "../../../server/core/timing/bound";
import { noCounters } from "../../../server/core/timing/counters";
import type { CorrectVerdict } from "../../../server/core/judge/verdict";

type Counts = readonly [nanoseconds: number, sectors: number, wavefronts: number, instructions: number];

/** `binding`: what all of the bound's time is, as memory by default. */
function verdict(
  [nanoseconds, sectors, wavefronts, instructions]: Counts,
  binding: BoundTermName = "dram",
): CorrectVerdict {
  const totals = { ...noCounters(), globalLoadSectors: sectors, sharedWavefronts: wavefronts, instructions };
  return {
    kind: "correct",
    tier: "full",
    cases: [],
    facts: [],
    counters: { origin: "virtual-gpu", lines: [], totals },
    bound: { gpu: "A100", nanoseconds, terms: { [binding]: nanoseconds }, binding },
    evidence: { sourceDigest: "", target: "", specDigest: "", sizes: {} },
  };
}

const before: Counts = [1000, 100, 100, 100];
const cases: readonly (readonly [Counts, "better" | "same" | "worse", string])[] = [
  [[980, 100, 100, 100], "better", "bound"],
  [[981, 100, 100, 100], "same", "bound"],
  [[1005, 100, 100, 100], "same", "bound"],
  [[1006, 1, 1, 1], "worse", "bound"],
  [[1000, 98, 100, 100], "better", "global sectors"],
  [[1000, 98, 100, 109], "better", "global sectors"],
  // More instructions do not count while memory is what takes the time.
  [[1000, 98, 100, 111], "better", "global sectors"],
  [[1000, 102, 1, 1], "worse", "global sectors"],
  [[1000, 100, 50, 100], "better", "shared wavefronts"],
  [[1000, 100, 100, 25], "better", "warp instructions"],
  [[1000, 100, 100, 130], "worse", "warp instructions"],
  [[500, 200, 200, 200], "better", "bound"],
];

for (const [after, kind, by] of cases) {
  test(`${before.join(" ")} → ${after.join(" ")} is ${kind} by ${by}`, () => {
    expect(compareVerdicts(verdict(after), verdict(before))).toMatchObject({ kind, by });
  });
}

const bound: readonly (readonly [BoundTermName, Counts, "better" | "same" | "worse", string])[] = [
  ["issue", [1000, 98, 100, 101], "better", "global sectors"],
  ["issue", [1000, 50, 100, 111], "worse", "warp instructions"],
  ["issue", [1000, 102, 100, 90], "better", "warp instructions"],
  ["shared", [1000, 90, 111, 100], "worse", "shared wavefronts"],
  ["latency", [1000, 12, 100, 133], "better", "global sectors"],
];

for (const [binding, after, kind, by] of bound) {
  test(`where ${binding} binds, ${before.join(" ")} → ${after.join(" ")} is ${kind} by ${by}`, () => {
    expect(compareVerdicts(verdict(after, binding), verdict(before, binding))).toMatchObject({ kind, by });
  });
}

test("fewer additions on one address win a tie, even paid for with shared memory", () => {
  const adding = (passes: number, counts: Counts): CorrectVerdict => {
    const one = verdict(counts);
    return {
      ...one,
      counters: {
        ...one.counters,
        totals: { ...one.counters.totals, globalAtomicPasses: passes },
      },
    };
  };
  expect(compareVerdicts(adding(40, [1000, 100, 200, 100]), adding(900, before))).toMatchObject({
    kind: "better",
    by: "atomic passes",
  });
});

test("room for more warps wins a tie where nothing else has changed", () => {
  const taking = (sharedBytes: number, blocks: number): CorrectVerdict => {
    const one = verdict(before);
    const shape = { blocks, threadsPerBlock: 64, registersPerThread: 32, footprintBytes: 4096 };
    const bound = { ...one.bound, gpu: "A100 40GB SXM" };
    return { ...one, bound, launches: [{ ...shape, sharedBytes, times: 1, bound }] };
  };
  expect(compareVerdicts(taking(2048, 6000), taking(45_056, 6000))).toMatchObject({
    kind: "better",
    by: "places without a warp",
  });
  expect(compareVerdicts(taking(2048, 60), taking(45_056, 60))).toMatchObject({ kind: "same" });
});

test("a binding counter that grows is a loss even where another is better", () => {
  const nearly = (counts: Counts): CorrectVerdict => {
    const one = verdict(counts);
    return { ...one, bound: { ...one.bound, terms: { dram: 1000, issue: 950 } } };
  };
  expect(compareVerdicts(nearly([1000, 50, 100, 111]), nearly(before))).toMatchObject({
    kind: "same",
    sentence: expect.stringContaining("paid for with warp instructions 100 → 111"),
  });
});

test("nothing is better than itself, and no two are each better than the other", () => {
  const terms = fc.constantFrom<BoundTermName>("dram", "shared", "issue", "latency");
  const counts = fc.tuple(
    fc.integer({ min: 1, max: 4000 }),
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: 1, max: 300 }),
  );
  fc.assert(
    fc.property(counts, counts, terms, terms, (first, second, bindsFirst, bindsSecond) => {
      const [a, b] = [verdict(first, bindsFirst), verdict(second, bindsSecond)];
      expect(compareVerdicts(a, a).kind).toBe("same");
      const kinds = [compareVerdicts(a, b).kind, compareVerdicts(b, a).kind];
      expect(kinds).not.toEqual(["better", "better"]);
    }),
  );
});

const shapes = [
  { name: "a shape that takes much longer", before: 5000, after: 50_000, kind: "worse" },
  { name: "a small shape that takes a little longer", before: 400, after: 1400, kind: "better" },
] as const;

for (const { name, before: then, after: now, kind } of shapes)
  test(`a gain against ${name} is ${kind}`, () => {
    const sizes = { n: 7 };
    const champion = { ...verdict(before), shapeCosts: [{ sizes, nanoseconds: then }] };
    const challenger = { ...verdict([500, 100, 100, 100]), shapeCosts: [{ sizes, nanoseconds: now }] };
    expect(compareVerdicts(challenger, champion)).toMatchObject({ kind, by: "bound" });
  });

test.each<[string, number, number | undefined, string]>([
  ["one was not simulated", 500, undefined, "better: modelled bound 1 µs → 500 ns (50% less)"],
  [
    "both say the same",
    500,
    3000,
    "better: simulated time 4 µs → 3 µs (25% less); modelled bound 1 µs → 500 ns",
  ],
  [
    "a hundredth more is none",
    500,
    4040,
    "better: simulated time 4 µs → 4.04 µs (1% more); modelled bound 1 µs → 500 ns (50% less)",
  ],
  [
    "little is lost",
    500,
    4100,
    "same: modelled bound 1 µs → 500 ns (50% less); but its machine code takes longer by simulation, 4 µs → 4.1 µs",
  ],
  [
    "a twentieth is won between equal bounds",
    1000,
    3800,
    "better: simulated time 4 µs → 3.8 µs (5% less); modelled bound 1 µs as before",
  ],
  [
    "a twentieth is lost between equal bounds",
    1000,
    4200,
    "worse: simulated time 4 µs → 4.2 µs (5% more); modelled bound 1 µs as before",
  ],
  [
    "less is won between equal bounds",
    1000,
    3900,
    "same: simulated time 4 µs → 3.9 µs (2.5% less); modelled bound 1 µs as before, counters as before",
  ],
  ["much is lost", 500, 5400, "worse: simulated time 4 µs → 5.4 µs (35% more); modelled bound 1 µs → 500 ns"],
  ["much is won", 1200, 2000, "better: simulated time 4 µs → 2 µs (50% less); modelled bound 1 µs → 1.2 µs"],
])("the simulated time decides where it moves by a fifth: %s", (_, bound, simulated, told) => {
  const simulatedAs = (of: CorrectVerdict, simulatedNanoseconds: number | undefined): CorrectVerdict => ({
    ...of,
    bound: { ...of.bound, ...(simulatedNanoseconds !== undefined && { simulatedNanoseconds }) },
  });
  const champion = simulatedAs(verdict(before), 4000);
  const challenger = simulatedAs(verdict([bound, 100, 100, 100]), simulated);
  const { kind, sentence } = compareVerdicts(challenger, champion);
  expect(`${kind}: ${sentence}`).toBe(told);
});

test.each([
  [
    4000,
    undefined,
    "same",
    "; but its machine code could not be simulated, and against a simulated time a counter decides nothing",
  ],
  [undefined, undefined, "better", ""],
  [undefined, 4000, "better", ""],
])("a counter decides between %s and %s ns by simulation: %s", (then, now, kind, doubt) => {
  const simulatedAs = (of: CorrectVerdict, nanoseconds: number | undefined): CorrectVerdict => ({
    ...of,
    bound: { ...of.bound, ...(nanoseconds !== undefined && { simulatedNanoseconds: nanoseconds }) },
  });
  const comparison = compareVerdicts(
    simulatedAs(verdict([1000, 50, 100, 100]), now),
    simulatedAs(verdict(before), then),
  );
  expect(comparison).toMatchObject({
    kind,
    sentence: `modelled bound 1 µs as before; global sectors 100 → 50${doubt}`,
  });
});

/** A version whose launches do not fill the GPU. */
function idle(counts: Counts, simulatedNanoseconds: number): CorrectVerdict {
  const one = verdict(counts);
  return { ...one, bound: { ...one.bound, simulatedNanoseconds, fillsGpu: false } };
}

test.each<[string, number, number, string]>([
  [
    "three eighths",
    1200,
    2500,
    "better: simulated time 4 µs → 2.5 µs (38% less); modelled bound 1 µs → 1.2 µs",
  ],
  [
    "less is won",
    1200,
    2600,
    "worse: simulated time 4 µs → 2.6 µs (35% less); modelled bound 1 µs → 1.2 µs (20% more)",
  ],
  [
    "more is won, and the bound grows by more than a quarter",
    1300,
    1000,
    "worse: simulated time 4 µs → 1 µs (75% less); modelled bound 1 µs → 1.3 µs (30% more)",
  ],
])("the simulated time of launches that do not fill the GPU: %s", (_, bound, simulated, told) => {
  const { kind, sentence } = compareVerdicts(idle([bound, 100, 100, 100], simulated), idle(before, 4000));
  expect(`${kind}: ${sentence}`).toBe(told);
});

test("simulated times that lie closer together where launches do not fill the GPU are told and decide nothing", () => {
  expect(compareVerdicts(idle([500, 100, 100, 100], 4000), idle(before, 4000))).toMatchObject({
    ...{ kind: "better", by: "bound" },
    sentence: "simulated time 4 µs as before; modelled bound 1 µs → 500 ns (50% less)",
  });
});

test.each<[string, Counts, number, string]>([
  ["a counter that binds", [1000, 50, 100, 100], 4000, "better by global sectors"],
  ["one that binds, for 2 % more time", [1000, 50, 100, 100], 4080, "same by bound"],
  ["one that does not bind, for as much time", [1000, 100, 100, 50], 4000, "better by warp instructions"],
  ["one that does not bind, for a little more time", [1000, 100, 100, 50], 4030, "same by bound"],
  [
    "one that does not bind, for a little less time",
    [1000, 100, 100, 50],
    3960,
    "better by warp instructions",
  ],
  ["one that does not bind, for the worse", [1000, 100, 100, 150], 4000, "same by bound"],
  ["one that binds, for more time", [1000, 50, 100, 100], 9000, "worse by simulation"],
  ["one that binds for the worse, for less time", [1000, 105, 100, 100], 3000, "better by simulation"],
])("between equal bounds and near simulated times decides: %s", (_, counts, simulated, decided) => {
  const { kind, by } = compareVerdicts(idle(counts, simulated), idle(before, 4000));
  expect(`${kind} by ${by}`).toBe(decided);
});

test.each([
  ["not simulated", 4000, undefined, ""],
  ["a twentieth", 4000, 4200, ""],
  ["more", 4000, 4240, "; but its machine code takes longer by simulation, 4 µs → 4.24 µs"],
  ["more, but no more than events can tell", 600, 664, ""],
  ["more, as events tell", 600, 665, "; but its machine code takes longer by simulation, 600 ns → 665 ns"],
])("what is better by the bound and takes longer by simulation: %s", (_, then, now, slower) => {
  const champion = { ...verdict(before), simulatedNanoseconds: then };
  const faster = verdict([500, 100, 100, 100]);
  const challenger = { ...faster, ...(now !== undefined && { simulatedNanoseconds: now }) };
  const { sentence } = compareVerdicts(challenger, champion);
  expect(sentence).toBe(`modelled bound 1 µs → 500 ns (50% less)${slower}`);
});

test.each([
  ["half of the traffic forgives a fifth", [500, 50, 100, 100], 4700, ""],
  [
    "no more than that",
    [500, 50, 100, 100],
    4900,
    "; but its machine code takes longer by simulation, 4 µs → 4.9 µs",
  ],
] as const)("a launch that does not fill the GPU: %s", (_, figures, now, slower) => {
  const champion = { ...verdict(before), simulatedNanoseconds: 4000 };
  const challenger = { ...verdict([...figures]), simulatedNanoseconds: now };
  expect(compareVerdicts(challenger, champion).sentence).toBe(
    `modelled bound 1 µs → 500 ns (50% less)${slower}`,
  );
});
