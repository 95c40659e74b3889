import type { Candidate } from "../../judge/candidate";
import { type HeldRule, type NamedCause, holdReasons } from "../../trajectory/events";
import type { CorrectCandidate, StrategyContext } from "../strategy";
import { type CountedCause, causeIn, rankedCauses, type RuleCause } from "./causes";
import { diagnosed } from "./diagnosis/index";
import { laidOut } from "./layout";
import { constantsApart } from "./cuda/causes/constants-apart";
import { deepSpelling, plainSpelling } from "./cuda/spelling/index";
import { sourcesRead } from "./cuda/spelling/sources-read";
import { heldByOwnLaunch } from "./triton/own-launch";
import { launchedTogether } from "./triton/spelling/each-launch";
import { tritonSpellings } from "./triton/spelling/index";
import { withTritonLauncher } from "./triton/spelling/own-launcher";
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

/** What rules look at of a correct candidate. */
interface JudgedTree extends Pick<CorrectCandidate, "verdict"> {
  readonly candidate: Pick<Candidate, "tree">;
}

/** What every rule says of one correct candidate. */
export function rankRules(...given: Parameters<typeof rankingSteps>): Ranking {
  const steps = rankingSteps(...given);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same, a rule at a time, for those who have other things to do meanwhile. */
export function* rankingSteps(
  { rules, parse }: Rulebook,
  context: Pick<StrategyContext, "spec" | "file">,
  judged: JudgedTree,
): Generator<undefined, Ranking> {
  const { spec } = context;
  const given = constantsApart(inputOf(parse, context, judged));
  const { input, finished, told } = withTritonLauncher(given) ?? sourcesRead(given);
  const plain = spec.dialect === "cuda" ? plainSpelling(input) : undefined;
  const spellings = spec.dialect === "cuda" ? cudaSpellings(input, plain) : tritonSpellings(input);
  const joined = (answer: RuleProposal): RuleProposal =>
    spec.dialect === "triton" ? { ...answer, tree: launchedTogether(input, answer.tree) } : answer;
  const proposals: RankedProposal[] = [];
  const held: HeldRule[] = [];
  const causes: RuleCause[] = [];
  const broken: string[] = [];
  for (const rule of rules.filter((each) => each.dialects.includes(spec.dialect))) {
    try {
      for (const answer of answersOf(rule, input, spellings)) {
        causes.push(...causeIn(rule, answer));
        const unheard =
          answer.kind === "proposal" && spec.dialect === "triton"
            ? heldByOwnLaunch(input, answer)
            : undefined;
        const said = unheard ?? (answer.kind === "proposal" ? finished(joined(answer)) : answer);
        if (said.kind === "proposal")
          proposals.push({ ...said, tree: laidOut(given.tree, said.tree, parse), rule: rule.id });
        else held.push(told(heldBy(rule, said)));
      }
    } catch (thrown) {
      broken.push(`${rule.id} (${thrown instanceof Error ? thrown.message : String(thrown)})`);
    }
    yield;
  }
  // Array sorting is stable, so rules of equal gain keep the order of the rulebook.
  return {
    proposals: proposals.sort((a, b) => b.gain - a.gain),
    held: held.sort(byReason),
    causes: rankedCauses(causes, counted(input, plain ?? spellings[0], broken)).map(told),
    broken,
  };
}

function inputOf(
  parse: RuleParse,
  { spec, file }: Pick<StrategyContext, "spec" | "file">,
  { candidate, verdict }: JudgedTree,
): RuleInput {
  return {
    tree: candidate.tree,
    file,
    kernel: spec.kernel,
    dialect: spec.dialect,
    spec,
    parse,
    counters: verdict.counters,
    facts: verdict.facts,
    bound: verdict.bound,
    launches: verdict.launches,
    sizes: verdict.evidence.sizes,
  };
}

/** What the counters say by themselves; a bug there must not cost the user the rules. */
function counted(input: RuleInput, plain: RuleInput | undefined, broken: string[]): readonly CountedCause[] {
  try {
    return diagnosed(input, plain);
  } catch (thrown) {
    broken.push(`diagnosis (${thrown instanceof Error ? thrown.message : String(thrown)})`);
    return [];
  }
}

/** The plain spelling and the deep one, where there are such. */
function cudaSpellings(input: RuleInput, plain: RuleInput | undefined): readonly RuleInput[] {
  return [plain, deepSpelling(input, plain)].flatMap((each) => each ?? []);
}

/**
 * What a rule says of a kernel as it is written; of the first of its other spellings that tells the rule
 * more.
 */
function answersOf(rule: Rule, input: RuleInput, spellings: readonly RuleInput[]): readonly RuleAnswer[] {
  let best = rule.answer(input);
  for (const plain of spellings) {
    if (proposes(best)) return best;
    const read = rule.answer(plain);
    if (proposes(read) || (read.some(tells) && !best.some(tells))) best = read;
  }
  return best;
}

function proposes(answers: readonly RuleAnswer[]): boolean {
  return answers.some(({ kind }) => kind === "proposal");
}

function tells({ gain }: RuleAnswer): boolean {
  return gain !== undefined;
}

function heldBy({ id, title }: Rule, { because, sentence, line }: RuleHold): HeldRule {
  return { rule: id, title, because, sentence, line };
}

function byReason(a: HeldRule, b: HeldRule): number {
  return holdReasons.indexOf(a.because) - holdReasons.indexOf(b.because);
}
