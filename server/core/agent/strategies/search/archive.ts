import { at } from "../../../base/known";
import { compareVerdicts } from "../../../judge/comparison";
import { timeThatCounts } from "../../../judge/time-that-counts";
import {
  type CorrectCandidate,
  type JudgedCandidate,
  type KernelVersion,
  type StrategyContext,
  isCorrect,
} from "../../strategy";

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
  const left = (limit = 0, spent = 0): number => (limit <= 0 ? 1 : Math.max(0, 1 - spent / limit));
  return Math.min(
    left(limits.candidates, used.candidates),
    left(limits.minutes, used.minutes),
    left(limits.usd, used.usd),
    left(limits.tokens, used.tokens),
    left(limits.gpuMinutes, used.gpuMinutes),
  );
}

/**
 * Every correct version by its kind, in the order of first appearance. A correct slow version is kept as long
 * as it is the fastest of its kind: it may be the step to a fast one. All others of its kind are counted, and
 * looked up in the log if anybody asks.
 */
export class Archive {
  private readonly byName = new Map<string, Niche>();
  /** The niche of each correct version. */
  private readonly nicheOf = new Map<string, string>();

  /** Takes the next version that was judged: each once, in their order. */
  take(judged: JudgedCandidate): void {
    const { id, parent } = judged.candidate;
    if (this.nicheOf.has(id)) return;
    const from = parent === undefined ? undefined : this.byName.get(this.nicheOf.get(parent) ?? "");
    if (from !== undefined) this.byName.set(from.name, { ...from, visits: from.visits + 1 });
    if (!isCorrect(judged)) return;
    const name = nicheName(judged);
    const niche = this.byName.get(name);
    this.nicheOf.set(id, niche?.name ?? name);
    if (niche === undefined) this.byName.set(name, { name, elite: judged, visits: 0 });
    else if (isFaster(judged, niche.elite)) this.byName.set(name, { ...niche, elite: judged });
  }

  /** In the order of first appearance. */
  get niches(): readonly Niche[] {
    return [...this.byName.values()];
  }
}

/** Whether the judge finds a version better than another one. */
function isFaster(one: CorrectCandidate, other: CorrectCandidate): boolean {
  return compareVerdicts(one.verdict, other.verdict).kind === "better";
}

/** The first of those that no other one is better than, as the judge compares them. */
function fastestOf(candidates: readonly CorrectCandidate[]): CorrectCandidate {
  return candidates.reduce((best, each) => (isFaster(each, best) ? each : best), at(candidates, 0));
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
export function chooseParent(
  archive: Archive,
  context: StrategyContext,
  avoid: ReadonlySet<string>,
): KernelVersion {
  const { best } = context;
  if (!isCorrect(best)) return best;
  if (budgetLeft(context) < digBelow) return best;
  const total = context.candidates.length;
  const niches = nichesOffered(archive, avoid);
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
export function versionsOffered(archive: Archive, avoid: ReadonlySet<string>): readonly CorrectCandidate[] {
  return nichesOffered(archive, avoid).map(({ elite }) => elite);
}

function nichesOffered({ niches }: Archive, avoid: ReadonlySet<string>): readonly Niche[] {
  const fresh = niches.filter(({ elite }) => !avoid.has(elite.candidate.id));
  return fresh.length > 0 ? fresh : niches;
}

/** The elite of another niche whose ideas could be joined with those of the parent: the fastest one. */
export function choosePartner({ niches }: Archive, parent: CorrectCandidate): CorrectCandidate | undefined {
  const others = niches
    .map(({ elite }) => elite)
    .filter(({ candidate }) => candidate.id !== parent.candidate.id && candidate.id !== "baseline")
    .filter(
      ({ candidate }) => candidate.id !== parent.candidate.parent && candidate.parent !== parent.candidate.id,
    );
  return others.length === 0 ? undefined : fastestOf(others);
}
