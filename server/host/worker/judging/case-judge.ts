import { at } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { SourceTree } from "../../../core/judge/candidate";
import type { CheckedCase, Finding, Mismatch, ValueWriter } from "../../../core/judge/verdict";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import { hostComputed } from "../entry/host-work";
import { maybeUnwritten, unwritten } from "../evaluation/buffers";
import { differsFromRecording, type PlannedCase, type ResolvedShape } from "../evaluation/case-shapes";
import type { KernelRunner, KernelSession, RunRequest } from "../evaluation/kernel-runner";
import { inFolder, type OracleCase, type OracleSession } from "../evaluation/oracle-session";
import { whyNot, type FailedRun, type Ran } from "../evaluation/failed-run";

/** How a case is run. */
export type Manner = Pick<
  RunRequest,
  "counters" | "model" | "detectors" | "configuration" | "order" | "signal"
>;

/** What came of one case. */
export type CaseOutcome =
  | { readonly kind: "judged"; readonly checked: CheckedCase; readonly run: Ran }
  | { readonly kind: "failed"; readonly failed: FailedRun }
  /** The baseline, which is the reference, did not run. */
  | { readonly kind: "no-reference"; readonly failed: FailedRun };

/** A planned case with its inputs, and the session that runs it. */
interface RunCase {
  readonly planned: PlannedCase;
  readonly prepared: OracleCase;
  readonly session: KernelSession;
  readonly signal: AbortSignal;
}

/** How many times as long as the longest run of a shape another one may take, and the least limit. */
const patience = 20;
const leastSeconds = 30;

const notReplayed =
  "the recorded launch, run alone, leaves other contents than in its program: it depends on something that is not among its arguments, or on the order of its threads";

/** A session that begins with its first run. */
function startedLate(start: () => KernelSession): KernelSession {
  let session: KernelSession | undefined;
  return {
    run: (request) => (session ??= start()).run(request),
    close: async () => session?.close(),
  };
}

/** Prepares, runs and judges single cases of one task. */
export class CaseJudge {
  /** Runs the baseline, for all cases: it is the user's own, and nobody's candidate. */
  readonly baseline: KernelSession;
  /** Recorded shapes where the baseline alone leaves other contents than it did in its program. */
  private readonly differing = new Set<ResolvedShape>();
  /** Seconds of the longest run of each shape that came to its end. */
  private readonly longest = new Map<ResolvedShape, number>();
  private readonly file: string;

  constructor(
    private readonly task: EvaluationTask,
    private readonly oracle: OracleSession,
    private readonly runner: KernelRunner,
  ) {
    this.baseline = startedLate(() => runner.start(task.baseline));
    this.file = inFolder(task.specFolder, task.spec.file);
  }

  /** Begins the runs of a candidate. */
  start(tree: SourceTree): KernelSession {
    return this.runner.start(tree);
  }

  /** Runs a case with new inputs and judges it. */
  async run(planned: PlannedCase, session: KernelSession, manner: Manner): Promise<CaseOutcome> {
    const { signal } = manner;
    const expected = await this.prepare(planned, signal);
    if (!expected.ok) return { kind: "no-reference", failed: expected.problem };
    const prepared = expected.value;
    try {
      const run = await this.timed(session, { ...manner, shape: planned.shape, inputs: prepared.inputs });
      if (run.kind !== "ran") return { kind: "failed", failed: run };
      return { kind: "judged", checked: await this.judge({ planned, prepared, session, signal }, run), run };
    } finally {
      await this.oracle.forget(prepared);
    }
  }

  /** A run of a shape that has been run before has so many times as long as the longest took. */
  private async timed(session: KernelSession, request: RunRequest): ReturnType<KernelSession["run"]> {
    const longest = this.longest.get(request.shape);
    const limitSeconds = longest === undefined ? undefined : Math.max(leastSeconds, longest * patience);
    const started = performance.now();
    const run = await session.run({ ...request, ...(limitSeconds !== undefined && { limitSeconds }) });
    const seconds = (performance.now() - started) / 1000;
    if (run.kind === "ran") this.longest.set(request.shape, Math.max(longest ?? 0, seconds));
    return run;
  }

  /** A case with new inputs and its expected values. */
  async prepare(planned: PlannedCase, signal: AbortSignal): Promise<Outcome<OracleCase, FailedRun>> {
    const made = await this.oracle.make(planned.shape, planned.variant, signal);
    const failed = await this.expectBaseline(made, planned, signal);
    if (failed === undefined) return succeed(made);
    await this.oracle.forget(made);
    return fail(failed);
  }

  /**
   * With the reference `baseline` the expected values come from a run of the baseline; gives the run
   * where it failed.
   */
  async expectBaseline(
    made: OracleCase,
    { shape, variant }: PlannedCase,
    signal: AbortSignal,
  ): Promise<FailedRun | undefined> {
    if (this.task.spec.reference.kind !== "baseline") return undefined;
    const run = await this.runBaseline(shape, made.inputs, signal);
    if (run.kind !== "ran") return run;
    if (variant === "declared" && differsFromRecording(shape, run.outputs)) this.differing.add(shape);
    await this.oracle.expect(made, run.outputs, signal);
    return undefined;
  }

  /** Runs the baseline, without looking at how. */
  runBaseline(
    shape: ResolvedShape,
    inputs: readonly Uint8Array[],
    signal: AbortSignal,
  ): ReturnType<KernelSession["run"]> {
    return this.baseline.run({ shape, inputs, counters: false, detectors: false, signal });
  }

  /** Runs the baseline with new inputs. */
  async runBaselineOn(
    { shape, variant }: PlannedCase,
    signal: AbortSignal,
  ): ReturnType<KernelSession["run"]> {
    const made = await this.oracle.make(shape, variant, signal);
    try {
      return await this.runBaseline(shape, made.inputs, signal);
    } finally {
      await this.oracle.forget(made);
    }
  }

  private async judge(ran: RunCase, run: Ran): Promise<CheckedCase> {
    const { planned, prepared, session, signal } = ran;
    const { shape, variant } = planned;
    const judgement = await this.oracle.judge(prepared, run.outputs, signal);
    const findings = [
      ...run.findings,
      ...(await this.neverWritten(ran, run)),
      ...(await hostComputed({
        run,
        before: async () => {
          const before = await this.runBaseline(shape, prepared.inputs, signal);
          return before.kind === "ran" ? before : undefined;
        },
        again: async () => {
          const other = await this.runOnOthers(planned, session, { signal });
          return other.kind === "ran" ? other.hostWritten : undefined;
        },
        outputs: shape.outputs,
        inputs: prepared.inputs,
        isRight: async (outputs) => (await this.oracle.judge(prepared, outputs, signal)).passed,
        file: this.file,
      })),
    ];
    const { passed, tolerance, mismatch } = judgement;
    const remarks = [...run.remarks, ...(this.differing.has(shape) ? [notReplayed] : [])];
    const verdict = {
      shape: shape.shape,
      inputs: variant,
      passed: passed && findings.length === 0,
      tolerance,
      findings,
      ...(remarks.length > 0 ? { remarks } : {}),
    };
    if (mismatch === undefined) return verdict;
    const writer = await this.writerOf(ran, mismatch);
    return { ...verdict, mismatch: { ...mismatch, ...(writer && { writer }) } };
  }

  /** Who wrote the first wrong value, by a run that is watched; undefined where that cannot be told. */
  private async writerOf(
    { planned: { shape }, prepared, session, signal }: RunCase,
    { output, index }: Mismatch,
  ): Promise<ValueWriter | undefined> {
    if (session.tellsWriters !== true) return undefined;
    const position = shape.outputs.findIndex(({ name }) => name === output);
    const tensor = at(shape.outputs, position);
    const element = index.reduce((sum, each, axis) => sum * at(tensor.shape, axis) + each, 0);
    const watched = { output: position, element };
    const { inputs } = prepared;
    const run = await session.run({ shape, inputs, counters: false, detectors: false, watched, signal });
    return run.kind === "ran" ? run.writer : undefined;
  }

  /** Runs a session with inputs of another seed, without looking at how. */
  async runOnOthers(
    { shape }: PlannedCase,
    session: KernelSession,
    manner: Pick<RunRequest, "withheld" | "limitSeconds" | "signal">,
  ): ReturnType<KernelSession["run"]> {
    const other = await this.oracle.make(shape, "declared", manner.signal);
    try {
      const { inputs } = other;
      return await session.run({ ...manner, shape, inputs, counters: false, detectors: false });
    } finally {
      await this.oracle.forget(other);
    }
  }

  /**
   * Outputs that the kernel left unwritten in part. What holds the pattern that outputs were filled with may
   * hold it as a result: then the case is run once more over another pattern, and has to end the same way.
   */
  private async neverWritten(
    { planned: { shape }, prepared, session, signal }: RunCase,
    run: Ran,
  ): Promise<readonly Finding[]> {
    const contents = ({ outputs }: Ran, position: number): Uint8Array =>
      outputs[position] ?? new Uint8Array();
    if (!shape.outputs.some((output, position) => maybeUnwritten(output, contents(run, position)))) return [];
    const again = await session.run({
      shape,
      inputs: prepared.inputs,
      counters: false,
      detectors: false,
      fill: "second",
      signal,
    });
    // A run that ends otherwise over other contents has looked at what it should have written.
    if (again.kind !== "ran") return [dependsOnOutput(`the run fails (${whyNot(again)})`, this.file)];
    const left = shape.outputs.flatMap((output, position) =>
      unwritten(output, { first: contents(run, position), second: contents(again, position) }, this.file),
    );
    if (left.length > 0) return left;
    const first = await this.oracle.judge(prepared, run.outputs, signal);
    const second = await this.oracle.judge(prepared, again.outputs, signal);
    return first.passed && !second.passed ? [dependsOnOutput("other values come out", this.file)] : [];
  }
}

/** A fault of a kernel whose results change with what its outputs held before. */
function dependsOnOutput(what: string, file: string): Finding {
  return {
    kind: "depends-on-output",
    file,
    line: 0,
    message: `where an output holds other bytes before the launch, ${what}: it is read before it is written`,
  };
}
