import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import type { ToolRun } from "../../../core/hardware/measurement";
import { at } from "../../../core/base/known";
import type { SourceTree } from "../../../core/judge/candidate";
import type { CheckedCase } from "../../../core/judge/verdict";
import type { CheckOutcome, CheckRequest, CompileOutcome, Evaluation } from "../../../core/ports/evaluator";
import {
  planCases,
  pricedShape,
  type ResolvedShape,
  resolveShape,
  weighedShapes,
} from "../evaluation/case-shapes";
import { outcomeOf } from "../evaluation/failed-run";
import type { GpuRuntime } from "./gpu-runtime";
import { type KeptErrors, withModelError } from "./model-errors/with-model-error";
import type { HardwareCalls } from "./hardware-calls";
import type { HardwarePair } from "./hardware-cases";
import { closePair, HardwarePairs, type PairOptions } from "./hardware-pairs";
import type { CallProblem } from "./secret-comparisons";
import { type FoundKind, kindOf, measurementOf, type Timed, timeShapes } from "./hardware-timing";

interface HardwareEvaluationOptions extends PairOptions {
  /** The check on the virtual GPU: what it finds wrong never reaches the GPU. */
  readonly inner: Evaluation;
  readonly runtime: GpuRuntime;
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
  /** The one that is timed, where that is none of the shapes. */
  private readonly priced: readonly ResolvedShape[];
  private readonly pairs: HardwarePairs;

  constructor(private readonly options: HardwareEvaluationOptions) {
    this.challenge = async (request) =>
      (await options.inner.challenge?.(request)) ?? {
        kind: "void",
        reason: "this target takes no further cases",
      };
    this.pairs = new HardwarePairs(options);
    const { spec } = options.task;
    this.shapes = spec.shapes.map((shape) => resolveShape(spec, shape));
    this.priced = [pricedShape(spec)].flatMap((shape) => shape ?? []);
  }

  compile(tree: SourceTree, signal: AbortSignal): Promise<CompileOutcome> {
    return this.options.inner.compile(tree, signal);
  }

  code(tree: SourceTree, signal: AbortSignal): ReturnType<Evaluation["code"]> {
    return this.options.inner.code(tree, signal);
  }

  async check(request: CheckRequest): Promise<CheckOutcome> {
    const { inner } = this.options;
    this.pairs.prepare(request);
    const outcome = await inner.check(request);
    if (outcome.kind !== "checked" || !allPassed(outcome.cases)) return outcome;
    // Nobody waits for the GPU while compilers run and processes start.
    const pair = await this.pairs.started(request);
    if (!pair.ok) return withProblem(outcome, { kind: "failed", failed: pair.problem });
    try {
      const claim = await this.options.runtime.claim(request.signal);
      const given = this.pairs.held.begin();
      try {
        return await this.onGpu(outcome, request, pair.value);
      } finally {
        given();
        await claim.release();
      }
    } finally {
      await closePair(pair.value);
    }
  }

  gpuMicroseconds(): number {
    return this.pairs.held.microseconds;
  }

  async close(): Promise<void> {
    await this.options.sessions.close();
    await this.options.inner.close();
  }

  /** The cases on the GPU come after those on the virtual GPU. */
  private async onGpu(outcome: Checked, request: CheckRequest, pair: HardwarePair): Promise<CheckOutcome> {
    const { runtime } = this.options;
    const { signal } = request;
    // Our own processes are not on the GPU yet.
    const [before, beside] = await Promise.all([runtime.state(signal), runtime.beside(signal)]);
    const first = await this.pairs.using<FirstPass>(pair, signal, async (calls) => {
      const priced = this.priced.map((shape) => ({ shape, variant: "declared" as const }));
      const cases = await calls.check([...planCases(this.shapes, request.tier), ...priced]);
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
    const kind = await this.confirmed(timed, request, pair);
    if (!kind.ok) return withProblem(judged, kind.problem);
    const after = await runtime.state(signal);
    const told = [...beside, ...notes];
    const timings = measurementOf(this.options, { before, after, timed, notes: told, kind: kind.value });
    const { modelErrors: errors, task } = this.options;
    const kept = { errors, kernel: task.spec.kernel, architecture: task.target.architecture };
    // Times that others may have drawn out say nothing of the model.
    const measured = beside.length === 0 ? await withModelError(timings, outcome, kept) : timings;
    if (request.tools !== true) return { ...judged, measured };
    const shape = this.priced[0] ?? at(planCases(this.shapes, "quick"), 0).shape;
    const asked = { runtime, shape, signal };
    const toolRuns = await this.pairs.with(request, (calls) => toolRunsOf(calls, asked));
    if (!toolRuns.ok) return withProblem(judged, toolRuns.problem);
    return { ...judged, measured, toolRuns: toolRuns.value };
  }

  private time(calls: HardwareCalls, request: CheckRequest): Promise<Outcome<Timed, CallProblem>> {
    const compares = !this.pairs.isAlone(request);
    const shapes = this.priced.length > 0 ? this.priced : weighedShapes(this.shapes);
    return timeShapes(calls, { shapes, tier: request.tier, compares });
  }

  /** A win of the full tier counts when fresh processes with another plan find it too. */
  private async confirmed(
    first: Timed,
    request: CheckRequest,
    pair: HardwarePair,
  ): Promise<Outcome<FoundKind | undefined, CallProblem>> {
    if (this.pairs.isAlone(request)) return succeed(undefined);
    const found = kindOf(first, first);
    if (request.tier === "quick" || found !== "faster") return succeed(found);
    await closePair(pair);
    const fresh = await this.pairs.with(request, (calls) => this.time(calls, request));
    return fresh.ok ? succeed(kindOf(first, fresh.value)) : fresh;
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
