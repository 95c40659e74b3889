import { at } from "../../../base/known";
import { compareVerdicts } from "../../../judge/comparison";
import { timeThatCounts } from "../../../judge/time-that-counts";
import { type CorrectCandidate, type KernelVersion, type StrategyContext, isCorrect } from "../../strategy";

/** Correct versions of one kind, of which the fastest stands for all. */
interface Niche {
  /** What binds it and what it uses: `dram shared tensor, 2 launches`. */
  readonly name: string;
  readonly elite: CorrectCandidate;
  /** Candidates that were made from a member of it. */
  readonly visits: number;
}

/** The share of the tightest budget that is left, 0 to 1: what may still be tried. */
export function budgetLeft({ budget }: Pick<StrategyContext, "budget">): number {
  const { limits, used } = budget;
  const left = (limit: number, spent: number): number => (limit <= 0 ? 1 : Math.max(0, 1 - spent / limit));
  return Math.min(
    left(limits.candidates, used.candidates),
    left(limits.minutes, used.minutes),
    left(limits.usd, used.usd),
  );
}

/**
 * Every correct version by its kind, in the order of first appearance. A correct slow version is kept as long
 * as it is the fastest of its kind: it may be the step to a fast one.
 */
function nichesOf({
  baseline,
  candidates,
}: Pick<StrategyContext, "baseline" | "candidates">): readonly Niche[] {
  const members = new Map<string, CorrectCandidate[]>();
  for (const judged of [baseline, ...candidates].filter(isCorrect)) {
    const name = nicheName(judged);
    members.set(name, [...(members.get(name) ?? []), judged]);
  }
  return [...members].map(([name, same]) => {
    const ids = new Set(same.map(({ candidate }) => candidate.id));
    return {
      name,
      elite: fastestOf(same),
      visits: candidates.filter(
        ({ candidate }) => candidate.parent !== undefined && ids.has(candidate.parent),
      ).length,
    };
  });
}

/** The first of those that no other one is better than, as the judge compares them. */
function fastestOf(candidates: readonly CorrectCandidate[]): CorrectCandidate {
  return candidates.reduce(
    (best, each) => (compareVerdicts(each.verdict, best.verdict).kind === "better" ? each : best),
    at(candidates, 0),
  );
}

/** What binds a version and which means it uses: versions that differ here have different things to try. */
function nicheName({ verdict }: CorrectCandidate): string {
  const { totals } = verdict.counters;
  const means = [
    ...(totals.sharedWavefronts > 0 ? ["shared"] : []),
    ...(totals.tensorInstructions > 0 ? ["tensor"] : []),
    ...(totals.globalAtomicPasses + totals.sharedAtomicPasses > 0 ? ["atomics"] : []),
  ];
  const launches = (verdict.launches ?? []).reduce((sum, { times }) => sum + times, 0);
  return [verdict.bound.binding, ...means, ...(launches > 1 ? [`${launches} launches`] : [])].join(" ");
}

/** Below this share of the budget only the best is worked on. */
export const digBelow = 0.25;
/** How much a niche that was seldom tried counts against the cost of its elite. */
const curiosity = 0.6;

/**
 * Where to go on: the best when little budget is left, else the niche that is cheap for how often it was
 * tried (upper confidence bound). As long as nothing is correct, the kernel as it came. `avoid`: where the
 * last attempts gained nothing.
 */
export function chooseParent(context: StrategyContext, avoid: ReadonlySet<string>): KernelVersion {
  const { best } = context;
  if (!isCorrect(best)) return best;
  if (budgetLeft(context) < digBelow) return best;
  const total = context.candidates.length;
  const niches = nichesOffered(context, avoid);
  const time = timeThatCounts([best, ...niches.map(({ elite }) => elite)].map(({ verdict }) => verdict));
  const scored = niches.map((niche) => ({
    niche,
    score:
      time.of(best.verdict) / time.of(niche.elite.verdict) +
      curiosity * Math.sqrt(Math.log(total + 1) / (1 + niche.visits)),
  }));
  return scored.reduce((most, each) => (each.score > most.score ? each : most)).niche.elite;
}

/** The fastest correct version of each kind that a round may start from. `avoid`: as in `chooseParent`. */
export function versionsOffered(
  context: StrategyContext,
  avoid: ReadonlySet<string>,
): readonly CorrectCandidate[] {
  return nichesOffered(context, avoid).map(({ elite }) => elite);
}

function nichesOffered(context: StrategyContext, avoid: ReadonlySet<string>): readonly Niche[] {
  const niches = nichesOf(context);
  const fresh = niches.filter(({ elite }) => !avoid.has(elite.candidate.id));
  return fresh.length > 0 ? fresh : niches;
}

/** The elite of another niche whose ideas could be joined with those of the parent: the fastest one. */
export function choosePartner(
  context: StrategyContext,
  parent: CorrectCandidate,
): CorrectCandidate | undefined {
  const others = nichesOf(context)
    .map(({ elite }) => elite)
    .filter(({ candidate }) => candidate.id !== parent.candidate.id && candidate.id !== "baseline")
    .filter(
      ({ candidate }) => candidate.id !== parent.candidate.parent && candidate.parent !== parent.candidate.id,
    );
  return others.length === 0 ? undefined : fastestOf(others);
}
