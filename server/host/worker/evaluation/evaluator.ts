import type { JsonObject } from "../../../core/base/json";
import { defaultTarget, hostOf, type Target } from "../../../core/timing/target";
import type { CodeOutcome, Evaluation, EvaluationTask, Evaluator } from "../../../core/ports/evaluator";
import type { StageLimits } from "./cuda-runner";
import { runnerOf } from "./runner-of";
import type { KernelRunner } from "./kernel-runner";
import {
  type EntryProbeSource,
  openEntryProbe,
  openProbe,
  openTritonProbe,
  type ProbeSource,
  type TritonProbeSource,
} from "../probe/probers";
import { workLimit } from "../../process/work-clock";
import { withProgram } from "../program/with-program";
import { OracleSession } from "./oracle-session";
import { TaskEvaluation } from "./task-evaluation";
import { resolvedTarget, runtimeOf } from "../hardware/target-gpu";
import { begunGpu, withGpu } from "../hardware/with-gpu";
import type { WorkerEvaluatorOptions } from "./evaluator-options";
import { WorkerSite } from "./worker-site";

const defaultLimits: StageLimits = { compileSeconds: 120, runSeconds: 120 };

/** Seconds of work that one question about a workload may take that is only being found. */
const examinedSeconds = 20;

interface Examination<Result> {
  readonly ask: (evaluation: TaskEvaluation, signal: AbortSignal) => Promise<Result>;
  readonly tooLong: Result;
  /** Of work; as for any question about a workload when left out. */
  readonly mostSeconds?: number;
}

/** Opens evaluations on this machine and over ssh; workers stay warm between them. */
export class WorkerEvaluator implements Evaluator {
  private readonly sites = new Map<string, WorkerSite>();
  private readonly limits: StageLimits;

  constructor(private readonly options: WorkerEvaluatorOptions) {
    this.limits = { ...defaultLimits, ...options.limits };
  }

  async open(task: EvaluationTask, signal: AbortSignal): Promise<Evaluation> {
    const { build } = this.site(task.target);
    const oracle = this.oracle(task);
    const runner = this.runner(task);
    const evaluation = new TaskEvaluation(task, oracle, runner, {
      oracle: (other) => this.oracle(other),
      runner: (other) => this.runner(other),
    });
    // The first candidate is the baseline: what it needs starts while the oracle examines the task.
    build.warm();
    this.options.virtualGpu.warm();
    if (task.spec.dialect === "cuda") evaluation.compile(task.baseline, signal).catch(() => undefined);
    const { entryPrograms: programs, withoutWalls } = this.options;
    const { target } = task;
    const runtime = target.kind === "gpu" ? runtimeOf(target, this.site(target), this.options) : undefined;
    const gpu = runtime && begunGpu({ task, runtime, programs, limits: this.limits, runner }, signal);
    try {
      await evaluation.register(signal);
      const { cuda: compiler } = this.site(task.target);
      // What is compiled for the host runs on this machine, wherever the device code is compiled.
      const { host } = this.site(defaultTarget);
      const tools = { task, compiler, host, programs, limits: this.limits, withoutWalls };
      const judged = withProgram(evaluation, oracle, tools);
      if (gpu === undefined) return judged;
      const { modelErrors } = this.options;
      return withGpu(judged, oracle, { ...tools, ...gpu, runner, modelErrors });
    } catch (thrown) {
      await gpu?.sessions.close();
      await evaluation.close();
      throw thrown;
    }
  }

  /**
   * What an evaluation says of a task that is not registered: its workload is only being found. `tooLong`
   * where that takes too much work.
   */
  async examined<Result>(
    task: EvaluationTask,
    signal: AbortSignal,
    { ask, tooLong, mostSeconds = examinedSeconds }: Examination<Result>,
  ): Promise<Result> {
    const evaluation = new TaskEvaluation(task, this.oracle(task), this.runner(task));
    const limit = workLimit(mostSeconds);
    try {
      return await ask(evaluation, AbortSignal.any([signal, limit.signal]));
    } catch (thrown) {
      if (limit.signal.aborted && !signal.aborted) return tooLong;
      throw thrown;
    } finally {
      limit.stop();
      await evaluation.close();
    }
  }

  async resolve(target: Target, signal: AbortSignal): Promise<Target> {
    if (target.kind !== "gpu") return target;
    return resolvedTarget(target, runtimeOf(target, this.site(target), this.options), signal);
  }

  /** The code of a task's baseline, which is not judged. */
  async code(task: EvaluationTask, signal: AbortSignal): Promise<CodeOutcome> {
    const runner = this.runner(task);
    try {
      return await runner.code(task.baseline, signal);
    } finally {
      await runner.close();
    }
  }

  /** What is there on a target's machine: compilers, packages, GPUs. For the doctor. */
  async examine(target: Target, signal: AbortSignal): Promise<JsonObject> {
    return this.site(target).examine(signal);
  }

  /** What a setup.py says of its extensions, read by the Python of this machine and never run. */
  async readSetupFile(text: string): Promise<JsonObject> {
    return this.site(defaultTarget).readSetupFile(text, new AbortController().signal);
  }

  /** Compiles a kernel to see what its launches touch. */
  probe(source: ProbeSource | TritonProbeSource): ReturnType<typeof openProbe> {
    const { virtualGpu } = this.options;
    const machine = { virtualGpu, limitSeconds: this.limits.runSeconds };
    if (!("constants" in source))
      return openProbe({ ...machine, compiler: this.site(source.target).cuda }, source);
    const code = (task: EvaluationTask, signal: AbortSignal): Promise<CodeOutcome> => this.code(task, signal);
    return openTritonProbe({ ...machine, code }, source);
  }

  /** Compiles a C++ function that launches a kernel, to see what its calls touch. */
  probeEntry(source: EntryProbeSource): ReturnType<typeof openEntryProbe> {
    const { cuda: compiler } = this.site(source.target);
    const { host } = this.site(defaultTarget);
    const { entryPrograms: programs, withoutWalls } = this.options;
    return openEntryProbe({ compiler, host, programs, withoutWalls }, source);
  }

  /** Ends all workers. */
  async close(): Promise<void> {
    const sites = [...this.sites.values()];
    this.sites.clear();
    await Promise.all(sites.map((site) => site.close()));
  }

  /** The processes on a target's machine. */
  site(target: Target): WorkerSite {
    const key = hostOf(target) ?? "";
    const site = this.sites.get(key) ?? new WorkerSite(target, this.options, this.limits.compileSeconds);
    this.sites.set(key, site);
    return site;
  }

  /** Inputs for a GPU elsewhere are made here, where the virtual GPU runs: they cross the network once. */
  private oracle(task: EvaluationTask): OracleSession {
    const { oracles } = this.site(task.target.kind === "gpu" ? defaultTarget : task.target);
    return new OracleSession(oracles, task, this.options);
  }

  private runner(task: EvaluationTask): KernelRunner {
    // What is compiled for the host runs on this machine, wherever the device code is compiled.
    const { host } = this.site(defaultTarget);
    return runnerOf(task, { ...this.options, site: this.site(task.target), host, limits: this.limits });
  }
}
