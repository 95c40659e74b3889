import { t } from "../../../core/base/localized";
import { OperationalError } from "../../../core/base/operational-error";
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
const inTurn = /atomic|fetch_add|\batom\b/i;

/** Whether sources can have results whose order is that in which threads come. */
export function mayTakeTurns(tree: EvaluationTask["baseline"]): boolean {
  return Object.values(tree).some((text) => inTurn.test(text));
}

/**
 * Tells the oracle what runs of the baseline left, whose blocks started in two orders: what they differ in
 * by the order of rows alone is held against nobody when the case is judged from now on. Gives the names of
 * these.
 */
export async function loosen(
  oracle: OracleSession,
  {
    prepared,
    runs,
  }: {
    readonly prepared: OracleCase;
    readonly runs: readonly (readonly Uint8Array[])[];
  },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const reply = await oracle.ask("loosen", { case: prepared.id }, runs.flat(), signal);
  return listIn(replyObject(reply), "outputs").map(String);
}

/**
 * A kernel that leaves other values than another run of itself on the same inputs, and not only in another
 * order: it is no fault of it, and it cannot be compared.
 */
function takesTurns(kernel: string, output: string): OperationalError {
  return new OperationalError("spec-invalid", {
    forUser: t`kernel spec of ${kernel}: two runs on the same inputs leave other values in "${output}", since they depend on which thread comes first, as those of a list do that has no room for all of its elements. They can't be compared: does it have more room where it is used? State such sizes under "shapes" in a kernel spec, or leave "${output}" out of its "outputs"`,
  });
}

/** One in each order of blocks. */
const fewestRuns = 2;

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
  /** What runs of the original left, by case. */
  private readonly runs = new WeakMap<OracleCase, ReturnType<ThreadOrder["runAgain"]>>();

  constructor(
    private readonly task: Pick<EvaluationTask, "baseline" | "spec">,
    private readonly oracle: OracleSession,
    private readonly baseline: BaselineCases,
  ) {
    this.isPossible = mayTakeTurns(task.baseline);
  }

  /**
   * The same judgement, or another one where the original itself leaves what is wrong in another order.
   * `isOwn`: the outputs are the original's own.
   */
  async judge(
    first: OracleJudgement,
    { planned, prepared, outputs, isOwn, signal }: Judged & { readonly isOwn: boolean },
  ): Promise<OracleJudgement & { readonly remark?: string }> {
    if (first.passed || !this.isPossible) return first;
    const runs = this.runs.get(prepared) ?? this.runAgain(planned, prepared, signal);
    this.runs.set(prepared, runs);
    const known = await runs;
    if (known.length < fewestRuns) return first;
    // What its own runs exchange is exchanged, however it comes about.
    const all = isOwn ? [...known, outputs] : known;
    const names = await loosen(this.oracle, { prepared, runs: all }, signal);
    if (names.length === 0) return first;
    const again = await this.oracle.judge(prepared, outputs, signal);
    return again.passed ? { ...again, remark: inAnyOrder(names) } : first;
  }

  /**
   * Throws where the original, which is its own reference, differs from another run of itself because its
   * threads may have come in another order.
   */
  refuse(output: string): void {
    const { kernel, reference } = this.task.spec;
    if (this.isPossible && reference.kind === "baseline") throw takesTurns(kernel, output);
  }

  /** What the original leaves with its blocks in their order, from the last, and while it is watched. */
  private async runAgain(
    { shape }: PlannedCase,
    { inputs }: OracleCase,
    signal: AbortSignal,
  ): Promise<readonly (readonly Uint8Array[])[]> {
    const { session } = this.baseline;
    const plain = { shape, inputs, counters: false, detectors: false, signal };
    const manners = [plain, { ...plain, order: "descending" as const }, { ...plain, detectors: true }];
    const outputs: (readonly Uint8Array[])[] = [];
    for (const manner of manners) {
      const run = await session.run(manner);
      if (run.kind !== "ran") break;
      outputs.push(run.outputs);
    }
    return outputs;
  }
}
