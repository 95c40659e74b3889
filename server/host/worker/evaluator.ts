import type { JsonObject } from "../../core/base/json";
import type { Target } from "../../core/kernel/target";
import type { Evaluation, EvaluationTask, Evaluator } from "../../core/ports/evaluator";
import type { LaunchShapes } from "../../core/ports/launch-shapes";
import { CandidatePool } from "./candidate-pool";
import { replyObject } from "./compiled-module";
import { CudaRunner, type StageLimits } from "./cuda-runner";
import type { KernelRunner } from "./kernel-runner";
import { OracleSession } from "./oracle-session";
import { spawnTransport } from "./spawn-transport";
import { SshTransport } from "./ssh-transport";
import { TaskEvaluation } from "./task-evaluation";
import type { Transport } from "./transport";
import type { VirtualGpu } from "./virtual-gpu";
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

/** The warm processes on one machine. */
interface Site {
  readonly transport: Transport;
  readonly build: WorkerHandle;
  readonly candidates: CandidatePool;
}

/** Opens evaluations on this machine and over ssh; workers stay warm between them. */
export class WorkerEvaluator implements Evaluator {
  private readonly sites = new Map<string, Site>();

  constructor(private readonly options: WorkerEvaluatorOptions) {}

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
    const { build, candidates } = this.site(task.target);
    const { virtualGpu, launchShapes, nvcc } = this.options;
    const limits = { ...defaultLimits, ...this.options.limits };
    if (task.spec.run.kind === "launch") return new CudaRunner({ task, launch: task.spec.run.launch, build, virtualGpu, launchShapes, nvcc, limits });
    candidates.warm();
    return new TritonRunner({ task, entry: task.spec.run.entry, build, candidates, virtualGpu, limits });
  }

  private site(target: Target): Site {
    const key = target.kind === "ssh" ? `ssh:${target.host}` : "local";
    const known = this.sites.get(key);
    if (known !== undefined) return known;
    const transport = target.kind === "ssh" ? new SshTransport({ host: target.host, workerFolder: this.options.workerFolder, ...this.options.ssh }) : spawnTransport(this.options);
    const site = { transport, build: new WorkerHandle(transport, "build"), candidates: new CandidatePool(transport) };
    this.sites.set(key, site);
    return site;
  }
}
