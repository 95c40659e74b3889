import type { CheckedCase } from "../../../../core/judge/verdict";
import type { CheckRequest, EvaluationTask } from "../../../../core/ports/evaluator";
import type { ResolvedShape } from "../../evaluation/case-shapes";
import type { KernelSession } from "../../evaluation/kernel-runner";
import type { CaseJudge } from "../case-judge";

/** A way of dividing that fails for divisors which an exact division takes. */
interface Shortcut {
  readonly variant: "vast" | "faint";
  /** How it is written. */
  readonly written: RegExp;
  /** Whether a value stands for a result that got lost so. */
  readonly isLost: (actual: number | string) => boolean;
}

const shortcuts: readonly Shortcut[] = [
  // A division whose result is a zero where the divisor is greater than 2^126 (PTX ISA, div.approx).
  { variant: "vast", written: /\b__fdividef\b|\bdiv\.approx\b/, isLost: (actual) => actual === 0 },
  // A product with a reciprocal, which is infinite where the divisor is below 2^-128.
  {
    variant: "faint",
    written: /\b1(\.0*)?f?\s*\/(?![/*])|\b__[fd]rcp_|\brcp\./,
    isLost: (actual) => typeof actual === "string",
  },
];

/**
 * A candidate that divides by a shortcut which the kernel as it was does not take: its quotients may not get
 * lost where divisors are vast or faint. Other differences there, as of sums that leave the range in another
 * order, are held against nobody.
 */
export class OddDivisors {
  constructor(
    private readonly task: Pick<EvaluationTask, "baseline">,
    private readonly judge: CaseJudge,
  ) {}

  /** The case where a number got lost; undefined where none did, or it is not asked. */
  async check(
    shape: ResolvedShape,
    session: KernelSession,
    request: Pick<CheckRequest, "tree" | "signal">,
  ): Promise<CheckedCase | undefined> {
    for (const shortcut of shortcuts) {
      const lost = await this.lostBy(shortcut, shape, session, request);
      if (lost !== undefined) return lost;
    }
    return undefined;
  }

  private async lostBy(
    { variant, written, isLost }: Shortcut,
    shape: ResolvedShape,
    session: KernelSession,
    { tree, signal }: Pick<CheckRequest, "tree" | "signal">,
  ): Promise<CheckedCase | undefined> {
    const takes = (files: EvaluationTask["baseline"]): boolean =>
      Object.values(files).some((text) => written.test(text));
    if (!takes(tree) || takes(this.task.baseline)) return undefined;
    const planned = { shape, variant };
    if (!(await this.judge.baseline.passes(planned, signal))) return undefined;
    const manner = { counters: false, detectors: false, signal };
    const outcome = await this.judge.runFurther(planned, session, manner);
    if (outcome.kind !== "judged") return undefined;
    const { mismatch } = outcome.checked;
    const gotLost =
      mismatch !== undefined && typeof mismatch.expected === "number" && isLost(mismatch.actual);
    return gotLost ? outcome.checked : undefined;
  }
}
