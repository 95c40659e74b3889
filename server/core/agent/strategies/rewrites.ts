import { factsOf } from "../dependencies";
import type { LineRewrite } from "../../words/rule-text";
import type { CorrectVerdict } from "../../judge/verdict";
import type { EvaluationTask } from "../../ports/evaluator";
import { type RankedProposal, rankingSteps, type Rulebook } from "../rulebook/ranking";
import { ruleTitle } from "../rulebook/rule-table";
import { nameOfOneRule } from "./one-rule";

/**
 * What the rulebook would write anew of a correct kernel, the greatest expected gain first. Takes its time,
 * and lets others have theirs.
 */
export type RewritesOf = (
  task: EvaluationTask,
  verdict: CorrectVerdict,
  file: string,
) => Promise<readonly LineRewrite[]>;

/**
 * Every rule's rewrites of a task's baseline; two ways of one rule for one line count as one. `pause`:
 * between two rules.
 */
export function rewritesBy(rulebook: Rulebook, pause: () => Promise<unknown>): RewritesOf {
  return async (task, verdict, file) => {
    const facts = factsOf(task);
    if (!("spec" in facts)) return [];
    const judged = { candidate: { tree: task.baseline }, verdict };
    const steps = rankingSteps(rulebook, { spec: facts.spec, file }, judged);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) await pause();
    const rewrites = step.value.proposals.map(rewriteOf);
    return [...new Map(rewrites.map((each) => [each.strategy, each])).values()];
  };
}

function rewriteOf({ rule, evidence: { file, line } }: RankedProposal): LineRewrite {
  return { title: ruleTitle(rule) ?? rule, strategy: nameOfOneRule({ rule, line }), file, line };
}
