import { candidateName, type SourceTree } from "../../judge/candidate";
import { type HeldRule, holdReasons } from "../../trajectory/events";
import type { Rule, RuleHold, RuleParse, RuleProposal } from "../rulebook/rule";
import type { StrategyEntry } from "./entry";
import type { CorrectCandidate, Proposal, Strategy, StrategyContext } from "../strategy";

export interface RulebookOptions {
  readonly rules: readonly Rule[];
  readonly parse: RuleParse;
}

interface RankedProposal extends RuleProposal {
  readonly rule: string;
}

/** The strategy as settings and command line offer it. */
export const rulebook: StrategyEntry = {
  id: "rulebook",
  title: "Rulebook",
  description: "Profile-guided rewrites, each tied to counters. Needs no model and no key.",
  needsModel: false,
  make: ({ rules, parse }) => Promise.resolve({ strategy: rulebookStrategy({ rules, parse }) }),
};

/**
 * Profile-guided rewrites without a model: every rule looks at the best candidate so far and at what was
 * counted on it; the rewrite with the greatest expected gain is tried first, a winner is built upon, and the
 * strategy is done when no rule has anything new to say. It keeps no state of its own: what was tried is in
 * the candidates.
 */
export function rulebookStrategy(options: RulebookOptions): Strategy {
  const rankedFor = new Map<string, Ranking>();
  return {
    name: rulebook.id,
    state: () => ({}),
    async propose(context) {
      const { best } = context;
      const known = rankedFor.get(best.candidate.id);
      const ranking = known ?? rank(options, context);
      rankedFor.set(best.candidate.id, ranking);
      const fresh = ranking.proposals.find((proposal) => !wasTried(proposal.tree, context));
      if (fresh !== undefined) return asCandidate(fresh, best);
      if (ranking.held.length > 0)
        await context.recorder.append("rules.held_back", "engine", {
          candidate: best.candidate.id,
          rules: ranking.held,
        });
      return { kind: "done", reason: whyDone(ranking, best) };
    },
  };
}

interface Ranking {
  readonly proposals: readonly RankedProposal[];
  /** What holds the other rules back, the most telling reason first. */
  readonly held: readonly HeldRule[];
  /** Rules that broke, with what they said: a bug in one rule must not cost the user the others. */
  readonly broken: readonly string[];
}

function rank(options: RulebookOptions, context: StrategyContext): Ranking {
  const { best, spec, file } = context;
  const input = {
    tree: best.candidate.tree,
    file,
    kernel: spec.kernel,
    dialect: spec.dialect,
    spec,
    parse: options.parse,
    counters: best.verdict.counters,
    facts: best.verdict.facts,
    bound: best.verdict.bound,
    sizes: best.verdict.evidence.sizes,
  };
  const proposals: RankedProposal[] = [];
  const held: HeldRule[] = [];
  const broken: string[] = [];
  for (const rule of options.rules.filter((each) => each.dialects.includes(spec.dialect))) {
    try {
      for (const answer of rule.answer(input)) {
        if (answer.kind === "proposal") proposals.push({ ...answer, rule: rule.id });
        else held.push(heldBy(rule, answer));
      }
    } catch (thrown) {
      broken.push(`${rule.id} (${thrown instanceof Error ? thrown.message : String(thrown)})`);
    }
  }
  // Array sorting is stable, so rules of equal gain keep the order of the rulebook.
  return { proposals: proposals.sort((a, b) => b.gain - a.gain), held: held.sort(byReason), broken };
}

function heldBy({ id, title }: Rule, { because, sentence, line }: RuleHold): HeldRule {
  return { rule: id, title, because, sentence, line };
}

function byReason(a: HeldRule, b: HeldRule): number {
  return holdReasons.indexOf(a.because) - holdReasons.indexOf(b.because);
}

function asCandidate(proposal: RankedProposal, best: CorrectCandidate): Proposal {
  return {
    kind: "candidate",
    tree: proposal.tree,
    parent: best.candidate.id,
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

function wasTried(tree: SourceTree, context: StrategyContext): boolean {
  return [context.baseline, ...context.candidates].some((known) => sameFiles(known.candidate.tree, tree));
}

function sameFiles(a: SourceTree, b: SourceTree): boolean {
  const paths = Object.keys(a);
  return paths.length === Object.keys(b).length && paths.every((path) => a[path] === b[path]);
}

function whyDone(ranking: Ranking, best: CorrectCandidate): string {
  const where = candidateName(best.candidate.id);
  const reason =
    ranking.proposals.length === 0
      ? `no rule of the rulebook fires on ${where}`
      : `every rewrite that the rulebook has for ${where} was tried`;
  return ranking.broken.length === 0 ? reason : `${reason}; rules that failed: ${ranking.broken.join(", ")}`;
}
