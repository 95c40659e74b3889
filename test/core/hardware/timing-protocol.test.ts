import { describe, expect, test } from "vitest";
import {
  compareRounds,
  confirmedKind,
  needsMoreRounds,
  type MeasuredComparison,
  type TimedRound,
} from "../../../server/core/hardware/measured-comparison";
import { randomNumbers } from "../../../server/core/hardware/random-numbers";
import { intervalOfRatios, median } from "../../../server/core/hardware/statistics";
import { planRound, warmUpState } from "../../../server/core/hardware/timing-plan";

/** Time of the next call of a kernel that takes `truth` nanoseconds without noise. */
type Noise = (truth: number) => number;

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Noises of timers and clocks, each of one percent or so where nothing else is said. */
const noises: Readonly<Record<string, (random: () => number) => Noise>> = {
  "normal, 1 %": (random) => (truth) => truth * (1 + 0.01 * normal(random)),
  "normal, 4 %": (random) => (truth) => truth * (1 + 0.04 * normal(random)),
  "a clock that wanders": (random) => {
    let clock = 1;
    return (truth) => {
      clock = 1 + 0.98 * (clock - 1) + 0.005 * normal(random);
      return (truth * (1 + 0.003 * normal(random))) / clock;
    };
  },
  "a clock that falls by a tenth": (random) => {
    let calls = 0;
    return (truth) => {
      calls += 1;
      return truth * (1 + 0.1 * Math.min(1, calls / 200)) * (1 + 0.01 * normal(random));
    };
  },
  "interrupted in one call of ten": (random) => (truth) =>
    truth * (1 + 0.01 * normal(random)) * (random() < 0.1 ? 1 + 3 * random() : 1),
  "a timer of 32 ns": (random) => (truth) => Math.round((truth * (1 + 0.01 * normal(random))) / 32) * 32,
};

/** One comparison by the plan: as many rounds again while the interval is too wide. */
function simulate(seed: number, gain: number, noiseOf: (random: () => number) => Noise): MeasuredComparison {
  const noise = noiseOf(randomNumbers(seed));
  const truth = { baseline: 5000, candidate: 5000 / gain };
  const rounds: TimedRound[] = [];
  for (;;) {
    for (let more = Math.max(40, rounds.length); more > 0; more -= 1) {
      const times = { baseline: [] as number[], candidate: [] as number[] };
      for (const { side } of planRound(rounds.length, { seed, cache: "cold", sets: 3 }))
        times[side].push(noise(truth[side]));
      rounds.push(times as unknown as TimedRound);
    }
    const comparison = compareRounds(rounds, { cache: "cold", seed });
    if (!needsMoreRounds(comparison)) return comparison;
  }
}

/** How many comparisons found what, each trial with the next of the noises. */
function count(trials: number, gain: number, noiseOf: readonly ((random: () => number) => Noise)[]) {
  const found = { faster: 0, slower: 0, "no difference found": 0 };
  for (let trial = 0; trial < trials; trial += 1) {
    const noise = noiseOf[trial % noiseOf.length] as (random: () => number) => Noise;
    found[simulate(1000 + trial * 7919, gain, noise).kind] += 1;
  }
  return found;
}

describe("simulated noise, fixed seeds", () => {
  test("equal kernels are told apart in at most one of a thousand, whatever the noise", () => {
    expect(count(1002, 1, Object.values(noises)).faster).toBeLessThanOrEqual(1);
  });

  test("a true 3 % at 1 % noise is found in at least 95 of 100, and never called the other way", () => {
    const noise = [noises["normal, 1 %"] as (random: () => number) => Noise];
    const gains = count(100, 1.03, noise);
    const losses = count(100, 1 / 1.03, noise);
    expect([gains.faster >= 95, gains.slower, losses.slower >= 95, losses.faster]).toEqual([
      true,
      0,
      true,
      0,
    ]);
  });
});

test("both sides of a pair get the same content, neighbours get other buffers, orders are mirrored at random", () => {
  const rounds = Array.from({ length: 64 }, (_, round) =>
    planRound(round, { seed: 7, cache: "cold", sets: 3 }),
  );
  expect(new Set(rounds.map((round) => round.map(({ side }) => side[0]).join("")))).toEqual(
    new Set(["bccb", "cbbc"]),
  );
  expect(rounds.filter(([a, b, c, d]) => a?.content !== b?.content || c?.content !== d?.content)).toEqual([]);
  const contents = rounds.flatMap(([a, , c]) => [a?.content, c?.content]);
  expect(new Set(contents).size).toBe(contents.length);
  const moves = rounds.flatMap((round) =>
    round.slice(1).map((call, index) => call.buffers !== round[index]?.buffers),
  );
  expect(moves).not.toContain(false);
});

test("warming up ends when the clock has settled, or says that it did not", () => {
  const falling = Array.from({ length: 200 }, (_, call) => 5000 * (1 + Math.exp(-call / 30)));
  const until = falling.findIndex((_, call) => warmUpState(falling.slice(0, call)) === "steady");
  expect(until).toBeGreaterThan(100);
  expect(warmUpState(falling.slice(0, 40))).toBe("more");
  expect(warmUpState(Array.from({ length: 2000 }, (_, call) => 1.01 ** call))).toBe("unsteady");
});

test("exchanging the sides gives the reciprocal", () => {
  const options = { resamples: 2000, trimmed: 0.2, errorShare: 0.001, seed: 3 };
  const ratios = Array.from({ length: 41 }, (_, index) => 1 + (index - 20) / 1000);
  const there = intervalOfRatios(ratios, options);
  const back = intervalOfRatios(
    ratios.map((ratio) => 1 / ratio),
    options,
  );
  expect(there.ratio * back.ratio).toBeCloseTo(1, 10);
  expect(there.lower).toBeLessThan(there.ratio);
  expect(median([3, 1, 2, 4])).toBe(2.5);
});

test("a win has to show again in a fresh process, in the same cache state", () => {
  const of = (kind: MeasuredComparison["kind"], cache: MeasuredComparison["cache"]): MeasuredComparison => ({
    kind,
    cache,
    ratio: 1,
    lower: 1,
    upper: 1,
    rounds: 40,
  });
  const same = "no difference found";
  const check = (first: MeasuredComparison[], fresh: MeasuredComparison[]) => confirmedKind(first, fresh);
  expect([
    check([of("faster", "cold")], [of("faster", "cold")]),
    check([of("faster", "cold")], [of(same, "cold"), of("faster", "sustained")]),
    check([of("faster", "cold"), of("slower", "sustained")], [of("faster", "cold")]),
    check([of("slower", "cold")], [of(same, "cold")]),
  ]).toEqual(["faster", same, same, "slower"]);
});
