import type { KernelProof } from "../../../core/judge/proof";
import type { CheckedCase } from "../../../core/judge/verdict";
import type { CheckOutcome, CheckRequest, EvaluationTask } from "../../../core/ports/evaluator";
import type { LookedAt } from "../../../core/proof/report";
import { resolveShape, smallestOf } from "../evaluation/case-shapes";
import type { KernelSession } from "../evaluation/kernel-runner";
import { inFolder } from "../evaluation/oracle-session";
import type { CaseJudge } from "./case-judge";
import { OtherFaults, type EndedCheck } from "./other-faults";
import { type Failed, SmallestFailures } from "./smallest-failure";
import { lostBounds } from "./winner/lost-bounds";
import { WitnessSearch } from "./witness-search";

/** What the cases were run with. */
interface RanWith {
  readonly session: KernelSession;
  readonly request: CheckRequest;
}

/** What is searched for by further launches when the cases are through. */
export class AfterCases {
  private readonly smallest: SmallestFailures;
  private readonly witnesses: WitnessSearch;
  private readonly others: OtherFaults;

  constructor(
    private readonly task: EvaluationTask,
    private readonly judge: CaseJudge,
  ) {
    this.smallest = new SmallestFailures(task, judge);
    this.witnesses = new WitnessSearch(task, judge);
    this.others = new OtherFaults(judge, inFolder(task.specFolder, task.spec.file));
  }

  /**
   * An outcome that a failed run came to, with the smallest shape that fails so, what it refutes, and the
   * other faults where they are asked for.
   */
  async failed(outcome: CheckOutcome, check: EndedCheck): Promise<CheckOutcome> {
    if (check.request.verdictAlone === true) return outcome;
    const smallest = await this.smallest.outcome(outcome, check);
    return this.others.added(await this.witnesses.ofFailed(smallest, check.planned, check), check);
  }

  /** A case that failed, with the smallest shape that fails so. */
  async failedCase(checked: CheckedCase, failed: Failed): Promise<CheckedCase> {
    return this.smallest.ofCase(checked, failed);
  }

  /** The cases, the first failed one with its smallest shape, and what holds for all sizes. */
  async ended(
    cases: readonly CheckedCase[],
    lookedAt: readonly LookedAt[] | undefined,
    ran: RanWith,
  ): Promise<{ readonly cases: readonly CheckedCase[]; readonly proofs?: readonly KernelProof[] }> {
    if (ran.request.verdictAlone === true) return { cases };
    const told = await this.smallest.added(cases, ran.session, ran.request);
    if (lookedAt === undefined) return { cases: told };
    const proofs = await this.witnesses.ofCases(lookedAt, told, ran);
    return { cases: await this.withLostBounds(told, proofs, ran), proofs };
  }

  /** The cases, the first of which says where a winner lost bounds that the original is shown to keep. */
  private async withLostBounds(
    [first, ...others]: readonly CheckedCase[],
    proofs: readonly KernelProof[],
    { request: { tree, tier, signal } }: RanWith,
  ): Promise<readonly CheckedCase[]> {
    if (first === undefined) return [];
    const cases = [first, ...others];
    const isWinner = tier === "full" && tree !== this.task.baseline && cases.every(({ passed }) => passed);
    if (!isWinner) return cases;
    const { spec } = this.task;
    const shape = smallestOf(spec.shapes.map((each) => resolveShape(spec, each)));
    const lost = await lostBounds(this.judge, { shape, variant: "declared" }, { proofs, signal });
    if (lost === undefined) return cases;
    return [{ ...first, remarks: [...(first.remarks ?? []), lost] }, ...others];
  }
}
