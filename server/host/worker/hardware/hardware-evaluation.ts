import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { MeasuredComparison } from "../../../core/hardware/measured-comparison";
import type { Measurement, ToolRun } from "../../../core/hardware/measurement";
import { at } from "../../../core/base/known";
import { type SourceTree, treeKey } from "../../../core/judge/candidate";
import type { CheckedCase } from "../../../core/judge/verdict";
import type {
  CheckOutcome,
  CheckRequest,
  CompileOutcome,
  Evaluation,
  EvaluationTask,
} from "../../../core/ports/evaluator";
import { planCases, type ResolvedShape, resolveShape, weighedShapes } from "../evaluation/case-shapes";
import { type FailedRun, outcomeOf } from "../evaluation/failed-run";
import type { OracleSession } from "../evaluation/oracle-session";
import type { GpuRuntime } from "./gpu-runtime";
import { type KeptErrors, withModelError } from "./model-errors/with-model-error";
import { type CallProblem, HardwareCalls, type HardwarePair } from "./hardware-calls";
import type { HardwareSessions } from "./hardware-sessions";
import { kindOf, type Timed, timeShapes } from "./hardware-timing";

interface HardwareEvaluationOptions {
  /** The check on the virtual GPU: what it finds wrong never reaches the GPU. */
  readonly inner: Evaluation;
  readonly task: EvaluationTask;
  readonly oracle: OracleSession;
  readonly runtime: GpuRuntime;
  readonly sessions: HardwareSessions;
  readonly limitSeconds: number;
  /** Where it is kept how far the model was off; nowhere when left out. */
  readonly modelErrors: KeptErrors | undefined;
}

/** The cases on the GPU and, where all of them passed, the times. */
interface FirstPass {
  readonly cases: readonly CheckedCase[];
  readonly timed?: Timed;
  /** What belongs to them, in sentences. */
  readonly notes: readonly string[];
}

type Checked = Extract<CheckOutcome, { kind: "checked" }>;

/** Candidates that the virtual GPU found correct are run on a GPU with every case, and timed there. */
export class HardwareEvaluation implements Evaluation {
  /** On the virtual GPU alone: it is about right and wrong, not about time. */
  readonly challenge: NonNullable<Evaluation["challenge"]>;
  private readonly shapes: readonly ResolvedShape[];

  constructor(private readonly options: HardwareEvaluationOptions) {
    this.challenge = async (request) =>
      (await options.inner.challenge?.(request)) ?? {
        kind: "void",
        reason: "this target takes no further cases",
      };
    const { spec } = options.task;
    this.shapes = spec.shapes.map((shape) => resolveShape(spec, shape));
  }

  compile(tree: SourceTree, signal: AbortSignal): Promise<CompileOutcome> {
    return this.options.inner.compile(tree, signal);
  }

  code(tree: SourceTree, signal: AbortSignal): ReturnType<Evaluation["code"]> {
    return this.options.inner.code(tree, signal);
  }

  async check(request: CheckRequest): Promise<CheckOutcome> {
    const outcome = await this.options.inner.check(request);
    if (outcome.kind !== "checked" || !allPassed(outcome.cases)) return outcome;
    const claim = await this.options.runtime.claim(request.signal);
    try {
      return await this.onGpu(outcome, request);
    } finally {
      await claim.release();
    }
  }

  close(): Promise<void> {
    return this.options.inner.close();
  }

  /** The cases on the GPU come after those on the virtual GPU. */
  private async onGpu(outcome: Checked, request: CheckRequest): Promise<CheckOutcome> {
    const { runtime } = this.options;
    const before = await runtime.state(request.signal);
    const beside = await runtime.beside(request.signal);
    const first = await this.withPair<FirstPass>(request, async (calls) => {
      const cases = await this.checkCases(calls, request);
      if (!cases.ok) return fail({ kind: "failed" as const, failed: cases.problem });
      if (!allPassed(cases.value)) return succeed({ cases: cases.value, notes: [] });
      const timed = await this.time(calls, request);
      if (!timed.ok) return timed;
      return succeed({ cases: cases.value, timed: timed.value, notes: calls.notes });
    });
    if (!first.ok) return withProblem(outcome, first.problem);
    const judged = { ...outcome, cases: [...outcome.cases, ...first.value.cases] };
    const { timed, notes } = first.value;
    if (timed === undefined) return judged;
    const kind = await this.confirmed(timed, request);
    if (!kind.ok) return withProblem(judged, kind.problem);
    const after = await runtime.state(request.signal);
    const told = [...beside, ...notes];
    const timings = this.measurement({ before, after, timed, notes: told, kind: kind.value });
    const kept = { errors: this.options.modelErrors, kernel: this.options.task.spec.kernel };
    // Times that others may have drawn out say nothing of the model.
    const measured = beside.length === 0 ? await withModelError(timings, outcome, kept) : timings;
    if (request.tools !== true) return { ...judged, measured };
    const asked = { runtime, shape: at(planCases(this.shapes, "quick"), 0).shape, signal: request.signal };
    const toolRuns = await this.withPair(request, (calls) => toolRunsOf(calls, asked));
    if (!toolRuns.ok) return withProblem(judged, toolRuns.problem);
    return { ...judged, measured, toolRuns: toolRuns.value };
  }

  private async checkCases(
    calls: HardwareCalls,
    { tier }: CheckRequest,
  ): Promise<Outcome<readonly CheckedCase[], FailedRun>> {
    const cases: CheckedCase[] = [];
    for (const planned of planCases(this.shapes, tier)) {
      const checked = await calls.check(planned);
      if (!checked.ok) return checked;
      cases.push(checked.value);
      if (!checked.value.passed) break;
    }
    return succeed(cases);
  }

  private time(calls: HardwareCalls, request: CheckRequest): Promise<Outcome<Timed, CallProblem>> {
    const compares = !this.isBaseline(request.tree);
    return timeShapes(calls, { shapes: weighedShapes(this.shapes), tier: request.tier, compares });
  }

  /** A win of the full tier counts when fresh processes with another plan find it too. */
  private async confirmed(
    first: Timed,
    request: CheckRequest,
  ): Promise<Outcome<MeasuredComparison["kind"] | undefined, CallProblem>> {
    if (this.isBaseline(request.tree)) return succeed(undefined);
    const found = kindOf(first, first);
    if (request.tier === "quick" || found !== "faster") return succeed(found);
    const fresh = await this.withPair(request, (calls) => this.time(calls, request));
    return fresh.ok ? succeed(kindOf(first, fresh.value)) : fresh;
  }

  private async withPair<Value>(
    { tree, signal }: CheckRequest,
    use: (calls: HardwareCalls) => Promise<Outcome<Value, CallProblem>>,
  ): Promise<Outcome<Value, CallProblem>> {
    const { sessions, task } = this.options;
    const baseline = await sessions.start(task.baseline, signal);
    if (!baseline.ok) return fail({ kind: "failed", failed: baseline.problem });
    try {
      if (this.isBaseline(tree)) return await this.using({ baseline: baseline.value }, signal, use);
      const candidate = await sessions.start(tree, signal);
      if (!candidate.ok) return fail({ kind: "failed", failed: candidate.problem });
      try {
        return await this.using({ baseline: baseline.value, candidate: candidate.value }, signal, use);
      } finally {
        await candidate.value.close();
      }
    } finally {
      await baseline.value.close();
    }
  }

  private async using<Value>(
    pair: HardwarePair,
    signal: AbortSignal,
    use: (calls: HardwareCalls) => Promise<Outcome<Value, CallProblem>>,
  ): Promise<Outcome<Value, CallProblem>> {
    const calls = new HardwareCalls({ ...this.options, pair, signal });
    try {
      return await use(calls);
    } finally {
      await calls.close();
    }
  }

  private measurement({
    before,
    after,
    timed,
    notes,
    kind,
  }: Pick<Measurement, "before" | "after"> & {
    readonly timed: Timed;
    readonly notes: readonly string[];
    readonly kind: MeasuredComparison["kind"] | undefined;
  }): Measurement {
    const { runtime, sessions } = this.options;
    return {
      origin: "measured",
      before,
      after,
      shapes: timed.shapes,
      ...(kind && { kind }),
      protections: runtime.protections,
      remarks: [
        ...sessions.remarks,
        ...notes,
        ...(timed.shapes.every(({ isSteady }) => isSteady)
          ? []
          : ["The clock did not settle before the first timed call."]),
        ...(after.heldBack.length === 0
          ? []
          : [`While it was timed the clock was held back by ${after.heldBack.join(", ")}.`]),
      ],
    };
  }

  private isBaseline(tree: SourceTree): boolean {
    const { baseline } = this.options.task;
    return treeKey({ ...baseline, ...tree }) === treeKey(baseline);
  }
}

/** What NVIDIA's tools say of one call on a shape. */
async function toolRunsOf(
  calls: HardwareCalls,
  { runtime, shape, signal }: Asked,
): Promise<Outcome<readonly ToolRun[], CallProblem>> {
  const recording = await calls.recording(shape);
  if (!recording.ok) return fail({ kind: "failed", failed: recording.problem });
  return succeed(await runtime.tools(recording.value, signal));
}

interface Asked {
  readonly runtime: GpuRuntime;
  readonly shape: ResolvedShape;
  readonly signal: AbortSignal;
}

function allPassed(cases: readonly CheckedCase[]): boolean {
  return cases.every(({ passed }) => passed);
}

function withProblem(outcome: Checked, problem: CallProblem): CheckOutcome {
  if (problem.kind === "failed") return outcomeOf(problem.failed);
  return { ...outcome, cases: [...outcome.cases, problem.checked] };
}
