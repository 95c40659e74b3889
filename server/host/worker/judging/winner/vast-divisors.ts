import type { CheckedCase } from "../../../../core/judge/verdict";
import type { CheckRequest, EvaluationTask } from "../../../../core/ports/evaluator";
import type { ResolvedShape } from "../../evaluation/case-shapes";
import type { KernelSession } from "../../evaluation/kernel-runner";
import type { CaseJudge } from "../case-judge";

/** A division whose result is a zero where the divisor is greater than 2^126 (PTX ISA, div.approx). */
const fastDivision = /\b__fdividef\b|\bdiv\.approx\b/;

/**
 * A candidate that divides fast where the kernel as it was does not: its quotients may not become zeros
 * where divisors are vast. Other differences there, as of sums that leave the range in another order, are
 * held against nobody.
 */
export class VastDivisors {
  constructor(
    private readonly task: Pick<EvaluationTask, "baseline">,
    private readonly judge: CaseJudge,
  ) {}

  /** The case with a zero in the place of a number; undefined where there is none, or it is not asked. */
  async check(
    shape: ResolvedShape,
    session: KernelSession,
    { tree, signal }: Pick<CheckRequest, "tree" | "signal">,
  ): Promise<CheckedCase | undefined> {
    const divides = (files: EvaluationTask["baseline"]): boolean =>
      Object.values(files).some((text) => fastDivision.test(text));
    if (!divides(tree) || divides(this.task.baseline)) return undefined;
    const planned = { shape, variant: "vast" } as const;
    if (!(await this.judge.baseline.passes(planned, signal))) return undefined;
    const manner = { counters: false, detectors: false, signal };
    const outcome = await this.judge.runFurther(planned, session, manner);
    if (outcome.kind !== "judged") return undefined;
    const { mismatch } = outcome.checked;
    const isLost = mismatch?.actual === 0 && typeof mismatch.expected === "number";
    return isLost ? outcome.checked : undefined;
  }
}
