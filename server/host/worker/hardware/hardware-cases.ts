import { at, known } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { CheckedCase } from "../../../core/judge/verdict";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { PlannedCase, ResolvedShape } from "../evaluation/case-shapes";
import type { FailedRun } from "../evaluation/failed-run";
import type { Fill } from "../evaluation/kernel-runner";
import type { OracleCase, OracleSession } from "../evaluation/oracle-session";
import { failedRun, type HardwareSession } from "./hardware-sessions";
import { newGuard, overwrittenGuard } from "./timed/guard-bands";
import { outputsIn } from "./timed/timed-order";

/** The sessions of both sides; the candidate's is left out where the baseline itself is judged. */
export interface HardwarePair {
  readonly baseline: HardwareSession;
  readonly candidate?: HardwareSession;
}

export interface CallOptions {
  readonly task: EvaluationTask;
  readonly oracle: OracleSession;
  readonly limitSeconds: number;
  readonly pair: HardwarePair;
  readonly signal: AbortSignal;
}

/** What a case left, and what it is judged by. */
interface RanCase {
  readonly given: JudgedCase;
  readonly outputs: readonly Uint8Array[];
}

/** What a run is judged by. */
interface JudgedCase {
  readonly planned: PlannedCase;
  readonly made: OracleCase;
  /** What the baseline left, for tasks whose reference it is. */
  readonly expected: readonly Uint8Array[];
}

/** The cases of a check on a GPU: with inputs from the oracle, judged by it. */
export class HardwareCases {
  constructor(private readonly options: CallOptions) {}

  /**
   * Runs cases of the candidate, or of the baseline where there is none, up to the first that is wrong. The
   * oracle makes the next one and judges the one before while the GPU runs a case.
   */
  async check(planned: readonly PlannedCase[]): Promise<Outcome<readonly CheckedCase[], FailedRun>> {
    const checked: CheckedCase[] = [];
    let judging: Promise<CheckedCase> | undefined;
    let coming = this.make(planned[0]);
    try {
      for (const [place, each] of planned.entries()) {
        const made = known(await coming, "the inputs of a case");
        coming = this.make(planned[place + 1]);
        coming.catch(() => undefined);
        const ran = await this.ranCase(each, made);
        if (judging !== undefined) checked.push(await judging);
        judging = ran.ok ? this.judgeCase(ran.value) : undefined;
        judging?.catch(() => undefined);
        if (ran.ok && checked.every(({ passed }) => passed)) continue;
        await this.options.oracle.forget(made);
        return ran.ok || checked.some(({ passed }) => !passed) ? succeed(checked) : ran;
      }
      if (judging !== undefined) checked.push(await judging);
      return succeed(checked);
    } finally {
      await this.forget(coming);
    }
  }

  private async make(planned: PlannedCase | undefined): Promise<OracleCase | undefined> {
    if (planned === undefined) return undefined;
    return this.options.oracle.make(planned.shape, planned.variant, this.options.signal);
  }

  private async forget(coming: Promise<OracleCase | undefined>): Promise<void> {
    const made = await coming.catch(() => undefined);
    if (made !== undefined) await this.options.oracle.forget(made);
  }

  private async judgeCase({ given, outputs }: RanCase): Promise<CheckedCase> {
    try {
      return await judgeOutputs(this.options, given, outputs);
    } finally {
      await this.options.oracle.forget(given.made);
    }
  }

  private async ranCase(planned: PlannedCase, made: OracleCase): Promise<Outcome<RanCase, FailedRun>> {
    const { pair, task } = this.options;
    const own = await this.run(pair.candidate ?? pair.baseline, planned.shape, made);
    if (!own.ok) return own;
    const isReference = task.spec.reference.kind === "baseline" && pair.candidate !== undefined;
    const expected = isReference ? await this.run(pair.baseline, planned.shape, made) : own;
    if (!expected.ok) return expected;
    return succeed({ given: { planned, made, expected: expected.value }, outputs: own.value });
  }

  /** One call with the inputs of a case: its outputs, in the order of the spec. */
  private async run(
    session: HardwareSession,
    shape: ResolvedShape,
    { inputs }: OracleCase,
  ): Promise<Outcome<readonly Uint8Array[], FailedRun>> {
    const { signal, limitSeconds } = this.options;
    const request = { shape, inputs, fill: fillOf(0, 0), counters: false, detectors: false, signal };
    const call = await session.call(request);
    if (!call.ok) return call;
    const { buffers, words, contents } = call.value;
    const calls = [{ set: 0, contents }];
    const reply = await session.run(
      { cold: true, lead: 0, guard: newGuard(), buffers, words, calls },
      signal,
    );
    if (reply.kind === "outside") return fail(overwrittenGuard({ buffers }, reply.message));
    if (reply.kind !== "returned") return fail(failedRun(reply, limitSeconds));
    return succeed(outputsIn(call.value, at(reply.outputs, 0)));
  }
}

/** Outputs hold something else each time: a kernel cannot tell a checked call by it. */
export function fillOf(index: number, set: number): Fill {
  return index % 2 === set % 2 ? "first" : "second";
}

/** What the oracle says of outputs. */
export async function judgeOutputs(
  { oracle, task, signal }: Pick<CallOptions, "oracle" | "task" | "signal">,
  { planned, made, expected }: JudgedCase,
  outputs: readonly Uint8Array[],
): Promise<CheckedCase> {
  if (task.spec.reference.kind === "baseline") await oracle.expect(made, { outputs: expected }, signal);
  const { passed, tolerance, mismatch } = await oracle.judge(made, outputs, signal);
  return {
    shape: planned.shape.shape,
    inputs: planned.variant,
    passed,
    tolerance,
    findings: [],
    remarks: ["Run on the GPU."],
    ...(mismatch && { mismatch }),
  };
}
