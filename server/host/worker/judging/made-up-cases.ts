import { OperationalError } from "../../../core/base/operational-error";
import { specialVariants } from "../../../core/judge/further-variants";
import type { CheckedCase } from "../../../core/judge/verdict";
import type { ChallengeOutcome, ChallengeRequest, EvaluationTask } from "../../../core/ports/evaluator";
import { beyondSpec, shapeOf } from "../../../core/workload/cases/made-up-case";
import { type PlannedCase, resolveShape } from "../evaluation/case-shapes";
import { type FailedRun, isUnfit, outcomeOf, whyNot } from "../evaluation/failed-run";
import type { KernelSession } from "../evaluation/kernel-runner";
import type { AfterCases } from "./after-cases";
import type { CaseJudge, CaseOutcome } from "./case-judge";

/** Seeds that the original has to pass: one may be luck where special values are sprinkled. */
const seeds = { ordinary: 1, special: 3 } as const;

type Void = Extract<ChallengeOutcome, { kind: "void" }>;

/** Cases that somebody made up against a candidate. One counts where the kernel as it was passes it. */
export class MadeUpCases {
  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
    private readonly after: AfterCases,
  ) {}

  /** Runs a case on the original, then on the files of `session`. */
  async run(session: KernelSession, request: ChallengeRequest): Promise<ChallengeOutcome> {
    const { made, signal } = request;
    const fault = beyondSpec(this.task.spec, made);
    if (fault !== undefined) return nobody(`it is beyond the spec: ${fault}`);
    const { inputs, variant } = made;
    const shape = resolveShape(this.task.spec, shapeOf(this.task.spec, made));
    const planned: PlannedCase = { shape: { ...shape, ...(inputs && { drawn: inputs }) }, variant };
    const count = this.isSpecial(planned) ? seeds.special : seeds.ordinary;
    for (let seed = 0; seed < count; seed += 1)
      if (!(await this.judge.baseline.passes(planned, signal)))
        return nobody("the original does not pass it");
    return this.onCandidate(planned, session, request);
  }

  private async onCandidate(
    planned: PlannedCase,
    session: KernelSession,
    request: ChallengeRequest,
  ): Promise<ChallengeOutcome> {
    const { tree, signal } = request;
    const manner = { counters: false, detectors: true, signal };
    let outcome: CaseOutcome | { readonly kind: "beyond-baseline" };
    try {
      outcome = await this.judge.runFurther(planned, session, manner);
    } catch (thrown) {
      signal.throwIfAborted();
      // A reference that cannot take these inputs judges nothing.
      if (thrown instanceof OperationalError && thrown.code === "spec-invalid") return nobody(thrown.message);
      throw thrown;
    }
    const ran = { planned, session, request: { tree, signal, tier: "full" as const, counters: false } };
    switch (outcome.kind) {
      case "beyond-baseline":
      case "no-reference":
        return nobody("the original does not pass it");
      case "failed":
        return isTooLarge(outcome.failed)
          ? nobody(`the candidate does not come to its end: ${whyNot(outcome.failed)}`)
          : this.notRun(outcome.failed, ran);
      case "judged": {
        const { checked } = outcome;
        if (checked.passed) return { kind: "passed" };
        if (this.saysNothing(planned, checked)) return nobody("the original gives no number there");
        return { kind: "failed", checked: await this.after.failedCase(checked, ran) };
      }
    }
  }

  private async notRun(
    failed: FailedRun,
    ran: Omit<Parameters<AfterCases["failed"]>[1], "judged" | "left">,
  ): Promise<ChallengeOutcome> {
    const outcome = await this.after.failed(outcomeOf(failed), { ...ran, judged: [], left: [] });
    return outcome.kind === "did-not-run" ? outcome : nobody("the candidate does not run");
  }

  /** A kernel that is its own reference does not say what is right where it leaves the numbers. */
  private saysNothing(planned: PlannedCase, { mismatch }: CheckedCase): boolean {
    const isOwn = this.task.spec.reference.kind === "baseline";
    return isOwn && !this.isSpecial(planned) && typeof mismatch?.expected === "string";
  }

  private isSpecial({ variant }: PlannedCase): boolean {
    return specialVariants(this.task.spec).some((special) => special === variant);
  }
}

/** A size that nobody listed may be more than a candidate is made for; that is no fault of its values. */
function isTooLarge(failed: FailedRun): boolean {
  return failed.kind === "timed-out" || failed.kind === "refused" || isUnfit(failed);
}

function nobody(reason: string): Void {
  return { kind: "void", reason };
}
