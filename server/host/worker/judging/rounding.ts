import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { PlannedCase } from "../evaluation/case-shapes";
import type { OracleCase, OracleJudgement, OracleSession, Way } from "../evaluation/oracle-session";
import type { BaselineCases } from "./baseline-cases";

/** Of so many elements one may be decided by rounding (`ONE_IN` of the oracle's steadiness.py). */
const oneIn = 50;
/**
 * How inputs are moved in turn. Together they carry what follows one input over an edge; what takes differences
 * of inputs needs them apart, and each time some more of its elements change sides.
 */
const ways: readonly Way[] = ["out", "in", ...new Array<Way>(10).fill("any")];

/** A case, and the outputs of a run of it. */
interface Judged {
  readonly planned: PlannedCase;
  readonly prepared: OracleCase;
  readonly outputs: readonly Uint8Array[];
  readonly signal: AbortSignal;
}

/** Tells results that are wrong from those that rounding alone has decided. */
export class Rounding {
  private readonly hasMovable: boolean;

  constructor(
    { spec }: Pick<EvaluationTask, "spec">,
    private readonly oracle: OracleSession,
    private readonly baseline: BaselineCases,
  ) {
    this.hasMovable = Object.values(spec.inputs).some(({ dtype }) => /^float(32|64)$/.test(dtype));
  }

  /**
   * The same judgement, or another one where the few elements that are wrong move as far when the last bits of
   * inputs do: in the reference, which is run for that with inputs moved so. `remark` then says so.
   */
  async judge(
    first: OracleJudgement,
    { planned, prepared, outputs, signal }: Judged,
  ): Promise<OracleJudgement & { readonly remark?: string }> {
    const { mismatch } = first;
    if (mismatch === undefined || !this.hasMovable || mismatch.wrong * oneIn > mismatch.total) return first;
    for (const way of ways) {
      const isKnown = await this.baseline.moveInputs(planned, prepared, { way, signal });
      if (!isKnown) return first;
      const again = await this.oracle.judge(prepared, outputs, signal);
      if (again.passed) return { ...again, remark: decidedByRounding };
    }
    return first;
  }
}

const decidedByRounding =
  "Rounding decides a few elements: the last bits of inputs move them as far in the reference, too, and they are held against no version";
