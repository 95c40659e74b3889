import { at, known } from "../../../core/base/known";
import type { JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { toleranceFor } from "../../../core/judge/tolerance";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import { ownSeconds, workLimit } from "../../process/work-clock";
import { differsFromRecording, type PlannedCase, type ResolvedShape } from "../evaluation/case-shapes";
import { hostBytes } from "../entry/host-work";
import { maybeUnwritten, untouchedElements } from "../evaluation/buffers";
import type { FailedRun, Ran } from "../evaluation/failed-run";
import type { KernelRunner, KernelSession } from "../evaluation/kernel-runner";
import type { OracleCase, OracleSession } from "../evaluation/oracle-session";

/** The baseline, which is the reference, did not run. */
export interface NoReference {
  readonly kind: "no-reference";
  readonly failed: FailedRun;
}

/** How long the baseline may take for a case that nobody asked for. */
const mostMilliseconds = 30_000;

/** Kinds of findings of a run that goes on for ever; if asked, of one whose threads all wait as well. */
const endless = { going: /^endless$/, waiting: /^endless|deadlock$/ };

/** A session that begins with its first run. */
function startedLate(start: () => KernelSession): KernelSession {
  let session: KernelSession | undefined;
  return {
    run: (request) => (session ??= start()).run(request),
    close: async () => session?.close(),
  };
}

/** Products of 16-bit or TF32 numbers, which have the digits of a float16 whatever is made of them. */
const shortProducts = "tensor-half";

/** What a baseline's values are held against at least: no more digits than the numbers that it multiplies. */
export function leastOf({ facts }: Ran): { readonly least?: JsonObject } {
  const isShort = facts.some(({ families }) => families?.includes(shortProducts) === true);
  return isShort ? { least: { ...toleranceFor("float16", undefined) } } : {};
}

interface WrittenRun {
  readonly shape: ResolvedShape;
  readonly inputs: readonly Uint8Array[];
  /** The outputs of a run over the first pattern. */
  readonly first: readonly Uint8Array[];
  readonly signal: AbortSignal;
}

/** Whether a kernel writes every element of its outputs: a run over another pattern leaves none of it. */
async function writesAll(
  session: KernelSession,
  { shape, inputs, first, signal }: WrittenRun,
): Promise<boolean> {
  if (!shape.outputs.some((output, place) => maybeUnwritten(output, at(first, place)))) return true;
  const manner = { counters: false, detectors: false, fill: "second" as const, signal };
  const again = await session.run({ ...manner, shape, inputs });
  if (again.kind !== "ran") return false;
  return shape.outputs.every((output, place) => {
    const contents = { first: at(first, place), second: at(again.outputs, place) };
    return untouchedElements(output, contents).length === 0;
  });
}

/** Inputs and expected values of cases, and what the baseline makes of them. */
export class BaselineCases {
  /** Runs the baseline, for all cases: it is the user's own, and nobody's candidate. */
  readonly session: KernelSession;
  /** Sessions of checks of the baseline itself. */
  readonly sessions = new WeakSet<KernelSession>();
  /** What host code made in the run that gave a case its expected values. */
  readonly made = new WeakMap<OracleCase, readonly Uint8Array[]>();
  /** Recorded shapes where the baseline alone leaves other contents than it did in its program. */
  private readonly differing = new Set<ResolvedShape>();
  private readonly mostHostBytes = new Map<ResolvedShape, number>();

  constructor(
    private readonly task: EvaluationTask,
    readonly oracle: OracleSession,
    runner: KernelRunner,
  ) {
    this.session = startedLate(() => runner.start(task.baseline));
  }

  /** The most bytes that host code has made and handed to launches in any run of a shape so far. */
  mostHandedOver(shape: ResolvedShape): number {
    return this.mostHostBytes.get(shape) ?? 0;
  }

  /** Whether a recorded shape ends otherwise alone than in its program, as far as it was run. */
  differs(shape: ResolvedShape): boolean {
    return this.differing.has(shape);
  }

  /** Makes inputs of a case for `use`, and forgets them after it. */
  async withInputs<Result>(
    planned: PlannedCase,
    signal: AbortSignal,
    use: (prepared: OracleCase) => Promise<Result>,
  ): Promise<Result | NoReference> {
    const expected = await this.prepare(planned, signal);
    if (!expected.ok) return { kind: "no-reference", failed: expected.problem };
    try {
      return await use(expected.value);
    } finally {
      await this.oracle.forget(expected.value);
    }
  }

  /** Inputs of which one value may be any other: floating ones that promise nothing. */
  get nudgeable(): readonly string[] {
    const { inputs } = this.task.spec;
    return Object.keys(inputs).filter((name) => {
      const { dtype, distribution = "normal" } = known(inputs[name], "an input of the spec");
      return /float/.test(dtype) && (distribution === "normal" || distribution === "uniform");
    });
  }

  /**
   * Makes the inputs of a case but for one value of each for `use`, and forgets them after it. `turns`: that
   * value has the other sign.
   */
  async withNudged<Result>(
    planned: PlannedCase,
    prepared: OracleCase,
    {
      turns,
      signal,
      use,
    }: {
      readonly turns: boolean;
      readonly signal: AbortSignal;
      readonly use: (nudged: OracleCase) => Promise<Result>;
    },
  ): Promise<Result | NoReference> {
    const made = await this.oracle.derive(
      prepared,
      { method: "nudge", names: [...this.nudgeable], turns },
      signal,
    );
    try {
      const failed = await this.expect(made, planned, signal);
      return failed === undefined ? await use(made) : { kind: "no-reference", failed };
    } finally {
      await this.oracle.forget(made);
    }
  }

  /** Whether outputs of a prepared case are the expected ones. */
  async isRight(prepared: OracleCase, outputs: readonly Uint8Array[], signal: AbortSignal): Promise<boolean> {
    return (await this.oracle.judge(prepared, outputs, signal)).passed;
  }

  /** A case with new inputs and its expected values. */
  async prepare(planned: PlannedCase, signal: AbortSignal): Promise<Outcome<OracleCase, FailedRun>> {
    const made = await this.oracle.make(planned.shape, planned.variant, signal);
    const failed = await this.expect(made, planned, signal);
    if (failed === undefined) return succeed(made);
    await this.oracle.forget(made);
    return fail(failed);
  }

  /**
   * With the reference `baseline` the expected values come from a run of the baseline; gives the run
   * where it failed.
   */
  async expect(
    made: OracleCase,
    { shape, variant }: PlannedCase,
    signal: AbortSignal,
  ): Promise<FailedRun | undefined> {
    if (this.task.spec.reference.kind !== "baseline") return undefined;
    const run = await this.run(shape, made.inputs, signal);
    if (run.kind !== "ran") return run;
    if (variant === "declared" && differsFromRecording(shape, run.outputs)) this.differing.add(shape);
    this.made.set(made, run.hostWritten);
    await this.oracle.expect(made, { outputs: run.outputs, ...leastOf(run) }, signal);
    return undefined;
  }

  /**
   * Whether the baseline runs a case in time, without a finding and with the right values, and writes every
   * element: for sizes that its launch does not cover it says nothing of what is right.
   */
  async passes(planned: PlannedCase, signal: AbortSignal): Promise<boolean> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(mostMilliseconds)]);
    try {
      const isPassed = await this.withInputs(planned, limited, async (prepared) => {
        const manner = { counters: false, detectors: true, signal: limited };
        const { inputs } = prepared;
        const run = await this.session.run({ ...manner, shape: planned.shape, inputs });
        if (run.kind !== "ran" || run.findings.length > 0) return false;
        if (!(await this.isRight(prepared, run.outputs, limited))) return false;
        return writesAll(this.session, { shape: planned.shape, inputs, first: run.outputs, signal: limited });
      });
      return isPassed === true;
    } catch (thrown) {
      signal.throwIfAborted();
      // Inputs that a reference cannot take, or a kernel that takes too long over them, are none of its.
      if (thrown instanceof OperationalError) return false;
      throw thrown;
    }
  }

  /** Runs the baseline, without looking at how. */
  async run(
    shape: ResolvedShape,
    inputs: readonly Uint8Array[],
    signal: AbortSignal,
  ): ReturnType<KernelSession["run"]> {
    const run = await this.session.run({ shape, inputs, counters: false, detectors: false, signal });
    if (run.kind === "ran")
      this.mostHostBytes.set(shape, Math.max(this.mostHandedOver(shape), hostBytes(run)));
    return run;
  }

  /**
   * Seconds of the processor that one run takes; `Infinity` for one that needs more than `mostSeconds` and is
   * ended, undefined for one that fails. `of`: what of a run without an end counts as one.
   */
  async runCost(
    shape: ResolvedShape,
    { mostSeconds, of = "going" }: { readonly mostSeconds: number; readonly of?: keyof typeof endless },
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const made = await this.oracle.make(shape, "declared", signal);
    const limit = workLimit(mostSeconds);
    const begun = ownSeconds();
    try {
      const run = await this.run(shape, made.inputs, AbortSignal.any([signal, limit.signal]));
      if (run.kind === "ran") return ownSeconds() - begun;
      const isEndless = run.kind === "did-not-run" && run.findings.some(({ kind }) => endless[of].test(kind));
      return run.kind === "timed-out" || isEndless ? Infinity : undefined;
    } catch (thrown) {
      if (limit.signal.aborted && !signal.aborted) return Infinity;
      throw thrown;
    } finally {
      limit.stop();
      await this.oracle.forget(made);
    }
  }

  /** Runs the baseline with new inputs. */
  async runOnNew({ shape, variant }: PlannedCase, signal: AbortSignal): ReturnType<KernelSession["run"]> {
    const made = await this.oracle.make(shape, variant, signal);
    try {
      return await this.run(shape, made.inputs, signal);
    } finally {
      await this.oracle.forget(made);
    }
  }
}
