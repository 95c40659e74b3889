import { type HeldRule, type HoldReason, type NamedCause, holdReasons } from "../../trajectory/events";
import type { CorrectCandidate, StrategyContext } from "../strategy";
import { laidOut } from "./layout";
import { plainSpelling } from "./cuda/spelling/index";
import { chainSpelling } from "./triton/spelling/index";
import type { Rule, RuleAnswer, RuleHold, RuleInput, RuleParse, RuleProposal } from "./rule";

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
  /** What is wrong with the kernel as far as rules see it, the most expensive first. */
  readonly causes: readonly NamedCause[];
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
  const plain = spec.dialect === "cuda" ? plainSpelling(input) : chainSpelling(input);
  const proposals: RankedProposal[] = [];
  const held: HeldRule[] = [];
  const causes: NamedCause[] = [];
  const broken: string[] = [];
  for (const rule of rules.filter((each) => each.dialects.includes(spec.dialect))) {
    try {
      for (const answer of answersOf(rule, input, plain)) {
        causes.push(...causeIn(rule, answer));
        if (answer.kind === "proposal")
          proposals.push({ ...answer, tree: laidOut(input.tree, answer.tree, parse), rule: rule.id });
        else held.push(heldBy(rule, answer));
      }
    } catch (thrown) {
      broken.push(`${rule.id} (${thrown instanceof Error ? thrown.message : String(thrown)})`);
    }
  }
  // Array sorting is stable, so rules of equal gain keep the order of the rulebook.
  return {
    proposals: proposals.sort((a, b) => b.gain - a.gain),
    held: held.sort(byReason),
    causes: eachOnce(causes),
    broken,
  };
}

/**
 * What a rule says of a kernel as it is written; of its plain spelling where that tells the rule more.
 */
function answersOf(rule: Rule, input: RuleInput, plain: RuleInput | undefined): readonly RuleAnswer[] {
  const written = rule.answer(input);
  if (plain === undefined || written.some(({ kind }) => kind === "proposal")) return written;
  const read = rule.answer(plain);
  const tells = ({ gain }: RuleAnswer): boolean => gain !== undefined;
  const more = read.some(({ kind }) => kind === "proposal") || (read.some(tells) && !written.some(tells));
  return more ? read : written;
}

/** Reasons of a rule that has seen nothing. */
const silent: ReadonlySet<HoldReason> = new Set(["no-evidence", "no-pattern", "unreadable"]);

/** The cause that an answer speaks of; none where the rule has seen no waste. */
function causeIn({ cause }: Rule, answer: RuleAnswer): readonly NamedCause[] {
  if (answer.gain === undefined) return [];
  if (answer.kind === "not" && silent.has(answer.because)) return [];
  const { line, sentence } = answer.kind === "proposal" ? answer.evidence : answer;
  return [{ cause: cause.id, words: cause.words, share: answer.gain, line, sentence }];
}

/** Each cause once, at its most expensive place. */
function eachOnce(causes: readonly NamedCause[]): readonly NamedCause[] {
  const sorted = [...causes].sort((a, b) => b.share - a.share);
  return sorted.filter(
    ({ cause }, position) => sorted.findIndex((other) => other.cause === cause) === position,
  );
}

function heldBy({ id, title }: Rule, { because, sentence, line }: RuleHold): HeldRule {
  return { rule: id, title, because, sentence, line };
}

function byReason(a: HeldRule, b: HeldRule): number {
  return holdReasons.indexOf(a.because) - holdReasons.indexOf(b.because);
}
