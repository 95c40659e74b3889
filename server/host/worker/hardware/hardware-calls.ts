import { at, known } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { Side, TimedCall } from "../../../core/hardware/timing-plan";
import type { CheckedCase } from "../../../core/judge/verdict";
import type { PlannedCase, ResolvedShape } from "../evaluation/case-shapes";
import type { FailedRun } from "../evaluation/failed-run";
import { drawCase } from "../evaluation/oracle-pools";
import { CallContents, type CallInputs, type PairContent } from "./call-contents";
import type { Recording } from "./gpu-runtime";
import { type CallOptions, fillOf, HardwareCases, judgeOutputs } from "./hardware-cases";
import { failedRun, type HardwareSession } from "./hardware-sessions";
import { type CallProblem, SecretComparisons } from "./secret-comparisons";
import { newGuard, noGuard, overwrittenGuard } from "./timed/guard-bands";
import type { TimedOrder } from "./timed/timed-messages";
import { outputsIn, type ShapedCall } from "./timed/timed-order";

export const bufferSets = 4;
/** Sustained: so many calls in a row, of which the first is not timed. */
const burst = { calls: 4, lead: 1 };
const inTimedCall = "It is wrong in a call that was timed.";
const baselineWrong: FailedRun = {
  kind: "did-not-run",
  reason:
    "on the GPU: in a call that was timed the baseline itself was wrong, so that nothing can be compared with its time",
  findings: [],
};
const sideNames: Readonly<Record<Side, string>> = { baseline: "the baseline", candidate: "the candidate" };

/** Calls on a GPU: with inputs from the oracle, judged by it. */
export class HardwareCalls {
  private readonly contents: CallContents;
  private readonly comparisons = new SecretComparisons();

  constructor(private readonly options: CallOptions) {
    const { baseline, candidate } = options.pair;
    const sessions = candidate === undefined ? [baseline] : [baseline, candidate];
    this.contents = new CallContents({ ...options, sessions });
  }

  /** Runs cases of the candidate, or of the baseline where there is none, up to the first that is wrong. */
  check(planned: readonly PlannedCase[]): Promise<Outcome<readonly CheckedCase[], FailedRun>> {
    return new HardwareCases(this.options).check(planned);
  }

  /** One call of the candidate, or of the baseline where there is none, for a process of its own. */
  async recording(shape: ResolvedShape): Promise<Outcome<Recording, FailedRun>> {
    const { oracle, pair, signal } = this.options;
    const session = pair.candidate ?? pair.baseline;
    const made = await oracle.make(shape, "declared", signal);
    try {
      const { inputs } = made;
      const call = await session.call({ shape, inputs, counters: false, detectors: false, signal });
      if (!call.ok) return call;
      const { buffers, words, contents } = call.value;
      const calls = [{ set: 0, contents }];
      return succeed(session.recording({ cold: false, lead: 0, guard: noGuard, buffers, words, calls }));
    } finally {
      await oracle.forget(made);
    }
  }

  /** Times one call of the plan, in nanoseconds. */
  async time(shape: ResolvedShape, call: TimedCall): Promise<Outcome<number, CallProblem>> {
    const { pair } = this.options;
    const session = call.side === "candidate" ? (pair.candidate ?? pair.baseline) : pair.baseline;
    const begun = await this.contents.begin(shape);
    if (!begun.ok) return fail({ kind: "failed", failed: begun.problem });
    const cold = call.cache === "cold";
    const content = await this.contents.of(call, cold ? 1 : burst.calls);
    const ran = await this.ran(session, content, call);
    if (!ran.ok) return fail({ kind: "failed", failed: ran.problem });
    if (!(ran.value > 0)) return fail({ kind: "failed", failed: noTime(sideNames[call.side]) });
    const problem = await this.compared(shape, content);
    if (problem !== undefined) return fail(problem);
    return succeed(ran.value / Math.max(1, content.inputs.length - (cold ? 0 : burst.lead)));
  }

  /** Waits until all timed calls that are compared have been. */
  settled(): Promise<CallProblem | undefined> {
    return this.comparisons.settled();
  }

  /** What belongs to the times of both sides, in sentences. */
  get notes(): readonly string[] {
    const { baseline, candidate } = this.options.pair;
    const told = (side: Side, session: HardwareSession | undefined): readonly string[] =>
      (session?.notes ?? []).map((note) => `${sideNames[side]}: ${note}.`);
    return [...told("baseline", baseline), ...told("candidate", candidate)];
  }

  /** Gives back what the last call was given. */
  async close(): Promise<void> {
    await this.comparisons.settled().catch(() => undefined);
    await this.contents.close();
  }

  /** Makes the calls of a request; what the judged one left is kept with its content. Gives nanoseconds. */
  private async ran(
    session: HardwareSession,
    content: PairContent,
    { side, cache, buffers: set }: TimedCall,
  ): Promise<Outcome<number, FailedRun>> {
    const { signal, limitSeconds } = this.options;
    const calls: TimedOrder["calls"][number][] = [];
    let shaped: ShapedCall | undefined;
    for (const [index, inputs] of content.inputs.entries()) {
      const handed = await this.contents.handed(session, inputs, fillOf(index, set));
      if (!handed.ok) return handed;
      shaped ??= handed.value.call;
      calls.push({ set: (set + index) % bufferSets, contents: handed.value.contents });
    }
    const { buffers, words } = known(shaped, "a call");
    const cold = cache === "cold";
    const lead = cold ? 0 : burst.lead;
    const order = { cold, lead, guard: newGuard(), buffers, words, calls, keeps: true };
    const reply = await session.run(order, signal);
    if (reply.kind === "outside") return fail(overwrittenGuard({ buffers }, reply.message));
    if (reply.kind !== "returned") return fail(failedRun(reply, limitSeconds));
    if (content.judged === undefined) return succeed(reply.nanoseconds);
    const given = await session.give(order, content.judged, signal);
    if (given.kind !== "returned") return fail(failedRun(given, limitSeconds));
    content.outputs[side] = outputsIn(known(shaped, "a call"), at(given.outputs, 0));
    return succeed(reply.nanoseconds);
  }

  /** Once both sides have run on a content that is judged, the oracle begins to compare. */
  private async compared(shape: ResolvedShape, content: PairContent): Promise<CallProblem | undefined> {
    const { baseline, candidate } = content.outputs;
    if (content.judged === undefined || baseline === undefined || candidate === undefined) return undefined;
    const inputs = at(content.inputs, content.judged);
    return this.comparisons.add(() => {
      const comparing = this.wrong(shape, inputs, { baseline, candidate });
      content.compared = comparing;
      return comparing;
    });
  }

  private async wrong(
    shape: ResolvedShape,
    inputs: CallInputs,
    outputs: Readonly<Record<Side, readonly Uint8Array[]>>,
  ): Promise<CallProblem | undefined> {
    const { oracle, signal, task } = this.options;
    const isDrawn = inputs.kind === "drawn";
    const made = isDrawn
      ? await drawCase(oracle, { of: inputs.pools, seeds: inputs.seeds }, signal)
      : inputs.made;
    try {
      const planned: PlannedCase = { shape, variant: "declared" };
      const given = { planned, made, expected: outputs.baseline };
      const checked = await judgeOutputs(this.options, given, outputs.candidate);
      if (checked.passed) return undefined;
      const own =
        task.spec.reference.kind === "baseline"
          ? checked
          : await judgeOutputs(this.options, given, outputs.baseline);
      // Whoever is to blame for both, the candidate is not called wrong for it.
      if (own.passed || own === checked)
        return { kind: "wrong", checked: { ...checked, remarks: [...(checked.remarks ?? []), inTimedCall] } };
      return { kind: "failed", failed: baselineWrong };
    } finally {
      if (isDrawn) await oracle.forget(made);
    }
  }
}

function noTime(side: string): FailedRun {
  return { kind: "did-not-run", reason: `on the GPU: the call of ${side} took no time at all`, findings: [] };
}
