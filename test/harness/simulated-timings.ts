import {
  compareRounds,
  needsMoreRounds,
  type MeasuredComparison,
  type TimedRound,
} from "../../server/core/hardware/measured-comparison";
import { randomNumbers } from "../../server/core/hardware/random-numbers";
import { planRound } from "../../server/core/hardware/timing-plan";

/** Time of the next call of a kernel that takes `truth` nanoseconds without noise. */
export type Noise = (truth: number) => number;

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Noises of timers and clocks, each of one percent or so where nothing else is said. */
export const noises: Readonly<Record<string, (random: () => number) => Noise>> = {
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
    if (!needsMoreRounds(comparison, rounds)) return comparison;
  }
}

/** How many comparisons found what, each trial with the next of the noises. */
export function count(trials: number, gain: number, noiseOf: readonly ((random: () => number) => Noise)[]) {
  const found = { faster: 0, slower: 0, "no difference found": 0 };
  for (let trial = 0; trial < trials; trial += 1) {
    const noise = noiseOf[trial % noiseOf.length] as (random: () => number) => Noise;
    found[simulate(1000 + trial * 7919, gain, noise).kind] += 1;
  }
  return found;
}
