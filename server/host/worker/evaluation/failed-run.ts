import type { Finding } from "../../../core/judge/verdict";
import { OperationalError } from "../../../core/base/operational-error";
import type { CheckOutcome, CheckRequest, EvaluationTask } from "../../../core/ports/evaluator";
import { describeDiagnostic, describeFinding } from "../../../core/words/describe";
import { refusalText } from "../../../core/words/names/refusal";
import type { RunOutcome } from "./kernel-runner";

export type Ran = Extract<RunOutcome, { kind: "ran" }>;

/** A run that gave no outputs to compare. */
export type FailedRun = Exclude<RunOutcome, { kind: "ran" }>;

type NotCompiled = Extract<FailedRun, { kind: "did-not-compile" }>;

/** Whether a configuration asks for more than the GPU has, which an autotuner passes over. */
export function isUnfit(run: FailedRun): boolean {
  return run.kind === "did-not-run" && /out of resource|OutOfResources/i.test(run.reason);
}

/**
 * The outcome of a check whose baseline, which is its own reference, cannot be run. The baseline is judged by
 * that run; nothing can be said of any other candidate: throws `spec-invalid`.
 */
export function withoutReference(
  { spec, baseline }: EvaluationTask,
  { tree }: CheckRequest,
  failed: FailedRun,
): CheckOutcome {
  if (tree === baseline) return outcomeOf(failed);
  throw new OperationalError("spec-invalid", {
    forUser: `${spec.kernel} is its own reference, but the baseline cannot be run. ${whyNot(failed)}`,
  });
}

export function outcomeOf(run: FailedRun): CheckOutcome {
  if (run.kind === "did-not-run") {
    const { kind, reason, findings } = run;
    return { kind, reason, findings };
  }
  if (run.kind !== "did-not-compile") return run;
  return {
    kind: "did-not-run",
    reason: firstError(run),
    findings: [],
  };
}

/** What the compiler said first. */
export function firstError({ diagnostics }: Pick<NotCompiled, "diagnostics">): string {
  return diagnostics.find(({ severity }) => severity === "error")?.message ?? "it does not compile";
}

/** Why a run gave nothing, with file and line where they are known. */
export function whyNot(run: FailedRun): string {
  switch (run.kind) {
    case "did-not-compile":
      return (
        run.diagnostics
          .filter((each) => each.severity === "error")
          .map(describeDiagnostic)
          .join("\n") || "It does not compile."
      );
    case "did-not-run":
      return run.findings.map(describeFinding).join("\n") || run.reason;
    case "refused":
      return refusalText(run);
    case "timed-out":
      return `The stage "${run.stage}" took longer than ${run.limitSeconds} s.`;
  }
}

/**
 * Findings that are no fault where the values are right all the same: the end of a sum by shuffles, of which
 * only the first lane is wanted, reads lanes that others have left.
 */
const onlyTold: ReadonlySet<string> = new Set(["inactive-shuffle"]);

/** The findings of a run that are faults of it, and remarks on the others. `isRight`: its values are. */
export function faultsOf(
  findings: readonly Finding[],
  isRight: boolean,
): { readonly faults: readonly Finding[]; readonly told: readonly string[] } {
  const isTold = ({ kind }: Finding): boolean => isRight && onlyTold.has(kind);
  return {
    faults: findings.filter((each) => !isTold(each)),
    told: findings.filter(isTold).map(toldOf),
  };
}

function toldOf({ file, line, message }: Finding): string {
  return `${file}:${line}: ${message}, and is not wanted as it seems: the values are right`;
}
