import { t } from "../../../core/base/localized";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import { replyObject } from "../compile/compiled-module";
import { listIn } from "../transport/read-json";
import type { PlannedCase } from "../evaluation/case-shapes";
import type { OracleCase, OracleJudgement, OracleSession } from "../evaluation/oracle-session";
import type { BaselineCases } from "./baseline-cases";

/** A case, and the outputs of a run of it. */
interface Judged {
  readonly planned: PlannedCase;
  readonly prepared: OracleCase;
  readonly outputs: readonly Uint8Array[];
  readonly signal: AbortSignal;
}

/** Without one of these no thread learns in what order others came. */
const takesTurns = /atomic|fetch_add|\batom\b/i;

/** Whether sources can have results whose order is that in which threads come. */
export function mayTakeTurns(tree: EvaluationTask["baseline"]): boolean {
  return Object.values(tree).some((text) => takesTurns.test(text));
}

/**
 * Tells the oracle what two runs of the baseline left, whose blocks started in two orders: what they differ
 * in by the order of rows alone is held against nobody when the case is judged from now on. Gives the names
 * of these.
 */
export async function loosen(
  oracle: OracleSession,
  {
    prepared,
    runs,
  }: {
    readonly prepared: OracleCase;
    readonly runs: readonly [readonly Uint8Array[], readonly Uint8Array[]];
  },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const reply = await oracle.ask("loosen", { case: prepared.id }, runs.flat(), signal);
  return listIn(replyObject(reply), "outputs").map(String);
}

/** What is said where the order of rows was left out of account. */
function inAnyOrder(names: readonly string[]): string {
  return t`${names.join(", ")}: the original leaves the same elements in another order where its blocks start in another one, so they are compared whatever their order is, as far as the original itself exchanges them`;
}

/**
 * Lists that are filled through a counter: which thread comes first is decided by nobody, so that no version
 * can be held to the order of the original. How far that order goes is seen of the original alone.
 */
export class ThreadOrder {
  private readonly isPossible: boolean;
  /** Names of the outputs whose rows may change places, by case. */
  private readonly loosened = new WeakMap<OracleCase, Promise<readonly string[]>>();

  constructor(
    task: Pick<EvaluationTask, "baseline">,
    private readonly oracle: OracleSession,
    private readonly baseline: BaselineCases,
  ) {
    this.isPossible = mayTakeTurns(task.baseline);
  }

  /** The same judgement, or another one where the original itself leaves what is wrong in another order. */
  async judge(
    first: OracleJudgement,
    { planned, prepared, outputs, signal }: Judged,
  ): Promise<OracleJudgement & { readonly remark?: string }> {
    if (first.passed || !this.isPossible) return first;
    const known = this.loosened.get(prepared) ?? this.loosen(planned, prepared, signal);
    this.loosened.set(prepared, known);
    const names = await known;
    if (names.length === 0) return first;
    const again = await this.oracle.judge(prepared, outputs, signal);
    return again.passed ? { ...again, remark: inAnyOrder(names) } : first;
  }

  private async loosen(
    { shape }: PlannedCase,
    prepared: OracleCase,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const manner = { shape, inputs: prepared.inputs, counters: false, detectors: false, signal };
    const inOrder = await this.baseline.session.run(manner);
    const other = await this.baseline.session.run({ ...manner, order: "descending" });
    if (inOrder.kind !== "ran" || other.kind !== "ran") return [];
    return loosen(this.oracle, { prepared, runs: [inOrder.outputs, other.outputs] }, signal);
  }
}
