import { OperationalError } from "../../../core/base/operational-error";
import { invariant } from "../../../core/base/assert";
import { at } from "../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { modelledBound, weighedBound } from "../../../core/timing/bound";
import type { SourceTree } from "../../../core/judge/candidate";
import { defaultGpu } from "../../../core/timing/gpu-model";
import type { CheckedCase, CompiledFacts, Finding } from "../../../core/judge/verdict";
import type {
  CheckOutcome,
  CheckRequest,
  CompileOutcome,
  Evaluation,
  EvaluationTask,
} from "../../../core/ports/evaluator";
import { maybeUnwritten, unwritten } from "./buffers";
import { hostComputed } from "../entry/host-work";
import {
  differsFromRecording,
  planCases,
  type PlannedCase,
  resolveShape,
  type ResolvedShape,
  weighedShapes,
} from "./case-shapes";
import { type FailedRun, isUnfit, outcomeOf, withoutReference } from "./failed-run";
import type { KernelRunner, KernelSession, RunOutcome, RunRequest } from "./kernel-runner";
import { inFolder, type OracleCase, type OracleSession } from "./oracle-session";

type Ran = Extract<RunOutcome, { kind: "ran" }>;

/** What came of one case. `unprepared`: the baseline, which is the reference, gave no expected values. */
type CaseResult =
  | { readonly kind: "judged"; readonly run: Ran; readonly checked: CheckedCase }
  | { readonly kind: "unprepared" | "failed"; readonly failed: FailedRun };

/** A session that begins with its first run. */
function startedLate(start: () => KernelSession): KernelSession {
  let session: KernelSession | undefined;
  return {
    run: (request) => (session ??= start()).run(request),
    close: async () => session?.close(),
  };
}

/** A planned case with its inputs, and the session that runs it. */
interface RunCase {
  readonly planned: PlannedCase;
  readonly prepared: OracleCase;
  readonly session: KernelSession;
  readonly signal: AbortSignal;
}

const notReplayed =
  "the recorded launch, run alone, leaves other contents than in its program: it depends on something that is not among its arguments, or on the order of its threads";

/** The judge of one task: the oracle and the runner of its dialect, brought together case by case. */
export class TaskEvaluation implements Evaluation {
  private readonly shapes: readonly ResolvedShape[];
  /** Runs the baseline, for all cases: it is the user's own, and nobody's candidate. */
  private readonly baseline: KernelSession;
  /** Recorded shapes where the baseline alone leaves other contents than it did in its program. */
  private readonly differing = new Set<ResolvedShape>();

  /** Throws `spec-invalid` for shapes that cannot be. */
  constructor(
    private readonly task: EvaluationTask,
    private readonly oracle: OracleSession,
    private readonly runner: KernelRunner,
  ) {
    this.baseline = startedLate(() => runner.start(task.baseline));
    this.shapes = task.spec.shapes.map((shape) => resolveShape(task.spec, shape));
    if (!this.shapes.some(({ shape }) => shape.heldOut !== true))
      throw new OperationalError("spec-invalid", {
        forUser: "kernel spec: at least one shape must not be held out",
      });
  }

  /**
   * Refuses, with `spec-invalid`, a task that an output would pass which was not computed from the inputs:
   * zeros, a constant, an input handed through, the output for other or for shuffled inputs. A kernel that is
   * its own reference and cannot be run is left to its check.
   */
  async register(signal: AbortSignal): Promise<void> {
    // A recording is always the same, and may be one value: its variant tells more.
    const first = planCases(this.shapes, "quick")[1];
    invariant(first, "a task has a shape that is not held out");
    const [made, again] = [await this.prepare(first, signal), await this.prepare(first, signal)];
    if (!made.ok || !again.ok) return;
    const [one, other] = [made.value, again.value];
    // What a program recorded of whole numbers alone may be indices: it cannot be varied.
    if (one.inputs.every((bytes, index) => Buffer.compare(bytes, other.inputs[index] ?? bytes) === 0)) return;
    const permuted = await this.oracle.vary(one, signal);
    if ((await this.expectBaseline(permuted, first, signal)) !== undefined) return;
    const passing = await this.oracle.passingTrivially({ case: one, other, permuted }, signal);
    for (const each of [one, other, permuted]) await this.oracle.forget(each);
    if (passing.length === 0) return;
    const { shape } = first;
    const own = await this.baseline.run({
      shape,
      inputs: one.inputs,
      counters: false,
      detectors: true,
      signal,
    });
    // What a faulty kernel leaves says nothing of the task: its check tells what is wrong with it.
    if (this.task.spec.reference.kind === "baseline" && (own.kind !== "ran" || own.findings.length > 0))
      return;
    throw new OperationalError("spec-invalid", {
      forUser: `kernel spec of ${this.task.spec.kernel}: the check would also pass for ${passing.join("; ")}. Choose inputs, shapes or a tolerance that tell these from a right result`,
    });
  }

  compile(tree: SourceTree, signal: AbortSignal): Promise<CompileOutcome> {
    return this.runner.compile(tree, signal);
  }

  async check(request: CheckRequest): Promise<CheckOutcome> {
    const session = this.runner.start(request.tree);
    try {
      return await this.checkIn(session, request);
    } finally {
      await session.close();
    }
  }

  private async checkIn(session: KernelSession, request: CheckRequest): Promise<CheckOutcome> {
    const cases: CheckedCase[] = [];
    let profiled: Ran | undefined;
    const priced = new Map<ResolvedShape, Ran>();
    const watched = new Set<ResolvedShape>();
    for (const planned of planCases(this.shapes, request.tier)) {
      const { shape } = planned;
      const isPriced = profiled === undefined || weighedShapes(this.shapes).includes(shape);
      const counters = request.counters && isPriced && !priced.has(shape);
      const detectors = request.counters && !watched.has(shape);
      const result = await this.checkCase(session, planned, { counters, detectors, signal: request.signal });
      if (result.kind !== "judged") return notJudged(this.task, request, result);
      profiled ??= result.run;
      if (counters) priced.set(shape, result.run);
      watched.add(shape);
      cases.push(result.checked);
    }
    invariant(profiled, "a tier has at least one case");
    if (request.tier === "full") {
      const further = await this.checkConfigurations(session, profiled.configurations ?? 1, request);
      if (!Array.isArray(further)) return further;
      cases.push(...further);
    }
    return this.outcome(cases, profiled, priced);
  }

  /**
   * Each further configuration of an autotuned kernel, on the first shape: a GPU may choose any. One that
   * does not fit the GPU is left out, as an autotuner does; the first fault is the outcome.
   */
  private async checkConfigurations(
    session: KernelSession,
    configurations: number,
    request: CheckRequest,
  ): Promise<CheckedCase[] | CheckOutcome> {
    const planned = at(planCases(this.shapes, "quick"), 0);
    const how = { counters: false, detectors: request.counters, signal: request.signal };
    const cases: CheckedCase[] = [];
    const end = Math.min(configurations, mostConfigurations);
    for (let configuration = 1; configuration < end; configuration += 1) {
      const result = await this.checkCase(session, planned, { ...how, configuration });
      if (result.kind === "judged") cases.push(result.checked);
      else if (result.kind === "unprepared" || !isUnfit(result.failed))
        return notJudged(this.task, request, result);
    }
    return cases;
  }

  /** Runs one case and judges it. */
  private async checkCase(
    session: KernelSession,
    planned: PlannedCase,
    how: Pick<RunRequest, "counters" | "detectors" | "configuration" | "signal">,
  ): Promise<CaseResult> {
    const { signal } = how;
    const expected = await this.prepare(planned, signal);
    if (!expected.ok) return { kind: "unprepared", failed: expected.problem };
    const prepared = expected.value;
    try {
      const run = await session.run({ shape: planned.shape, inputs: prepared.inputs, ...how });
      if (run.kind !== "ran") return { kind: "failed", failed: run };
      const checked = await this.judge({ planned, prepared, session, signal }, run);
      return { kind: "judged", run, checked };
    } finally {
      await this.oracle.forget(prepared);
    }
  }

  async close(): Promise<void> {
    await this.baseline.close();
    await this.runner.close();
    await this.oracle.close();
  }

  private async prepare(planned: PlannedCase, signal: AbortSignal): Promise<Outcome<OracleCase, FailedRun>> {
    const made = await this.oracle.make(planned.shape, planned.variant, signal);
    const failed = await this.expectBaseline(made, planned, signal);
    if (failed === undefined) return succeed(made);
    await this.oracle.forget(made);
    return fail(failed);
  }

  /**
   * With the reference `baseline` the expected values come from a run of the baseline; gives the run where it
   * failed.
   */
  private async expectBaseline(
    made: OracleCase,
    { shape, variant }: PlannedCase,
    signal: AbortSignal,
  ): Promise<FailedRun | undefined> {
    if (this.task.spec.reference.kind !== "baseline") return undefined;
    const run = await this.runBaseline({ shape, inputs: made.inputs, signal });
    if (run.kind !== "ran") return run;
    if (variant === "declared" && differsFromRecording(shape, run.outputs)) this.differing.add(shape);
    await this.oracle.expect(made, run.outputs, signal);
    return undefined;
  }

  private runBaseline(given: Pick<RunRequest, "shape" | "inputs" | "signal">): Promise<RunOutcome> {
    return this.baseline.run({ ...given, counters: false, detectors: false });
  }

  private async judge(ran: RunCase, run: Ran): Promise<CheckedCase> {
    const { planned, prepared, signal } = ran;
    const file = inFolder(this.task.specFolder, this.task.spec.file);
    const judgement = await this.oracle.judge(prepared, run.outputs, signal);
    const findings = [
      ...run.findings,
      ...(await neverWritten(ran, run, file)),
      ...(await hostComputed({
        run,
        before: async () => {
          const { shape } = planned;
          const { inputs } = prepared;
          const original = await this.runBaseline({ shape, inputs, signal });
          return original.kind === "ran" ? original : undefined;
        },
        outputs: planned.shape.outputs,
        inputs: prepared.inputs,
        isRight: async (outputs) => (await this.oracle.judge(prepared, outputs, signal)).passed,
        file,
      })),
    ];
    const { passed, tolerance, mismatch } = judgement;
    const remarks = [...run.remarks, ...(this.differing.has(planned.shape) ? [notReplayed] : [])];
    const verdict = {
      shape: planned.shape.shape,
      inputs: planned.variant,
      passed: passed && findings.length === 0,
      tolerance,
      findings,
      ...(remarks.length > 0 ? { remarks } : {}),
    };
    return mismatch === undefined ? verdict : { ...verdict, mismatch };
  }

  private outcome(
    cases: readonly CheckedCase[],
    profiled: Ran,
    priced: ReadonlyMap<ResolvedShape, Ran>,
  ): CheckOutcome {
    const visible = planCases(this.shapes, "quick")[0];
    invariant(visible, "a task has a shape that is not held out");
    const facts: readonly CompiledFacts[] = profiled.facts;
    const checked = {
      kind: "checked" as const,
      cases,
      counters: priced.size > 0 ? profiled.counters : undefined,
      facts,
      profiledShape: visible.shape.shape,
    };
    if (priced.size === 0 || profiled.counters === undefined) return checked;
    const gpu = defaultGpu(this.task.target.architecture);
    const shapeBounds = [...priced].map(([{ shape }, ran]) => ({
      sizes: shape.sizes,
      bound: modelledBound(ran.launches, gpu, ran),
      weight: priced.size > 1 ? (shape.weight ?? 1) : 1,
    }));
    return { ...checked, bound: weighedBound(shapeBounds), shapeBounds, launches: profiled.launches };
  }
}

/** Configurations of an autotuned kernel that are judged; further ones are compiled by nobody here. */
const mostConfigurations = 32;

function notJudged(
  task: EvaluationTask,
  request: CheckRequest,
  { kind, failed }: Exclude<CaseResult, { kind: "judged" }>,
): CheckOutcome {
  return kind === "unprepared" ? withoutReference(task, request, failed) : outcomeOf(failed);
}

/**
 * Outputs that the kernel left unwritten in part. What holds the pattern that outputs were filled with may
 * hold it as a result: then the case is run once more over another pattern.
 */
async function neverWritten(
  { planned: { shape }, prepared, session, signal }: RunCase,
  run: Ran,
  file: string,
): Promise<readonly Finding[]> {
  const contents = ({ outputs }: Ran, position: number): Uint8Array => at(outputs, position);
  if (!shape.outputs.some((output, position) => maybeUnwritten(output, contents(run, position)))) return [];
  const again = await session.run({
    shape,
    inputs: prepared.inputs,
    counters: false,
    detectors: false,
    fill: "second",
    signal,
  });
  if (again.kind !== "ran") return [];
  return shape.outputs.flatMap((output, position) =>
    unwritten(output, { first: contents(run, position), second: contents(again, position) }, file),
  );
}
