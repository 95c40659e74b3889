import { randomInt } from "node:crypto";
import { known, mustGet } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { Side, TimedCall } from "../../../core/hardware/timing-plan";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { ResolvedShape } from "../evaluation/case-shapes";
import type { FailedRun } from "../evaluation/failed-run";
import type { Fill } from "../evaluation/kernel-runner";
import { type OraclePools, poolsFor } from "../evaluation/oracle-pools";
import type { OracleCase, OracleSession } from "../evaluation/oracle-session";
import { failedRun, type HardwareSession } from "./hardware-sessions";
import { drawnContents, newSeeds } from "./timed/drawn-contents";
import type { TimedContent } from "./timed/timed-messages";
import type { ShapedCall } from "./timed/timed-order";

/** The content that both sides of a pair are given, and what they made of it. */
export interface PairContent {
  readonly number: number;
  readonly inputs: readonly CallInputs[];
  /** Which of its calls is compared with the reference, where one is: nobody knows before it was made. */
  readonly judged: number | undefined;
  /** Of the judged call, in the order of the spec. */
  readonly outputs: Partial<Record<Side, readonly Uint8Array[]>>;
  /** Ends when nobody needs the inputs any more. */
  compared: Promise<unknown>;
}

/** Inputs of a call: drawn in its process from pools that lie there, or sent. */
export type CallInputs =
  | { readonly kind: "drawn"; readonly pools: OraclePools; readonly seeds: readonly bigint[] }
  | { readonly kind: "sent"; readonly made: OracleCase };

interface ContentOptions {
  readonly task: EvaluationTask;
  readonly oracle: OracleSession;
  readonly sessions: readonly HardwareSession[];
  readonly limitSeconds: number;
  readonly signal: AbortSignal;
}

/** A shape that is being timed. */
interface Begun {
  readonly shape: ResolvedShape;
  readonly calls: ReadonlyMap<HardwareSession, ShapedCall>;
  /** Undefined where inputs have to be sent. */
  readonly pools: OraclePools | undefined;
}

/** Of warm-up calls, which are neither compared nor judged. */
const warmUpContent = 0;
/** One of so many timed calls is compared with the reference. */
const judgedOneOf = 4;

/** What timed calls are handed. */
export class CallContents {
  private begun: Begun | undefined;
  private current: PairContent | undefined;

  constructor(private readonly options: ContentOptions) {}

  /** Has both processes hold what the inputs of a shape are drawn from; nothing happens the second time. */
  async begin(shape: ResolvedShape): Promise<Outcome<undefined, FailedRun>> {
    if (this.begun?.shape === shape) return succeed(undefined);
    await this.close();
    const { oracle, sessions, signal } = this.options;
    const made = await oracle.make(shape, "declared", signal);
    const calls = new Map<HardwareSession, ShapedCall>();
    try {
      for (const session of sessions) {
        const call = await session.call({ shape, inputs: made.inputs, ...plain, signal });
        if (!call.ok) return call;
        calls.set(session, call.value);
      }
    } finally {
      await oracle.forget(made);
    }
    const pools = await this.pooled(shape);
    if (!pools.ok) return pools;
    this.begun = { shape, calls, pools: pools.value };
    return succeed(undefined);
  }

  /** The content of a call of the plan: that of the call before it, for the other side of a pair. */
  async of({ content: number }: TimedCall, count: number): Promise<PairContent> {
    const isWarmUp = number === warmUpContent;
    const { current } = this;
    // What has to be sent is sent once for a warm-up.
    const mayStay = !isWarmUp || this.shape.pools === undefined;
    if (mayStay && current?.number === number && current.inputs.length === count) return current;
    this.forget();
    const inputs: CallInputs[] = [];
    while (inputs.length < count) inputs.push(await this.inputs());
    const judged = !isWarmUp && randomInt(judgedOneOf) === 0 ? randomInt(count) : undefined;
    this.current = { number, inputs, judged, outputs: {}, compared: Promise.resolve() };
    return this.current;
  }

  /** A call of a session with these inputs, and what its buffers hold before it. */
  async handed(
    session: HardwareSession,
    inputs: CallInputs,
    fill: Fill,
  ): Promise<Outcome<Handed, FailedRun>> {
    const { shape, calls } = this.shape;
    if (inputs.kind === "drawn") {
      const call = mustGet(calls, session);
      return succeed({ call, contents: drawnContents(call, shape, { ...inputs, fill }) });
    }
    const { signal } = this.options;
    const call = await session.call({ shape, inputs: inputs.made.inputs, fill, ...plain, signal });
    return call.ok ? succeed({ call: call.value, contents: call.value.contents }) : call;
  }

  /** Gives back what the oracle holds of the shape. */
  async close(): Promise<void> {
    this.forget();
    const pools = this.begun?.pools;
    this.begun = undefined;
    if (pools !== undefined) await this.options.oracle.forget(pools);
  }

  private get shape(): Begun {
    return known(this.begun, "a shape that was begun");
  }

  private async inputs(): Promise<CallInputs> {
    const { shape, pools } = this.shape;
    if (pools !== undefined) return { kind: "drawn", pools, seeds: newSeeds(pools) };
    return { kind: "sent", made: await this.options.oracle.make(shape, "declared", this.options.signal) };
  }

  /** A process that cannot draw is sent the inputs. */
  private async pooled(shape: ResolvedShape): Promise<Outcome<OraclePools | undefined, FailedRun>> {
    const { oracle, task, sessions, signal, limitSeconds } = this.options;
    const pools = await poolsFor({ oracle, spec: task.spec }, shape, signal);
    if (pools === undefined) return succeed(undefined);
    for (const session of sessions) {
      const held = await session.pools(
        pools.pools.map(({ pool }) => pool),
        signal,
      );
      if (held.kind === "lost" || held.kind === "timed-out") return fail(failedRun(held, limitSeconds));
      if (held.kind === "returned") continue;
      await oracle.forget(pools);
      return succeed(undefined);
    }
    return succeed(pools);
  }

  private forget(): void {
    const { current } = this;
    this.current = undefined;
    for (const each of current?.inputs ?? [])
      if (each.kind === "sent")
        void current?.compared.finally(() => this.options.oracle.forget(each.made)).catch(() => undefined);
  }
}

interface Handed {
  readonly call: ShapedCall;
  readonly contents: readonly TimedContent[];
}

const plain = { counters: false, detectors: false } as const;
