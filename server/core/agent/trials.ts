import { known } from "../base/known";
import type { SourceTree } from "../judge/candidate";
import type { Verdict } from "../judge/verdict";
import type { CheckOutcome } from "../ports/evaluator";
import { keepLineEndings } from "./line-endings";
import { type PipelineParts, syntaxVerdict } from "./pipeline";
import type { Trials } from "./strategy";
import { verdictOfCheck, verdictOfCompile } from "./verdict-of";

/**
 * The gates of the pipeline for files that are no candidate. They go into no log of their own: the call that
 * asked for them does.
 */
export function trialsOf(parts: Omit<PipelineParts, "recorder">, atOnce = 1): Trials {
  const { evaluation, signal, task, dependencies } = parts;
  const compile: Trials["compile"] = async (tree) => {
    const syntax = syntaxVerdict(parts, tree);
    if (syntax) return syntax;
    const outcome = await evaluation.compile(tree, signal);
    if (outcome.kind === "compiled") return { kind: "compiled", facts: outcome.facts };
    return known(verdictOfCompile(outcome), "the verdict of a failed compilation");
  };
  const checked = async (tree: SourceTree, counters: boolean): Promise<Verdict | CheckOutcome> => {
    const built = await compile(tree);
    if (built.kind !== "compiled") return built;
    return evaluation.check({ tree, tier: "quick", counters, signal });
  };
  const whole = (tree: SourceTree): SourceTree => keepLineEndings(tree, task.evaluation.baseline);
  const context = (tree: SourceTree) =>
    ({ task: task.evaluation, tree, tier: "quick", identity: dependencies.identity }) as const;
  return {
    atOnce,
    compile: (tree) => compile(whole(tree)),
    async code(given) {
      const tree = whole(given);
      const syntax = syntaxVerdict(parts, tree);
      if (syntax) return syntax;
      const outcome = await evaluation.code(tree, signal);
      if (outcome.kind === "compiled") return { kind: "code", kernels: outcome.kernels };
      return known(verdictOfCompile(outcome), "the verdict of a failed compilation");
    },
    async run(given) {
      const tree = whole(given);
      const outcome = await checked(tree, false);
      if (outcome.kind === "scored") return { kind: "passed", cases: outcome.score.values.length };
      if (outcome.kind !== "checked") return outcome;
      if (outcome.cases.every(({ passed }) => passed)) return { kind: "passed", cases: outcome.cases.length };
      return verdictOfCheck(outcome, context(tree));
    },
    async price(given) {
      const tree = whole(given);
      const outcome = await checked(tree, true);
      return outcome.kind === "checked" || outcome.kind === "scored"
        ? verdictOfCheck(outcome, context(tree))
        : outcome;
    },
  };
}
