import type { SourceTree } from "../../../core/judge/candidate";
import type { LaunchSpec } from "../../../core/workload/spec";
import { OperationalError } from "../../../core/base/operational-error";
import type { CodeOutcome, CompileOutcome, EvaluationTask } from "../../../core/ports/evaluator";
import type { LaunchShapes, SourceLaunchShape } from "../../../core/ports/launch-shapes";
import { choiceOf, chooseEntry } from "./choose-entry";
import { inputFindings, outputsOf } from "./buffers";
import { codeOf, type CompiledEntry, type CompiledModule } from "../compile/compiled-module";
import type { CudaCompiler, CudaSource } from "../compile/cuda-compiler";
import { addedReaders, refusedReader } from "../compile/include-rule";
import type { KernelRunner, KernelSession, RunOutcome, RunRequest } from "./kernel-runner";
import { jobArguments, placeBuffers, type Placed, watchedByte } from "./job-arguments";
import { launchClassOf, launchShape, mainOf, ownLaunchShape } from "../gpu/launch-shape";
import { refusedLaunch } from "../gpu/refused-launch";
import { modelsOf, totalsOf, type LaunchJob, type LaunchResult, type VirtualGpu } from "../gpu/virtual-gpu";

/** Limits of the stages, in seconds. */
export interface StageLimits {
  readonly compileSeconds: number;
  readonly runSeconds: number;
}

interface CudaRunnerOptions {
  readonly task: EvaluationTask;
  readonly launch: LaunchSpec;
  readonly compiler: CudaCompiler;
  readonly virtualGpu: VirtualGpu;
  readonly launchShapes: LaunchShapes;
  readonly limits: StageLimits;
}

type CompiledCuda = Extract<CompiledModule, { kind: "compiled" }>;

/** A kernel of a compiled module and the shape of its launch. */
interface PlannedLaunch {
  readonly kind: "planned";
  readonly compiled: CompiledCuda;
  readonly entry: CompiledEntry;
  readonly shape: SourceLaunchShape;
  /** The candidate states the launch, not the spec. */
  readonly isOwn: boolean;
  /** That it was chosen among several. */
  readonly remark: string | undefined;
}

const unseenHostCode: Extract<RunOutcome, { kind: "refused" }> = {
  kind: "refused",
  reason:
    "the candidate changes host code, which this workload does not run: its spec states the launches. Change the kernel alone; or judge the host function that launches it, as the spec's entry",
};

/** Kernels that the spec launches directly: compiled by nvcc, launched on the virtual GPU. */
export class CudaRunner implements KernelRunner {
  readonly protections = ["no-host-code"];
  private readonly main: string;

  constructor(private readonly options: CudaRunnerOptions) {
    this.main = mainOf(options.task);
  }

  async compile(tree: SourceTree, signal: AbortSignal): Promise<CompileOutcome> {
    const compiled = await this.module(tree, signal);
    if (compiled.kind !== "compiled") return compiled;
    return {
      kind: "compiled",
      facts: compiled.entries.map((entry) => entry.facts),
      diagnostics: compiled.diagnostics,
    };
  }

  async code(tree: SourceTree, signal: AbortSignal): Promise<CodeOutcome> {
    const compiled = await this.module(tree, signal);
    return compiled.kind === "compiled" ? codeOf(compiled) : compiled;
  }

  /** A kernel that is launched directly keeps nothing between its runs. */
  start(tree: SourceTree): KernelSession {
    return {
      tellsWriters: true,
      run: (request) => this.run(tree, request),
      close: () => Promise.resolve(),
    };
  }

  /** Nothing is held: modules are the compiler's, which other tasks share. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /** What a run of a candidate launches, or the run that says why it launches nothing. */
  async plan(
    tree: SourceTree,
    request: Pick<RunRequest, "shape" | "signal">,
  ): Promise<PlannedLaunch | Exclude<RunOutcome, { kind: "ran" }>> {
    const { launch, compiler, task } = this.options;
    // A launch that the spec states is made without the host code: what a candidate changes there is not
    // seen.
    const isStated = launch.grid !== undefined && launch.block !== undefined;
    const own = await ownLaunchShape(this.options, tree, request.shape);
    if (isStated && (await compiler.changesHostCode(task.baseline, own?.others ?? tree)))
      return unseenHostCode;
    const compiled = await this.module(tree, request.signal);
    if (compiled.kind === "did-not-compile") return compiled;
    if (compiled.kind === "timed-out")
      return { kind: "timed-out", stage: "compile", limitSeconds: compiled.limitSeconds };
    const shape = own?.shape ?? (await launchShape(this.options, tree, request.shape));
    if (!shape.ok) return { kind: "did-not-run", reason: shape.problem, findings: [] };
    const chosen = chooseEntry(compiled.entries, choiceOf(task.spec, launch, shape.value));
    if (!chosen.ok) return { kind: "did-not-run", reason: chosen.problem, findings: [] };
    const { entry, remark } = chosen.value;
    const refused = refusedLaunch({
      ...shape.value,
      ...(isStated ? {} : { texts: { ...task.baseline, ...tree } }),
      ...{ architecture: task.target.architecture, facts: entry.facts, file: this.main },
    });
    if (refused !== undefined) return refused;
    return { kind: "planned", compiled, entry, shape: shape.value, isOwn: own !== undefined, remark };
  }

  private async run(tree: SourceTree, request: RunRequest): Promise<RunOutcome> {
    const { task } = this.options;
    const planned = await this.plan(tree, request);
    if (planned.kind !== "planned") return planned;
    const { compiled, entry, shape, isOwn, remark } = planned;
    const placed = placeBuffers(request, this.options.launch.symbols ?? []);
    const job = this.job(request, placed, { compiled, entry, shape, isOwn });
    const result = await this.options.virtualGpu.launch(job, {
      signal: request.signal,
      limitSeconds: limitOf(request, this.options.limits),
    });
    if (result.kind !== "done") return notDone(result);
    const profile = {
      blocks: product(job.grid),
      threadsPerBlock: product(job.block),
      registersPerThread: entry.facts.registers,
      sharedBytes: entry.facts.sharedBytes + job.dynamicSharedBytes,
      footprintBytes: placed.buffers.reduce((sum, buffer) => sum + buffer.bytes.byteLength, 0),
    };
    const at = { shape: profile, grid: job.grid };
    const code = { shape: profile, cubin: compiled.cubin };
    const counters = result.counters && totalsOf({ ...result, counters: result.counters }, at, task);
    return {
      kind: "ran",
      outputs: outputsOf(request, placed.index, result.buffers),
      findings: [...result.findings, ...inputFindings(request, placed.index, result.buffers, this.main)],
      remarks: [remark, ...(result.remarks ?? [])].filter((each) => each !== undefined),
      counters: result.counters,
      ...modelsOf(result, { request, kernel: entry.symbol, ...code }, task),
      launches: counters === undefined ? [] : [{ counters, ...profile }],
      facts: [{ ...entry.facts, threadsPerBlock: profile.threadsPerBlock }],
      hostWritten: [],
      ...(result.heap && { heap: result.heap }),
      ...(request.watched && { writer: result.writer ?? "nobody" }),
      ...(result.proof && { lookedAt: [result.proof] }),
    };
  }

  private async module(tree: SourceTree, signal: AbortSignal): Promise<CompiledModule> {
    const { compiler, task } = this.options;
    const added = addedReaders(task.baseline, tree);
    const source = {
      files: { ...task.baseline, ...tree },
      main: this.main,
      ...(task.build === undefined ? {} : { build: task.build }),
      architecture: task.target.architecture,
    };
    const hostCode = await this.hostCodeFor(tree, source, signal);
    if (added.length === 0) return compiler.compile({ ...source, hostCode, origin: "user" }, signal);
    try {
      return await compiler.compile({ ...source, hostCode, origin: "candidate" }, signal);
    } catch (thrown) {
      if (!(thrown instanceof OperationalError) || thrown.code !== "walls-missing") throw thrown;
      return { kind: "did-not-compile", diagnostics: [refusedReader(added, this.main)] };
    }
  }

  /** A candidate's host code may be left out only where its baseline's is: else it has to compile. */
  private async hostCodeFor(
    tree: SourceTree,
    source: Omit<CudaSource, "origin">,
    signal: AbortSignal,
  ): Promise<CudaSource["hostCode"]> {
    const { compiler, task } = this.options;
    if (Object.entries(tree).every(([path, text]) => task.baseline[path] === text)) return undefined;
    const baseline = await compiler.compile({ ...source, files: task.baseline, origin: "user" }, signal);
    return baseline.kind === "compiled" ? (baseline.hostCode ?? "compiled") : "compiled";
  }

  private contents(request: RunRequest): readonly Uint8Array[] {
    return placeBuffers(request, this.options.launch.symbols ?? []).buffers.map(({ bytes }) => bytes);
  }

  private job(
    request: RunRequest,
    placed: Placed,
    how: Pick<PlannedLaunch, "compiled" | "entry" | "shape" | "isOwn">,
  ): LaunchJob {
    const { compiled, entry, shape, isOwn } = how;
    const { grid: _grid, block: _block, sharedBytes: _sharedBytes, ...unstated } = this.options.launch;
    const passed = jobArguments(this.options.launch.arguments, placed, request.shape);
    const classed = isOwn ? { ...this.options, launch: unstated } : this.options;
    return {
      ptx: compiled.ptx,
      entry: entry.symbol,
      grid: shape.grid,
      block: shape.block,
      dynamicSharedBytes: shape.sharedBytes,
      counters: request.counters,
      executed: request.model !== undefined,
      ...(request.sampled && { sampled: true }),
      detectors: request.detectors,
      ...(request.proof === true && { proof: launchClassOf(classed, shape) }),
      ...(request.order && { order: request.order }),
      ...(request.arithmetic && { arithmetic: request.arithmetic }),
      ...(request.watched && { watched: watchedByte(request, placed) }),
      ...(request.earlier && { earlier: this.contents({ ...request, inputs: request.earlier }) }),
      buffers: [...placed.buffers, ...passed.tables],
      arguments: passed.arguments,
    };
  }
}

/** Seconds that a run may take. */
function limitOf({ limitSeconds = Infinity }: RunRequest, { runSeconds }: StageLimits): number {
  return Math.min(runSeconds, limitSeconds);
}

/** The run that a launch which did not complete makes. */
function notDone(result: Exclude<LaunchResult, { kind: "done" }>): RunOutcome {
  if (result.kind === "refused") return result;
  if (result.kind === "faulted")
    return {
      ...{ kind: "did-not-run", reason: result.reason, findings: result.findings },
      ...(result.proof && { lookedAt: [result.proof] }),
    };
  return { kind: "timed-out", stage: "run", limitSeconds: result.limitSeconds };
}

/** The dtypes of a kernel's inputs and outputs. */
function product(sizes: readonly number[]): number {
  return sizes.reduce((result, size) => result * size, 1);
}
