import { randomInt } from "node:crypto";
import { at } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { Side, TimedCall } from "../../../core/hardware/timing-plan";
import type { CheckedCase } from "../../../core/judge/verdict";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { PlannedCase, ResolvedShape } from "../evaluation/case-shapes";
import type { FailedRun } from "../evaluation/failed-run";
import type { OracleCase, OracleSession } from "../evaluation/oracle-session";
import type { Recording } from "./gpu-runtime";
import { failedRun, type HardwareSession } from "./hardware-sessions";
import { newGuard, noGuard, overwrittenGuard } from "./timed/guard-bands";
import { outputsIn, type ShapedCall } from "./timed/timed-order";

/** The sessions of both sides; the candidate's is left out where the baseline itself is judged. */
export interface HardwarePair {
  readonly baseline: HardwareSession;
  readonly candidate?: HardwareSession;
}

/** Why there is no time: the run failed, or what it computed is wrong. */
export type CallProblem =
  | { readonly kind: "failed"; readonly failed: FailedRun }
  | { readonly kind: "wrong"; readonly checked: CheckedCase };

interface CallOptions {
  readonly task: EvaluationTask;
  readonly oracle: OracleSession;
  readonly limitSeconds: number;
  readonly pair: HardwarePair;
  readonly signal: AbortSignal;
}

/** What one request of calls gave. */
interface Called {
  readonly nanoseconds: number;
  /** For each call its outputs, in the order of the spec. */
  readonly outputs: readonly (readonly Uint8Array[])[];
}

/** One request: calls one after the other, on sets of buffers from `set` on. */
interface Calls {
  readonly shape: ResolvedShape;
  readonly cases: readonly OracleCase[];
  readonly cold: boolean;
  readonly set: number;
}

export const bufferSets = 4;
/** Sustained: so many calls in a row, of which the first is not timed. */
const burst = { calls: 4, lead: 1 };
/** One of so many timed calls is compared with the reference; nobody knows beforehand which. */
const judgedOneOf = 4;
const sideNames: Readonly<Record<Side, string>> = { baseline: "the baseline", candidate: "the candidate" };

/** The content that both sides of a pair are given, and what they made of it. */
interface Content {
  readonly number: number;
  readonly cases: readonly OracleCase[];
  readonly outputs: Partial<Record<Side, readonly (readonly Uint8Array[])[]>>;
}

/** Calls on a GPU: with inputs from the oracle, judged by it. */
export class HardwareCalls {
  private current: Content | undefined;

  constructor(private readonly options: CallOptions) {}

  /** Runs one case of the candidate, or of the baseline where there is none, and judges it. */
  async check(planned: PlannedCase): Promise<Outcome<CheckedCase, FailedRun>> {
    const { oracle, pair, signal } = this.options;
    const { shape, variant } = planned;
    const made = await oracle.make(shape, variant, signal);
    try {
      const calls = { shape, cases: [made], cold: true, set: 0 };
      const own = await this.run(pair.candidate ?? pair.baseline, calls);
      if (!own.ok) return own;
      const isReference =
        this.options.task.spec.reference.kind === "baseline" && pair.candidate !== undefined;
      const expected = isReference ? await this.run(pair.baseline, calls) : own;
      if (!expected.ok) return expected;
      const given = { planned, made, expected: at(expected.value.outputs, 0) };
      return succeed(await this.judge(given, at(own.value.outputs, 0)));
    } finally {
      await oracle.forget(made);
    }
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
    const content = await this.content(shape, call);
    const cold = call.cache === "cold";
    const called = await this.run(session, { shape, cases: content.cases, cold, set: call.buffers });
    if (!called.ok) return fail({ kind: "failed", failed: called.problem });
    content.outputs[call.side] = called.value.outputs;
    const { nanoseconds } = called.value;
    if (!(nanoseconds > 0)) return fail({ kind: "failed", failed: noTime(sideNames[call.side]) });
    const wrong = await this.wrong(shape, content);
    if (wrong !== undefined) return fail({ kind: "wrong", checked: wrong });
    return succeed(nanoseconds / Math.max(1, content.cases.length - (cold ? 0 : burst.lead)));
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
    const { oracle } = this.options;
    for (const each of this.current?.cases ?? []) await oracle.forget(each);
    this.current = undefined;
  }

  private async content(shape: ResolvedShape, { content: number, cache }: TimedCall): Promise<Content> {
    const { oracle, signal } = this.options;
    const count = cache === "cold" ? 1 : burst.calls;
    if (this.current?.number === number && this.current.cases.length === count) return this.current;
    await this.close();
    const cases: OracleCase[] = [];
    while (cases.length < count) cases.push(await oracle.make(shape, "declared", signal));
    this.current = { number, cases, outputs: {} };
    return this.current;
  }

  /** Once both sides have run on a content, one call of some is judged. */
  private async wrong(shape: ResolvedShape, content: Content): Promise<CheckedCase | undefined> {
    const { baseline, candidate } = content.outputs;
    if (baseline === undefined || candidate === undefined || randomInt(judgedOneOf) > 0) return undefined;
    const which = randomInt(content.cases.length);
    const planned: PlannedCase = { shape, variant: "declared" };
    const given = { planned, made: at(content.cases, which), expected: at(baseline, which) };
    const checked = await this.judge(given, at(candidate, which));
    if (checked.passed) return undefined;
    return { ...checked, remarks: [...(checked.remarks ?? []), "It is wrong in a call that was timed."] };
  }

  private async judge(
    { planned, made, expected }: JudgedCase,
    outputs: readonly Uint8Array[],
  ): Promise<CheckedCase> {
    const { oracle, task, signal } = this.options;
    if (task.spec.reference.kind === "baseline") await oracle.expect(made, expected, signal);
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

  private async run(session: HardwareSession, calls: Calls): Promise<Outcome<Called, FailedRun>> {
    const { signal, limitSeconds } = this.options;
    const { shape, cases, cold, set } = calls;
    const shaped: ShapedCall[] = [];
    for (const [index, { inputs }] of cases.entries()) {
      // Outputs hold something else each time: a kernel cannot tell a checked call by it.
      const fill = index % 2 === set % 2 ? ("first" as const) : ("second" as const);
      const call = await session.call({ shape, inputs, fill, counters: false, detectors: false, signal });
      if (!call.ok) return call;
      shaped.push(call.value);
    }
    const first = at(shaped, 0);
    const order = {
      cold,
      lead: cold ? 0 : burst.lead,
      guard: newGuard(),
      ...{ buffers: first.buffers, words: first.words },
      calls: shaped.map(({ contents }, index) => ({ set: (set + index) % bufferSets, contents })),
    };
    const reply = await session.run(order, signal);
    if (reply.kind === "outside") return fail(overwrittenGuard(first, reply.message));
    if (reply.kind !== "returned") return fail(failedRun(reply, limitSeconds));
    const outputs = reply.outputs.map((each, index) => outputsIn(at(shaped, index), each));
    return succeed({ nanoseconds: reply.nanoseconds, outputs });
  }
}

/** What a run is judged by. */
interface JudgedCase {
  readonly planned: PlannedCase;
  readonly made: OracleCase;
  /** What the baseline left, for tasks whose reference it is. */
  readonly expected: readonly Uint8Array[];
}

function noTime(side: string): FailedRun {
  return { kind: "did-not-run", reason: `on the GPU: the call of ${side} took no time at all`, findings: [] };
}
