import { candidateName, type SourceTree } from "../../judge/candidate";
import type { TriedCandidate } from "../../trajectory/state";
import { timeThatCounts } from "../../judge/time-that-counts";
import { type RankedProposal, type Ranking, type Rulebook, rankRules } from "../rulebook/ranking";
import { describeBaseline } from "../mending/task-of-baseline";
import type { StrategyEntry } from "./entry";
import {
  type CorrectCandidate,
  type FailedCandidate,
  isCorrect,
  type Proposal,
  type Strategy,
  type StrategyContext,
} from "../strategy";

/** The strategy as settings and command line offer it. */
export const rulebook: StrategyEntry = {
  id: "rulebook",
  title: "Rulebook",
  description: "Profile-guided rewrites, each tied to counters. Needs no model and no key.",
  needsModel: false,
  roles: [],
  make: ({ rules, parse }) => Promise.resolve({ strategy: rulebookStrategy({ rules, parse }) }),
};

/** Rewrites are kept of so many versions: the best, its parent, the baseline and what is gone on from. */
const rankedMost = 4;

/**
 * Profile-guided rewrites without a model: every rule looks at the best candidate so far and at what was
 * counted on it; the rewrite with the greatest expected gain is tried first, a winner is built upon, and the
 * strategy is done when no rule has anything new to say. It keeps no state of its own: what was tried is in
 * the candidates.
 */
export function rulebookStrategy(options: Rulebook): Strategy {
  const rankedFor = new Map<string, Ranking>();
  const rankingOf = (context: Parameters<typeof rankRules>[1], judged: CorrectCandidate): Ranking => {
    const { id } = judged.candidate;
    const ranking = rankedFor.get(id) ?? rankRules(options, context, judged);
    rankedFor.delete(id);
    rankedFor.set(id, ranking);
    // The version asked for longest ago goes: its rewrites are files.
    if (rankedFor.size > rankedMost) rankedFor.delete([...rankedFor.keys()][0] ?? "");
    return ranking;
  };
  const causesOf = ({ baseline, ...context }: StrategyContext): Ranking["causes"] =>
    isCorrect(baseline) ? rankingOf(context, baseline).causes : [];
  const noteHeld = async (context: StrategyContext, judged: CorrectCandidate): Promise<void> => {
    const { held } = rankingOf(context, judged);
    const causes = causesOf(context);
    if (held.length + causes.length === 0) return;
    const { id: candidate } = judged.candidate;
    await context.recorder.append("rules.held_back", "engine", { candidate, rules: held, causes });
  };
  return {
    name: rulebook.id,
    state: () => ({}),
    // A session may end before all rewrites were tried: what costs time is known by then.
    async survey(context: StrategyContext) {
      if (isCorrect(context.baseline)) await noteHeld(context, context.baseline);
    },
    async propose(context: StrategyContext) {
      const { best } = context;
      if (!isCorrect(best)) return cannotMend(best);
      const parent = await parentOf(best, context);
      const other =
        parent &&
        (alternativeTo(best, { context, parent, rankingOf }) ??
          rivalOf(best, { context, parent, rankingOf }));
      if (other !== undefined) return other;
      const stems = stemsOf(context, best);
      for (const stem of stems) {
        const fresh = rankingOf(context, stem).proposals.find(({ tree }) => !wasTried(tree, context));
        if (fresh !== undefined) return asCandidate(fresh, stem);
      }
      if (best !== context.baseline) await noteHeld(context, best);
      return { kind: "done", reason: whyDone(rankingOf(context, best), best) };
    },
  };
}

/**
 * What is built upon: the best, and as long as that is the baseline first of all the version of another
 * session that this one goes on from.
 */
function stemsOf(
  { baseline, continued }: StrategyContext,
  best: CorrectCandidate,
): readonly CorrectCandidate[] {
  return best === baseline && continued !== undefined && isCorrect(continued) ? [continued, best] : [best];
}

type RankingOf = (context: StrategyContext, judged: CorrectCandidate) => Ranking;

/** The version that a candidate was made of, where that is correct. */
async function parentOf(
  { candidate: { parent: id } }: CorrectCandidate,
  context: StrategyContext,
): Promise<CorrectCandidate | undefined> {
  const parent = id === undefined ? undefined : await context.judged(id);
  return parent !== undefined && isCorrect(parent) ? parent : undefined;
}

/** The best candidate's parent, whose other rewrites are looked at. */
interface Beside {
  readonly context: StrategyContext;
  readonly parent: CorrectCandidate;
  readonly rankingOf: RankingOf;
}

/** A winner that saved less than this share of its parent's time may hide a greater one. */
const smallGain = 0.1;
/** So many other rewrites are tried on the parent of such a winner. */
const rivalsMost = 3;

/**
 * Another rule's rewrite of the best candidate's parent, where the best one gained little: built upon that
 * one, a rewrite that promises more may no longer fit, or fit a part alone.
 */
function rivalOf(best: CorrectCandidate, { context, parent, rankingOf }: Beside): Proposal | undefined {
  const time = timeThatCounts([parent.verdict, best.verdict]);
  if (1 - time.of(best.verdict) / time.of(parent.verdict) >= smallGain) return undefined;
  const { proposals } = rankingOf(context, parent);
  const isOfParent = (each: TriedCandidate): boolean => each.parent === parent.candidate.id;
  const since = context.candidates.findIndex(({ id }) => id === best.candidate.id);
  if (context.candidates.slice(since + 1).filter(isOfParent).length >= rivalsMost) return undefined;
  const rival = proposals.find(({ gain, tree }) => gain >= smallGain && !wasTried(tree, context));
  return rival && asCandidate(rival, parent);
}

/**
 * The other way to mend what the best candidate mends, on its own parent: a winner hides the place from its
 * rule, and only the judge knows which way is better.
 */
function alternativeTo(best: CorrectCandidate, { context, parent, rankingOf }: Beside): Proposal | undefined {
  const { proposals } = rankingOf(context, parent);
  const won = proposals.find(({ tree }) => sameFiles(tree, best.candidate.tree));
  if (won === undefined) return undefined;
  const other = proposals.find(
    ({ rule, evidence, isAlternative, tree }) =>
      isAlternative === true &&
      rule === won.rule &&
      evidence.line === won.evidence.line &&
      !wasTried(tree, context),
  );
  return other && asCandidate(other, parent);
}

/** Rules rest on what was counted on a correct kernel, so none of them mends one. */
export function cannotMend({ verdict }: FailedCandidate): Proposal {
  return {
    kind: "failed",
    ending: "no-rule-mends",
    reason: `${describeBaseline(verdict)}. No rule of the rulebook mends a kernel: they make a correct one faster`,
  };
}

export function asCandidate(proposal: RankedProposal, stem: CorrectCandidate): Proposal {
  return {
    kind: "candidate",
    tree: proposal.tree,
    parent: stem.candidate.id,
    hypothesis: hypothesisOf(proposal),
    origin: `rulebook:${proposal.rule}`,
  };
}

/** The evidence stands behind the hypothesis, unless the rule has said it already. */
function hypothesisOf(proposal: RankedProposal): string {
  const { hypothesis, evidence } = proposal;
  return hypothesis.includes(evidence.sentence)
    ? hypothesis
    : `${hypothesis.replace(/\.$/, "")} (${evidence.sentence.replace(/\.$/, "")})`;
}

export function wasTried(tree: SourceTree, context: StrategyContext): boolean {
  return context.withFiles(tree) !== undefined;
}

function sameFiles(a: SourceTree, b: SourceTree): boolean {
  const paths = Object.keys(a);
  return paths.length === Object.keys(b).length && paths.every((path) => a[path] === b[path]);
}

/** What the user learns of it: whether rules saw waste and could not act, or saw none. */
function noRewrite({ held }: Ranking, where: string): string {
  const isHeld = held.some(({ because }) => because !== "no-pattern" && because !== "no-evidence");
  return isHeld
    ? `no rule of the rulebook has a rewrite for ${where}: what stands in its code holds back those that could apply`
    : `no rule of the rulebook fits ${where}: none finds both waste that it removes and code that it knows how to rewrite`;
}

function whyDone(ranking: Ranking, best: CorrectCandidate): string {
  const where = candidateName(best.candidate.id);
  const reason =
    ranking.proposals.length === 0
      ? noRewrite(ranking, where)
      : `every rewrite that the rulebook has for ${where} was tried`;
  return ranking.broken.length === 0 ? reason : `${reason}; rules that failed: ${ranking.broken.join(", ")}`;
}
