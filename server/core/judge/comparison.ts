import thresholds from "./comparison.json";
import { invariant } from "../base/assert";
import { t } from "../base/localized";
import { type BoundTermName, launchOccupancy, termOf } from "../timing/bound";
import type { KernelCounters } from "../timing/counters";
import { gpuNamed, gpuNames } from "../timing/gpu-model";
import { compareMeasured } from "./measured-verdict";
import { describeNanoseconds, groupDigits } from "../words/quantities";
import type { Comparison, TieBreaker } from "./comparison-result";
import { withDifference, withHost } from "./host/compare-host";
import { compareScores } from "./score";
import { decidingTime, isClearlyApart, isFarApart } from "./time-that-counts";
import type { CorrectVerdict, ScoredVerdict } from "./verdict";

export type { Comparison, TieBreaker } from "./comparison-result";

type Totals = KernelCounters["totals"];

interface Counted {
  readonly name: TieBreaker;
  readonly count: (totals: Totals, verdict: CorrectVerdict) => number;
  /** Terms of the bound that are made of it. */
  readonly terms: readonly BoundTermName[];
}

/**
 * In this order: additions that wait for each other on one address and traffic to memory cost most, then
 * passes through shared memory, then issue slots; places for warps that nobody can take cost what they might
 * hide.
 */
const tieBreakers: readonly Counted[] = [
  { name: "atomic passes", count: ({ globalAtomicPasses }) => globalAtomicPasses, terms: ["atomics"] },
  {
    name: "global sectors",
    count: (totals) => totals.globalLoadSectors + totals.globalStoreSectors,
    terms: ["dram", "l2", "l1"],
  },
  { name: "shared wavefronts", count: (totals) => totals.sharedWavefronts, terms: ["shared"] },
  {
    name: "warp instructions",
    count: (totals) => totals.instructions + (totals.machine?.instructions ?? 0),
    terms: ["issue"],
  },
  { name: "places without a warp", count: (_, verdict) => idlePlaces(verdict), terms: [] },
];

/**
 * Is the challenger better than the champion? Both must be correct on the same target and sizes. The modelled
 * bound decides when it moves by at least 2 %. Where the bounds are equal within that, the first of the
 * counters below that moves by 2 % decides, those that bind before the others, unless one that binds grows by
 * 10 %: trading one for another without moving the bound is no gain. A counter binds when a
 * term made of it is within a tenth of the bound's greatest, before or after. A bound that grows by more than
 * 0.5 % never wins a tie, so that a chain of ties cannot drift away. A shape that takes a quarter and some
 * microseconds more is a loss, whatever is won on another. Thresholds: comparison.json, as fractions. Where
 * both were timed on the same GPU, the times decide alone. Where the machine code of both was simulated and
 * fills the GPU, and the times differ by a fifth and some hundred nanoseconds, they decide before the bound
 * does; where it does not fill the GPU, only one that is three eighths less does, and not for a bound that
 * grows by more than a quarter. Between equal bounds a twentieth decides, and where that is not moved only
 * counters that bind, or move with it. What is better by bound or counter may not take longer by simulation.
 * Against a version that was simulated, one that could not be wins by its bound alone.
 */
export function compareVerdicts(
  challenger: CorrectVerdict | ScoredVerdict,
  champion: CorrectVerdict | ScoredVerdict,
): Comparison {
  if (challenger.kind === "scored" && champion.kind === "scored") return compareScores(challenger, champion);
  invariant(
    challenger.kind === "correct" && champion.kind === "correct",
    "versions of one target have verdicts of one kind",
  );
  const measured = compareMeasured(challenger.measured, champion.measured);
  if (measured !== undefined) return { ...measured, by: "measured" };
  return withHost(compareOnGpu(challenger, champion), challenger, champion);
}

/** By what the GPU takes, whatever the host does meanwhile. */
function compareOnGpu(challenger: CorrectVerdict, champion: CorrectVerdict): Comparison {
  const comparison = compareModelled(challenger, champion);
  const doubt =
    comparison.kind === "better"
      ? (slowerBySimulation(comparison, challenger, champion) ??
        notSimulated(comparison, challenger, champion))
      : undefined;
  if (doubt === undefined) return withSimulated(comparison, challenger, champion);
  return { kind: "same", by: "bound", gain: 0, sentence: `${comparison.sentence}; ${doubt}` };
}

/**
 * Why a version whose machine code could not be simulated is not taken for better than one whose could: where
 * the bounds are equal, a counter does not say what the simulated time sees.
 */
function notSimulated(
  { by }: Comparison,
  challenger: CorrectVerdict,
  champion: CorrectVerdict,
): string | undefined {
  const isOne =
    champion.bound.simulatedNanoseconds !== undefined && challenger.bound.simulatedNanoseconds === undefined;
  if (!isOne || !tieBreakers.some(({ name }) => name === by)) return undefined;
  return t`but its machine code could not be simulated, and against a simulated time a counter decides nothing`;
}

/**
 * What the simulated times decide: they see dependencies, barriers, contention and conflicts, which no term
 * of the bound does, and are rougher where little changes. Undefined where they do not say enough.
 */
function compareSimulated(
  challenger: CorrectVerdict,
  champion: CorrectVerdict,
  bounds: string,
): Comparison | undefined {
  const times = simulatedTimes(challenger, champion);
  if (times === undefined) return undefined;
  const { now, then } = times;
  const gain = saved(now, then);
  const fill = [challenger, champion].every(({ bound }) => decidingTime(bound) !== undefined);
  const grown = -saved(challenger.bound.nanoseconds, champion.bound.nanoseconds);
  if (fill ? !isClearlyApart(now, then) : !isFarApart(now, then) || grown > thresholds.boundLossThen)
    return undefined;
  const sentence = `${simulatedText(now, then)}; ${bounds}`;
  return { kind: gain > 0 ? "better" : "worse", by: "simulation", gain, sentence };
}

/** `simulated time 14 µs → 6.2 µs (56% less)`. */
function simulatedText(now: number, then: number): string {
  const [gain, before, after] = [saved(now, then), describeNanoseconds(then), describeNanoseconds(now)];
  if (before === after) return t`simulated time ${after} as before`;
  return gain > 0
    ? t`simulated time ${before} → ${after} (${percent(gain)} less)`
    : t`simulated time ${before} → ${after} (${percent(-gain)} more)`;
}

/** A comparison that something else decided begins with the simulated times, where both are known. */
function withSimulated(
  comparison: Comparison,
  challenger: CorrectVerdict,
  champion: CorrectVerdict,
): Comparison {
  const times = simulatedTimes(challenger, champion);
  if (comparison.by === "simulation" || times === undefined) return comparison;
  return { ...comparison, sentence: `${simulatedText(times.now, times.then)}; ${comparison.sentence}` };
}

/** What a version moves between the multiprocessors and memory. */
function sectorsOf({ counters: { totals } }: CorrectVerdict): number {
  return totals.globalLoadSectors + totals.globalStoreSectors + totals.globalAtomicSectors;
}

/**
 * Why a version that is better by bound or counters is not taken for it: its machine code, simulated, takes a
 * twentieth longer, and by more than two ticks of the clock that events are told by (32 ns on an H200). That
 * holds for launches too that do not fill the GPU, for which the simulated time does not decide. Of those,
 * what moves no more than half as much has to lose as clearly as it would have to gain: an H100 took 9 %
 * longer for such a rewrite with cold caches, and ran it 22 % faster with warm ones (`chunked_scale.cu`,
 * test/cases/orderings/rewrites-h100.json).
 */
function slowerBySimulation(
  { by }: Comparison,
  challenger: CorrectVerdict,
  champion: CorrectVerdict,
): string | undefined {
  const counts = slowerWhereItCounts(by, challenger, champion);
  if (counts !== undefined) return counts;
  const [now, then] = [challenger, champion].map(({ simulatedNanoseconds }) => simulatedNanoseconds);
  if (now === undefined || then === undefined) return undefined;
  const isForgiven =
    decidingTime(champion.bound) === undefined && 2 * sectorsOf(challenger) <= sectorsOf(champion);
  const least = then * (isForgiven ? thresholds.simulatedGain : thresholds.simulatedLoss);
  const loss = now - then;
  if (loss <= least || loss <= thresholds.simulatedLossNanoseconds) return undefined;
  return longerText(now, then);
}

/**
 * What is shown as the time of both versions may not grow where launches fill the GPU, nor for the sake of a
 * counter anywhere.
 */
function slowerWhereItCounts(
  by: Comparison["by"],
  challenger: CorrectVerdict,
  champion: CorrectVerdict,
): string | undefined {
  const times = simulatedTimes(challenger, champion);
  if (times === undefined || by === "simulation") return undefined;
  const fill = [challenger, champion].every(({ bound }) => decidingTime(bound) !== undefined);
  if (by === "bound" && !fill) return undefined;
  const { now, then } = times;
  return now > then * (1 + thresholds.simulatedTie) ? longerText(now, then) : undefined;
}

function longerText(now: number, then: number): string {
  return `but its machine code takes longer by simulation, ${describeNanoseconds(then)} → ${describeNanoseconds(now)}`;
}

/** Nanoseconds. */
interface SimulatedTimes {
  readonly now: number;
  readonly then: number;
}

/** The simulated times of what counts, where both are known. */
function simulatedTimes(challenger: CorrectVerdict, champion: CorrectVerdict): SimulatedTimes | undefined {
  const [now, then] = [challenger, champion].map(({ bound }) => bound.simulatedNanoseconds);
  return now === undefined || then === undefined ? undefined : { now, then };
}

function compareModelled(challenger: CorrectVerdict, champion: CorrectVerdict): Comparison {
  const gain = saved(challenger.bound.nanoseconds, champion.bound.nanoseconds);
  const before = describeNanoseconds(champion.bound.nanoseconds);
  const after = describeNanoseconds(challenger.bound.nanoseconds);
  const bounds = t`modelled bound ${before} → ${after}`;
  const slower = slowerShape(challenger, champion);
  if (slower !== undefined)
    return {
      kind: "worse",
      by: "bound",
      gain: Math.min(0, slower.gain),
      sentence: `${bounds}; ${slower.told}`,
    };
  const simulated = compareSimulated(challenger, champion, bounds);
  if (simulated !== undefined) return simulated;
  if (gain >= thresholds.boundGain)
    return {
      kind: "better",
      by: "bound",
      gain,
      sentence: t`modelled bound ${before} → ${after} (${percent(gain)} less)`,
    };
  if (gain < -thresholds.boundTie)
    return {
      kind: "worse",
      by: "bound",
      gain,
      sentence: t`modelled bound ${before} → ${after} (${percent(-gain)} more)`,
    };
  return breakTie(
    challenger,
    champion,
    before === after
      ? t`modelled bound ${after} as before`
      : t`modelled bound ${before} → ${after} (too little to count)`,
  );
}

/** A shape that costs much more than before: what is won on one may not be paid for on another. */
function slowerShape(
  challenger: CorrectVerdict,
  champion: CorrectVerdict,
): { readonly gain: number; readonly told: string } | undefined {
  const key = (sizes: Readonly<Record<string, number>>): string => JSON.stringify(sizes);
  const before = new Map(champion.shapeCosts?.map((cost) => [key(cost.sizes), cost]));
  for (const cost of challenger.shapeCosts ?? []) {
    const earlier = before.get(key(cost.sizes));
    if (earlier === undefined) continue;
    const { now, then } = withDifference(
      { now: cost.nanoseconds, then: earlier.nanoseconds },
      (cost.hostNanoseconds ?? 0) - (earlier.hostNanoseconds ?? 0),
    );
    if (now <= then * (1 + thresholds.shapeLoss) + thresholds.shapeNanoseconds) continue;
    const times = `${describeNanoseconds(then)} → ${describeNanoseconds(now)}`;
    return { gain: saved(now, then), told: `another shape takes longer, ${times}` };
  }
  return undefined;
}

/**
 * The comparison as a claim about its challenger: "faster than the baseline: modelled bound …". Only the
 * modelled bound or times on a GPU make one faster; a win by counters is called better.
 */
export function describeComparison(comparison: Comparison, champion: string): string {
  const claim = claims[claimKinds[comparison.by] ?? "counters"][comparison.kind];
  return claim(champion, comparison.sentence);
}

const claimKinds: Readonly<Record<string, keyof typeof claims>> = {
  bound: "bound",
  simulation: "bound",
  "host calls": "bound",
  measured: "measured",
  command: "counters",
};

type Claim = (champion: string, sentence: string) => string;

const faster: Claim = (champion, sentence) => t`faster than ${champion}: ${sentence}`;
const slower: Claim = (champion, sentence) => t`slower than ${champion}: ${sentence}`;

const claims = {
  measured: {
    better: faster,
    same: (champion, sentence) => t`not found to differ from ${champion}: ${sentence}`,
    worse: slower,
  },
  bound: {
    better: faster,
    same: (champion, sentence) => t`no faster than ${champion}: ${sentence}`,
    worse: slower,
  },
  counters: {
    better: (champion, sentence) => t`better than ${champion}: ${sentence}`,
    same: (champion, sentence) => t`no better than ${champion}: ${sentence}`,
    worse: (champion, sentence) => t`worse than ${champion}: ${sentence}`,
  },
} satisfies Readonly<Record<string, Readonly<Record<Comparison["kind"], Claim>>>>;

/** Whether a counter costs as much as the bound says, or nearly. */
function binds({ terms }: Counted, { bound }: CorrectVerdict): boolean {
  const greatest = Math.max(...Object.values(bound.terms));
  return terms.some(
    (name) => name === bound.binding || termOf(bound, name) >= thresholds.bindingShare * greatest,
  );
}

/**
 * Warps that a multiprocessor might hold beside those that registers and shared memory leave room for, of the
 * launch that takes longest, where there are blocks enough to take them; none where launches are not known.
 */
function idlePlaces({ launches = [], bound }: CorrectVerdict): number {
  const [launch] = [...launches].sort((a, b) => b.bound.nanoseconds - a.bound.nanoseconds);
  if (launch === undefined || !gpuNames().includes(bound.gpu)) return 0;
  const gpu = gpuNamed(bound.gpu);
  const { fraction, blocksPerSm, limiter, warpsPerSm } = launchOccupancy(launch, gpu);
  const fills = launch.blocks >= gpu.multiprocessors * (blocksPerSm + 1);
  const crowded = limiter === "registers" || limiter === "shared-memory";
  return crowded && fills ? Math.round(warpsPerSm / Math.max(fraction, 0.01)) - warpsPerSm : 0;
}

function breakTie(challenger: CorrectVerdict, champion: CorrectVerdict, bounds: string): Comparison {
  const times = simulatedTimes(challenger, champion);
  const bySimulation = times === undefined ? undefined : tieBySimulation(times, bounds);
  if (bySimulation !== undefined) return bySimulation;
  const changes = tieBreakers
    .map((counted) => {
      const before = counted.count(champion.counters.totals, champion);
      const after = counted.count(challenger.counters.totals, challenger);
      const isBinding = binds(counted, challenger) || binds(counted, champion);
      return { name: counted.name, before, after, gain: saved(after, before), isBinding };
    })
    .toSorted((a, b) => Number(b.isBinding) - Number(a.isBinding));
  const first = changes.find(
    ({ gain, isBinding }) =>
      Math.abs(gain) >= thresholds.counterGain && (isBinding || times === undefined || isLeftTo(times, gain)),
  );
  if (!first && changes.some(({ gain }) => Math.abs(gain) >= thresholds.counterGain))
    return { kind: "same", by: "bound", gain: 0, sentence: bounds };
  if (!first) return { kind: "same", by: "bound", gain: 0, sentence: t`${bounds}, counters as before` };
  const sentence = `${bounds}; ${first.name} ${groupDigits(first.before)} → ${groupDigits(first.after)}`;
  if (first.gain < 0) return { kind: "worse", by: first.name, gain: first.gain, sentence };
  const loss = changes.find((change) => change.isBinding && change.gain < -thresholds.counterLoss);
  if (loss)
    return {
      kind: "same",
      by: first.name,
      gain: 0,
      sentence: `${sentence}, paid for with ${loss.name} ${groupDigits(loss.before)} → ${groupDigits(loss.after)}`,
    };
  return { kind: "better", by: first.name, gain: first.gain, sentence };
}

/**
 * Whether simulated times leave it to a counter that does not bind: less of it is a gain where they are as
 * before or shorter (less work, if none that takes time here), more of it a loss only where they are longer.
 */
function isLeftTo({ now, then }: SimulatedTimes, gain: number): boolean {
  const moved = saved(now, then);
  return gain > 0 ? moved > -thresholds.boundTie : moved <= -thresholds.boundTie;
}

/**
 * Between equal bounds simulated times decide that differ by a twentieth: what the bound does not see is all
 * that has changed.
 */
function tieBySimulation({ now, then }: SimulatedTimes, bounds: string): Comparison | undefined {
  const gain = saved(now, then);
  const isApart =
    Math.abs(gain) >= thresholds.simulatedLoss && Math.abs(now - then) > thresholds.simulatedLossNanoseconds;
  const sentence = `${simulatedText(now, then)}; ${bounds}`;
  return isApart ? { kind: gain > 0 ? "better" : "worse", by: "simulation", gain, sentence } : undefined;
}

/** Fraction saved; something out of nothing counts as a whole loss, nothing out of nothing as no change. */
function saved(after: number, before: number): number {
  if (before === 0) return after === 0 ? 0 : -1;
  return 1 - after / before;
}

/** With two digits, or as many as tell it from a whole: 99.8% less is not 100% less. */
function percent(fraction: number): string {
  const digits = [2, 3, 4, 5].find((each) => Number((fraction * 100).toPrecision(each)) !== 100) ?? 2;
  return `${Number((fraction * 100).toPrecision(digits))}%`;
}
