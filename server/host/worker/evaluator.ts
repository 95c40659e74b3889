import type { JsonObject } from "../../core/base/json";
import type { SourceTree } from "../../core/kernel/candidate";
import type { Target } from "../../core/kernel/target";
import type { CompiledFacts, Diagnostic } from "../../core/kernel/verdict";
import type { Evaluation, EvaluationTask, Evaluator } from "../../core/ports/evaluator";
import type { LaunchShapes } from "../../core/ports/launch-shapes";
import { CandidatePool } from "./candidate-pool";
import { replyObject } from "./compiled-module";
import { CudaCompiler } from "./cuda-compiler";
import { CudaRunner, type StageLimits } from "./cuda-runner";
import type { KernelRunner } from "./kernel-runner";
import { OracleSession } from "./oracle-session";
import { spawnTransport } from "./spawn-transport";
import { SshTransport } from "./ssh-transport";
import { TaskEvaluation } from "./task-evaluation";
import type { Transport } from "./transport";
import type { VirtualGpu } from "./virtual-gpu";
import { importDiagnostics } from "./triton-load";
import { TritonRunner } from "./triton-runner";
import { WorkerHandle } from "./worker-handle";

export interface WorkerEvaluatorOptions {
  /** Interpreter on this machine: the setting `kernelwright.python`, else what the set-up prepared, else `python3`. */
  readonly python: string;
  /** The setting `kernelwright.nvcc`; empty = found by the worker. */
  readonly nvcc: string;
  /** Folder with the worker's `__main__.py`. */
  readonly workerFolder: string;
  readonly virtualGpu: VirtualGpu;
  readonly launchShapes: LaunchShapes;
  readonly limits?: Partial<StageLimits>;
  /** For targets over ssh: another interpreter than `python3` there, another configuration file than the user's. */
  readonly ssh?: { readonly remotePython?: string; readonly configFile?: string };
}

const defaultLimits: StageLimits = { compileSeconds: 120, runSeconds: 120 };

export interface FileCompileRequest {
  readonly file: string;
  readonly tree: SourceTree;
  readonly target: Target;
  readonly signal: AbortSignal;
}

/** The warm processes on one machine. */
interface Site {
  readonly transport: Transport;
  readonly build: WorkerHandle;
  readonly candidates: CandidatePool;
  readonly cuda: CudaCompiler;
}

/** Opens evaluations on this machine and over ssh; workers stay warm between them. */
export class WorkerEvaluator implements Evaluator {
  private readonly sites = new Map<string, Site>();

  private readonly limits: StageLimits;

  constructor(private readonly options: WorkerEvaluatorOptions) {
    this.limits = { ...defaultLimits, ...options.limits };
  }

  async open(task: EvaluationTask, signal: AbortSignal): Promise<Evaluation> {
    const { transport } = this.site(task.target);
    const evaluation = new TaskEvaluation(task, new OracleSession(transport, task), this.runner(task));
    try {
      await evaluation.register(signal);
      return evaluation;
    } catch (thrown) {
      await evaluation.close();
      throw thrown;
    }
  }

  /**
   * Compiles one file as it is, for the editor: facts of every kernel in it and diagnostics. A Python file is imported in a candidate
   * process; which code Triton makes of it depends on a launch, so that its facts come from evaluations only.
   */
  async compileFile(request: FileCompileRequest): Promise<{ readonly facts: readonly CompiledFacts[]; readonly diagnostics: readonly Diagnostic[] }> {
    const { file, tree, target, signal } = request;
    const site = this.site(target);
    if (file.endsWith(".py")) return { facts: [], diagnostics: await importDiagnostics(site.candidates, request, this.limits.compileSeconds) };
    const compiled = await site.cuda.compile({ files: tree, main: file, architecture: target.architecture }, signal);
    if (compiled.kind === "timed-out") return { facts: [], diagnostics: [{ severity: "warning", file, line: 0, column: 0, message: `nvcc took longer than ${compiled.limitSeconds} s`, source: "nvcc" }] };
    return { facts: compiled.kind === "compiled" ? compiled.entries.map((entry) => entry.facts) : [], diagnostics: compiled.diagnostics };
  }

  /** What is there on a target's machine: compilers, packages, GPUs. For the doctor. */
  async examine(target: Target, signal: AbortSignal): Promise<JsonObject> {
    return replyObject(await this.site(target).build.request("examine", { nvcc: this.options.nvcc }, { signal, timeLimitMilliseconds: 60_000 }));
  }

  /** Ends all workers. */
  async close(): Promise<void> {
    for (const { build, candidates, transport } of this.sites.values()) {
      await candidates.close();
      await build.close();
      await transport.close();
    }
    this.sites.clear();
  }

  private runner(task: EvaluationTask): KernelRunner {
    const { build, candidates, cuda } = this.site(task.target);
    const { virtualGpu, launchShapes } = this.options;
    if (task.spec.run.kind === "launch") return new CudaRunner({ task, launch: task.spec.run.launch, compiler: cuda, virtualGpu, launchShapes, limits: this.limits });
    candidates.warm();
    return new TritonRunner({ task, entry: task.spec.run.entry, build, candidates, virtualGpu, limits: this.limits });
  }

  private site(target: Target): Site {
    const key = target.kind === "ssh" ? `ssh:${target.host}` : "local";
    const known = this.sites.get(key);
    if (known !== undefined) return known;
    const transport = target.kind === "ssh" ? new SshTransport({ host: target.host, workerFolder: this.options.workerFolder, ...this.options.ssh }) : spawnTransport(this.options);
    const build = new WorkerHandle(transport, "build");
    const cuda = new CudaCompiler({ build, nvcc: this.options.nvcc, limitSeconds: this.limits.compileSeconds });
    const site = { transport, build, candidates: new CandidatePool(transport), cuda };
    this.sites.set(key, site);
    return site;
  }
}
