import type { JsonObject } from "../../../core/base/json";
import type { SourceTree } from "../../../core/judge/candidate";
import type { BuildSettings } from "../../../core/workload/build-settings";
import type { Target } from "../../../core/timing/target";
import type { CompiledFacts, Diagnostic } from "../../../core/judge/verdict";
import type { EntryPrograms } from "../../../core/ports/entry-programs";
import { HostCompiler } from "../entry/host-compiler";
import { CandidatePool } from "../compile/candidate-pool";
import { type CompiledModule, replyObject } from "../compile/compiled-module";
import { CudaCompiler, type CudaCompilerOptions } from "../compile/cuda-compiler";
import { GpuMachine } from "../hardware/gpu-machine";
import type { Transport } from "../transport/transport";
import { transportOf, type TransportOptions } from "../transport/transport-of";
import { importDiagnostics } from "../compile/triton-load";
import { IdleWorkers, WorkerHandle } from "../transport/worker-handle";

export interface WorkerSiteOptions extends TransportOptions {
  /** The setting `kernelwright.nvcc`; empty = found by the worker. */
  readonly nvcc: string;
  /** Runs the host code of CUDA entries, on this machine. */
  readonly entryPrograms: EntryPrograms;
  /** The user agreed that candidates run and compile on machines that have no walls. */
  readonly withoutWalls: boolean;
  readonly deviceSources: CudaCompilerOptions["deviceSources"];
}

interface FileCompileRequest {
  readonly file: string;
  readonly tree: SourceTree;
  readonly build: BuildSettings;
  readonly target: Target;
  readonly signal: AbortSignal;
}

/** The warm processes on one machine: this one, or one behind ssh. */
export class WorkerSite {
  readonly transport: Transport;
  readonly build: WorkerHandle;
  readonly oracles: IdleWorkers;
  readonly candidates: CandidatePool;
  readonly cuda: CudaCompiler;
  readonly host: HostCompiler;
  readonly gpus: GpuMachine;

  constructor(
    target: Target,
    private readonly options: WorkerSiteOptions,
    private readonly compileSeconds: number,
  ) {
    this.transport = transportOf(target, options);
    this.build = new WorkerHandle(this.transport, "build");
    this.oracles = new IdleWorkers(this.transport, "oracle");
    this.gpus = new GpuMachine(this.transport);
    this.candidates = new CandidatePool(this.transport, options.withoutWalls);
    this.cuda = new CudaCompiler({
      build: this.build,
      nvcc: options.nvcc,
      limitSeconds: compileSeconds,
      withoutWalls: options.withoutWalls,
      deviceSources: options.deviceSources,
    });
    this.host = new HostCompiler({
      build: this.build,
      programs: options.entryPrograms,
      nvcc: options.nvcc,
      limitSeconds: compileSeconds,
      withoutWalls: options.withoutWalls,
    });
  }

  /**
   * Compiles one file as it is, for the editor: facts of every kernel in it and diagnostics. A Python file is
   * imported in a candidate process; which code Triton makes of it depends on a launch, so that its facts
   * come from evaluations only.
   */
  async compileFile(
    request: FileCompileRequest,
  ): Promise<{ readonly facts: readonly CompiledFacts[]; readonly diagnostics: readonly Diagnostic[] }> {
    const { file } = request;
    if (file.endsWith(".py"))
      return {
        facts: [],
        diagnostics: await importDiagnostics(this.candidates, request, this.compileSeconds),
      };
    const compiled = await this.compileModule(request);
    if (compiled.kind === "timed-out")
      return {
        facts: [],
        diagnostics: [
          {
            severity: "warning",
            file,
            line: 0,
            column: 0,
            message: `nvcc took longer than ${compiled.limitSeconds} s`,
            source: "nvcc",
          },
        ],
      };
    return {
      facts: compiled.kind === "compiled" ? compiled.entries.map((entry) => entry.facts) : [],
      diagnostics: compiled.diagnostics,
    };
  }

  /** Compiles the kernels of one CUDA file as it is. */
  compileModule({ file, tree, build, target, signal }: FileCompileRequest): Promise<CompiledModule> {
    return this.cuda.compile(
      { files: tree, main: file, build, architecture: target.architecture, origin: "user" },
      signal,
    );
  }

  /** What a setup.py says of its extensions, as the worker answers. */
  async readSetupFile(text: string, signal: AbortSignal): Promise<JsonObject> {
    return replyObject(
      await this.build.request("read-setup-file", { text }, { signal, timeLimitMilliseconds: 60_000 }),
    );
  }

  /** What is there: compilers, packages, GPUs. For the doctor. */
  async examine(signal: AbortSignal): Promise<JsonObject> {
    return replyObject(
      await this.build.request(
        "examine",
        { nvcc: this.options.nvcc },
        { signal, timeLimitMilliseconds: 60_000 },
      ),
    );
  }

  async close(): Promise<void> {
    await this.candidates.close();
    await this.oracles.close();
    await this.build.close();
    await this.gpus.close();
    await this.transport.close();
  }
}
