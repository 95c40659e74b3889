import { type SourceTree, treeKey } from "../../../core/judge/candidate";
import type { EntrySpec, KernelSpec } from "../../../core/workload/spec";
import type { CompiledFacts, Diagnostic } from "../../../core/judge/verdict";
import type { CodeOutcome, CompileOutcome, EvaluationTask } from "../../../core/ports/evaluator";
import type { CandidatePool } from "../compile/candidate-pool";
import { type CapturedBuffer, type CapturedLaunch, type OutputPlaces, watchedByte } from "./captured-launch";
import { filledInput, resolveShape } from "../evaluation/case-shapes";
import type { StageLimits } from "../evaluation/cuda-runner";
import type { KernelRunner, KernelSession, RunOutcome, RunRequest } from "../evaluation/kernel-runner";
import { loadCandidate, type Loaded } from "../compile/triton-load";
import { candidateCode, kernelFile } from "./candidate-files";
import { TritonRun, type LaunchExecution } from "./triton-session";
import { AssembledLaunches } from "../gpu/assembled-launches";
import {
  modelsOf,
  type JobBuffer,
  type LaunchJob,
  type LaunchResult,
  type VirtualGpu,
} from "../gpu/virtual-gpu";
import type { WorkerHandle } from "../transport/worker-handle";

interface TritonRunnerOptions {
  readonly task: EvaluationTask;
  readonly entry: EntrySpec;
  readonly build: WorkerHandle;
  readonly candidates: CandidatePool;
  readonly virtualGpu: VirtualGpu;
  readonly limits: StageLimits;
  /** The user agreed to do without walls. */
  readonly withoutWalls: boolean;
}

/**
 * How many times as long as that of any version before host code may compute, and the least limit. The first
 * version has no limit but that of its run.
 */
const hostPatience = 20;
const leastHostSeconds = 25;

/**
 * Kernels behind a Python entry: Triton compiles them for the target, and each launch runs on the virtual
 * GPU.
 */
export class TritonRunner implements KernelRunner {
  private readonly assembled: AssembledLaunches;
  private readonly file: string;
  /** The most seconds of the processor that host code has used in a run that came to its end. */
  private hostSeconds: number | undefined;
  /** The process of the candidate that was compiled last. */
  private retained: { readonly key: string; readonly loading: Promise<Loaded> } | undefined;

  constructor(private readonly options: TritonRunnerOptions) {
    this.file = kernelFile(options.task);
    this.assembled = new AssembledLaunches(options, this.file);
  }

  get protections(): readonly string[] {
    return this.options.candidates.walls;
  }

  /**
   * Calls the entry once with inputs of zeros and executes none of its launches: what Triton compiles for
   * that call is what is compiled. Where zeros are nothing to do, whole numbers are ones. The process is
   * kept for the next runs of the same tree, which find the code compiled.
   */
  async compile(tree: SourceTree, signal: AbortSignal): Promise<CompileOutcome> {
    return this.compileWith(tree, { signal });
  }

  async code(tree: SourceTree, signal: AbortSignal): Promise<CodeOutcome> {
    const launched = new Map<string, CapturedLaunch>();
    const compiled = await this.compileWith(tree, {
      signal,
      onLaunch: (launch) => launched.set(launch.ptx, launch),
    });
    if (compiled.kind !== "compiled") return compiled;
    const kernels = [...launched.values()].map(async (launch) => {
      const { cubin } = await this.assembled.machineCode(launch, signal);
      const { name: symbol, ptx, stages } = launch;
      return { symbol, ptx, cubin, ...(stages !== undefined && { stages }) };
    });
    return { kind: "compiled", kernels: await Promise.all(kernels) };
  }

  /** `onLaunch` is told of each launch that the entry makes. */
  private async compileWith(
    tree: SourceTree,
    {
      signal,
      onLaunch,
    }: {
      readonly signal: AbortSignal;
      readonly onLaunch?: (launch: CapturedLaunch) => void;
    },
  ): Promise<CompileOutcome> {
    const { spec } = this.options.task;
    const shape = spec.shapes.find((each) => each.heldOut !== true) ?? spec.shapes[0];
    if (shape === undefined) return { kind: "did-not-compile", diagnostics: [] };
    const facts: CompiledFacts[] = [];
    const notes: Diagnostic[] = [];
    const execution: LaunchExecution = {
      execute: withheldLaunch,
      facts: async (launch) => {
        onLaunch?.(launch);
        const found = await this.assembled.facts(launch, signal);
        if (!("kind" in found) && !facts.includes(found)) facts.push(found);
        return found;
      },
      note: (text) =>
        notes.push({
          severity: "information",
          file: this.file,
          line: 0,
          column: 0,
          message: text,
          source: "triton",
        }),
    };
    const resolved = resolveShape(spec, shape);
    const loading = this.load(tree, signal);
    try {
      const call = (whole: number): Promise<RunOutcome> =>
        this.call(loading, execution, {
          shape: resolved,
          inputs: resolved.inputs.map((input) => filledInput(input, whole)),
          counters: false,
          detectors: false,
          ir: onLaunch !== undefined,
          signal,
        });
      const first = await call(0);
      // Host code that counts with its inputs may have nothing to launch for zeros.
      const isIdle = facts.length === 0 && first.kind === "did-not-run";
      const compiled = compileOutcome(isIdle ? await call(1) : first, { facts, notes });
      if (compiled.kind === "compiled") await this.retain(treeKey(tree), loading);
      else await end(loading);
      return compiled;
    } catch (thrown) {
      await end(loading);
      throw thrown;
    }
  }

  start(tree: SourceTree): KernelSession {
    const kept = this.retained?.key === treeKey(tree) ? this.retained.loading : undefined;
    if (kept !== undefined) this.retained = undefined;
    let loading = kept;
    const execution: LaunchExecution = {
      execute: withheldLaunch,
      facts: (launch, signal) => this.assembled.facts(launch, signal),
      models: async (launch, result, asked) => {
        if (asked.model === undefined) return [];
        const code = await this.assembled.machineCode(launch, asked.signal);
        return (
          modelsOf(result, { request: asked, kernel: launch.name, ...code }, this.options.task).models ?? []
        );
      },
      note: () => undefined,
    };
    // Buffers have the same numbers in each call: where an output lay once it lies again.
    let places: OutputPlaces = new Map();
    return {
      withholds: true,
      takesViews: true,
      holdsResults: true,
      tellsWriters: true,
      run: async (request) => {
        // A kept process may have been lost while it waited; that is no fault of the candidate.
        if (loading === undefined || (await isLost(loading))) loading = this.load(tree, request.signal);
        const watching = {
          ...execution,
          execute: this.executor(request, places),
        };
        return this.call(loading, watching, request, (found) => (places = found));
      },
      close: () => end(loading),
    };
  }

  async close(): Promise<void> {
    await end(this.retained?.loading);
    this.retained = undefined;
  }

  private async retain(key: string, loading: Promise<Loaded>): Promise<void> {
    const before = this.retained;
    this.retained = { key, loading };
    await end(before?.loading);
  }

  private async call(
    loading: Promise<Loaded>,
    execution: LaunchExecution,
    request: RunRequest,
    found: (places: OutputPlaces) => void = () => undefined,
  ): Promise<RunOutcome> {
    const { task, entry, limits } = this.options;
    const loaded = await loading;
    if (loaded.kind !== "loaded") return loaded;
    const limitSeconds = limits.compileSeconds + limits.runSeconds;
    const { connection, remarks } = loaded;
    const run = new TritonRun(
      {
        connection,
        remarks,
        execution,
        spec: task.spec,
        entry,
        file: this.file,
        limitSeconds,
        workSeconds: Math.min(limitSeconds, request.limitSeconds ?? Infinity),
        processorSeconds: this.hostLimit,
      },
      request,
    );
    const outcome = await run.call();
    if (outcome.kind !== "ran") return outcome;
    this.hostSeconds = Math.max(this.hostSeconds ?? 0, run.processorSeconds);
    found(run.places);
    // Where an output has no place among the launches' buffers, nobody knows who stores to it.
    const output = request.watched && request.shape.outputs[request.watched.output];
    const isPlaced = output !== undefined && run.places.has(output.name);
    return isPlaced ? { ...outcome, writer: outcome.writer ?? "nobody" } : outcome;
  }

  private get hostLimit(): number {
    return this.hostSeconds === undefined ? 0 : Math.max(leastHostSeconds, this.hostSeconds * hostPatience);
  }

  private load(tree: SourceTree, signal: AbortSignal): Promise<Loaded> {
    const { task, entry, candidates, limits } = this.options;
    return loadCandidate(candidates, {
      ...candidateCode(task, entry, tree),
      architecture: task.target.architecture,
      signal,
      limitSeconds: limits.compileSeconds,
      processorSeconds: this.hostLimit,
    });
  }

  /** Runs the launches of one call, or none of them. */
  private executor(request: RunRequest, places: OutputPlaces): LaunchExecution["execute"] {
    if (request.withheld === true) return withheldLaunch;
    return (launch) => this.execute(launch, request, watchedByte(request, launch, places));
  }

  private async execute(
    launch: CapturedLaunch,
    { counters, model, detectors, order, arithmetic, signal }: RunRequest,
    watched: LaunchJob["watched"],
  ): Promise<LaunchResult> {
    if (launch.clusters > 1) return { kind: "refused", reason: "refused: thread block clusters" };
    const blocks = launch.grid.reduce((product, size) => product * size, 1);
    if (blocks > mostBlocks)
      return {
        kind: "refused",
        reason: `refused: a launch of ${blocks} blocks, more than ${mostBlocks}`,
      };
    return this.options.virtualGpu.launch(
      {
        ptx: launch.ptx,
        entry: launch.name,
        grid: launch.grid,
        block: [launch.warps * 32, 1, 1],
        dynamicSharedBytes: launch.sharedBytes,
        counters,
        executed: model !== undefined,
        detectors,
        triton: true,
        ...(order && { order }),
        ...(arithmetic && { arithmetic }),
        ...(watched && { watched }),
        arguments: launch.arguments,
        buffers: launch.buffers.map((buffer) => bufferOf(this.options.task.spec, buffer)),
      },
      { signal, limitSeconds: this.options.limits.runSeconds },
    );
  }
}

/** Blocks of one launch that are run: more take longer than any run may. */
const mostBlocks = 2 ** 24;

/** The answer to a launch that is not run. */
function withheldLaunch({ buffers }: CapturedLaunch): Promise<LaunchResult> {
  const contents = buffers.map(({ bytes }) => bytes);
  return Promise.resolve({
    kind: "done",
    buffers: contents,
    counters: undefined,
    findings: [],
  });
}

async function end(loading: Promise<Loaded> | undefined): Promise<void> {
  const loaded = await loading?.catch(() => undefined);
  if (loaded?.kind === "loaded") await loaded.connection.close();
}

async function isLost(loading: Promise<Loaded>): Promise<boolean> {
  const loaded = await loading.catch(() => undefined);
  return loaded === undefined || (loaded.kind === "loaded" && loaded.connection.lost);
}

/**
 * The first numbers of a run are the spec's inputs in their order; other buffers the candidate made itself,
 * and the kernel's parameters name them.
 */
function bufferOf(spec: KernelSpec, { number, parameter, bytes, unwritten }: CapturedBuffer): JobBuffer {
  const input = Object.keys(spec.inputs)[number];
  if (input === undefined) return { name: parameter, bytes, readOnly: false, unwritten };
  return {
    name: input,
    bytes,
    readOnly: !Object.hasOwn(spec.outputs, input),
    unwritten,
  };
}

/** A call without its launches cannot give a right output; what matters here is whether it compiled. */
function compileOutcome(
  outcome: RunOutcome,
  seen: {
    readonly facts: readonly CompiledFacts[];
    readonly notes: readonly Diagnostic[];
  },
): CompileOutcome {
  if (outcome.kind === "did-not-compile") return outcome;
  if (outcome.kind === "timed-out") return { kind: "timed-out", limitSeconds: outcome.limitSeconds };
  if (seen.facts.length > 0) return { kind: "compiled", facts: seen.facts, diagnostics: seen.notes };
  if (outcome.kind === "did-not-run") return outcome;
  const reason = "reason" in outcome ? outcome.reason : "no kernel was launched";
  return { kind: "did-not-run", reason, findings: [] };
}
