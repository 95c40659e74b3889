import { type HeldRule, holdReasons } from "../../trajectory/events";
import type { CorrectCandidate, StrategyContext } from "../strategy";
import type { Rule, RuleHold, RuleParse, RuleProposal } from "./rule";

/** The rules and the parser they read sources with. */
export interface Rulebook {
  readonly rules: readonly Rule[];
  readonly parse: RuleParse;
}

export interface RankedProposal extends RuleProposal {
  readonly rule: string;
}

export interface Ranking {
  /** The greatest expected gain first. */
  readonly proposals: readonly RankedProposal[];
  /** What holds the other rules back, the most telling reason first. */
  readonly held: readonly HeldRule[];
  /** Rules that broke, with what they said: a bug in one rule must not cost the user the others. */
  readonly broken: readonly string[];
}

/** What every rule says of one correct candidate. */
export function rankRules(
  { rules, parse }: Rulebook,
  { spec, file }: Pick<StrategyContext, "spec" | "file">,
  { candidate, verdict }: CorrectCandidate,
): Ranking {
  const input = {
    tree: candidate.tree,
    file,
    kernel: spec.kernel,
    dialect: spec.dialect,
    spec,
    parse,
    counters: verdict.counters,
    facts: verdict.facts,
    bound: verdict.bound,
    sizes: verdict.evidence.sizes,
  };
  const proposals: RankedProposal[] = [];
  const held: HeldRule[] = [];
  const broken: string[] = [];
  for (const rule of rules.filter((each) => each.dialects.includes(spec.dialect))) {
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
