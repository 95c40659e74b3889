import { mustGet } from "../../../core/base/known";
import { type SourceTree, treeKey } from "../../../core/judge/candidate";
import type { CodeOutcome, CompileOutcome } from "../../../core/ports/evaluator";
import type { EntryProgram } from "../../../core/ports/entry-programs";
import { codeOf } from "../compile/compiled-module";
import type { StageLimits } from "../evaluation/cuda-runner";
import { watchedByte } from "../evaluation/job-arguments";
import type { KernelRunner, KernelSession, RunOutcome, RunRequest } from "../evaluation/kernel-runner";
import { inFolder } from "../evaluation/oracle-session";
import { requiredWalls } from "../transport/walls";
import { caseGiven } from "./entry-case";
import {
  type Built,
  EntryBuild,
  type EntryBuildOptions,
  loadBuilt,
  startBuilt,
  startProgram,
} from "./entry-build";
import { entryModels, runWarm } from "./entry-models";
import { runOutcome } from "./entry-result";
import { SparePrograms } from "./spare-programs";

interface CudaEntryRunnerOptions extends EntryBuildOptions {
  readonly limits: StageLimits;
  /** The user agreed to do without walls. */
  readonly withoutWalls: boolean;
}

/** Larger buffers have no room for the detectors' shadow beside them. */
const mostDetectedBytes = 384 * 1024 * 1024;
/** Processes that are kept for the next run of the same tree: of the baseline and of a candidate. */
const keptProcesses = 2;

/**
 * Kernels behind a C++ entry: a harness around it is compiled, and runs as a process behind walls, whose
 * device is ours.
 */
export class CudaEntryRunner implements KernelRunner {
  private readonly kept = new Map<string, EntryProgram>();
  private readonly spares: SparePrograms;
  private readonly builds: EntryBuild;

  get protections(): readonly string[] {
    return this.options.withoutWalls ? [] : requiredWalls;
  }

  constructor(private readonly options: CudaEntryRunnerOptions) {
    this.builds = new EntryBuild(options);
    this.spares = new SparePrograms((program) => startProgram(options, program));
  }

  async compile(tree: SourceTree, signal: AbortSignal): Promise<CompileOutcome> {
    const key = treeKey(tree);
    const built = await this.builds.build(tree, signal, (program) => {
      if (!this.kept.has(key)) this.spares.begin(program);
    });
    if (built.kind !== "built") return built;
    const { entries, diagnostics } = built.device;
    return { kind: "compiled", facts: entries.map(({ facts }) => facts), diagnostics };
  }

  async code(tree: SourceTree, signal: AbortSignal): Promise<CodeOutcome> {
    const built = await this.builds.build(tree, signal);
    return built.kind === "built" ? codeOf(built.device) : built;
  }

  start(tree: SourceTree): KernelSession {
    const key = treeKey(tree);
    let program: EntryProgram | undefined;
    return {
      ordersStreams: true,
      tellsWriters: true,
      run: async (request) => {
        const built = await this.builds.build(tree, request.signal);
        if (built.kind === "timed-out")
          return { kind: "timed-out", stage: "compile", limitSeconds: built.limitSeconds };
        if (built.kind !== "built") return built;
        if (program?.usable !== true) {
          await program?.close();
          program = this.take(key) ?? (await this.begin(built));
        }
        return this.run(request, built, program);
      },
      close: async () => {
        if (program !== undefined) await this.keep(key, program);
      },
    };
  }

  async close(): Promise<void> {
    const kept = [...this.kept.values()];
    this.kept.clear();
    await Promise.all([this.spares, ...kept].map((each) => each.close()));
  }

  /** A process that has run nothing yet. */
  private async begin(built: Built): Promise<EntryProgram> {
    const spare = await this.spares.take(built.host.program);
    if (spare === undefined) return startBuilt(this.options, built);
    loadBuilt(spare, built);
    return spare;
  }

  private take(key: string): EntryProgram | undefined {
    const known = this.kept.get(key);
    this.kept.delete(key);
    return known?.usable === true ? known : undefined;
  }

  /** A process serves one tree only; a sound one waits for more cases of it. */
  private async keep(key: string, program: EntryProgram): Promise<void> {
    if (!program.usable || this.kept.has(key)) return program.close();
    this.kept.set(key, program);
    for (const oldest of [...this.kept.keys()].slice(0, -keptProcesses)) {
      const old = mustGet(this.kept, oldest);
      this.kept.delete(oldest);
      await old.close();
    }
  }

  private async run(request: RunRequest, built: Built, program: EntryProgram): Promise<RunOutcome> {
    const { limits, task } = this.options;
    const { buffers, index, arguments: given, isTwice } = caseGiven(request, this.options.entry);
    const bytes = buffers.reduce((sum, { content }) => sum + content.byteLength, 0);
    const limitSeconds = Math.min(limits.runSeconds, request.limitSeconds ?? Infinity);
    const watched = watchedByte(request, { index });
    const order = {
      buffers,
      arguments: given,
      counters: request.counters,
      detectors: request.detectors && bytes <= mostDetectedBytes,
      ...(request.counters && request.model !== undefined && { executed: extentOf(request) }),
      ...(watched && { watched }),
      ...(request.streams && { streams: request.streams, callsTwice: isTwice }),
      ...(request.callerSeed !== undefined && { secondDevice: true }),
      ...(request.order === "descending" && { blocks: request.order }),
      ...(request.arithmetic && { arithmetic: request.arithmetic }),
      limitSeconds,
      signal: request.signal,
    };
    const outcome = await runWarm(program, order);
    const { call } = this.builds.entry;
    const file = inFolder(task.specFolder, task.spec.file);
    const place = { call, file, limitSeconds, remarks: [] };
    const ran = runOutcome(request, outcome, { place, index, entries: built.device.entries });
    if (ran.kind !== "ran") return ran;
    // What the host code of two calls has done is not what that of one does.
    if (isTwice) return withoutHostWork(ran);
    return { ...ran, ...entryModels(outcome, { request, device: built.device, task }) };
  }
}

function extentOf({ sampled }: RunRequest): "whole" | "sampled" {
  return sampled === true ? "sampled" : "whole";
}

function withoutHostWork({
  handed: _handed,
  hostTraffic: _traffic,
  ...ran
}: Extract<RunOutcome, { kind: "ran" }>): RunOutcome {
  return { ...ran, hostWritten: [] };
}
