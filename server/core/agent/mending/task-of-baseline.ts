import { describeVerdict, failedShape, guessesBehind } from "../../words/describe";
import { describeBound } from "../../words/names/bound-words";
import { describeScore } from "../../words/score";
import type { CorrectVerdict, FailedVerdict, ScoredVerdict, Verdict } from "../../judge/verdict";
import type { KernelSpec } from "../../workload/spec";
import type { CommandTask, EvaluationTask } from "../../ports/evaluator";

/**
 * Why no candidate can be judged against this baseline, as a clause for the user; undefined where one can:
 * the baseline is correct, or it is wrong by a reference of the user's own, so that the first aim is a
 * correct version.
 */
export function whyNoTask(
  verdict: Verdict | undefined,
  task: EvaluationTask | CommandTask,
): string | undefined {
  if (verdict === undefined) return "the baseline was not judged";
  if (verdict.kind === "correct" || verdict.kind === "scored") return undefined;
  if ("command" in task || !hasRun(verdict))
    return `the baseline cannot be judged: it ${describeVerdict(verdict)}`;
  const faultElsewhere = otherFault(verdict, task.spec);
  if (faultElsewhere === undefined) return undefined;
  return `${describeBaseline(verdict)}. ${faultElsewhere}`;
}

/**
 * `the kernel as it stands is wrong on shape n=64`, or what else it does: short, as its verdict stands in the
 * log and was told before.
 */
export function describeBaseline(verdict: FailedVerdict): string {
  const name = "the kernel as it stands";
  if (verdict.kind === "did-not-run") {
    const { kind, reason, findings } = verdict;
    return `${name} ${describeVerdict({ kind, reason, findings: findings.slice(0, 1) })}`;
  }
  if (verdict.kind !== "wrong") return `${name} ${describeVerdict(verdict)}`;
  const failed = verdict.cases.find(({ passed }) => !passed);
  return `${name} is wrong${failed === undefined ? "" : ` on ${failedShape(failed.shape)}`}`;
}

/** A text that does not build, or that the virtual GPU cannot finish, is not known to be wrong. */
function hasRun({ kind }: FailedVerdict): boolean {
  return kind === "wrong" || kind === "did-not-run";
}

/** What may be at fault before the kernel is; undefined where only the kernel can be. */
function otherFault(verdict: FailedVerdict, spec: KernelSpec): string | undefined {
  const guesses = guessesBehind(verdict, spec, []);
  if (guesses.length > 0)
    return `That rests on a guess, which may be what is wrong (${guesses.join("; ")}): say it in the kernel spec first`;
  if (spec.reference.kind === "baseline")
    return 'The kernel is its own reference, so nothing says what is right: mend it first, or give "reference" in the kernel spec; then a model can mend it';
  return spec.origins?.["reference"] === undefined
    ? undefined
    : `The reference is ${spec.origins["reference"]} and may be what is wrong: say it in the kernel spec first`;
}

/** Why a version is kept that nothing can be compared with. */
export function firstCorrectReason(verdict: CorrectVerdict | ScoredVerdict): string {
  const number = verdict.kind === "correct" ? describeBound(verdict.bound) : describeScore(verdict.score);
  return `the first version that is correct, ${number}`;
}
