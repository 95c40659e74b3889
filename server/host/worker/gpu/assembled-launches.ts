import type { CompiledFacts } from "../../../core/judge/verdict";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import { readCompiledModule } from "../compile/compiled-module";
import type { FailedRun } from "../compile/triton-load";
import type { CapturedLaunch } from "../triton/captured-launch";
import type { StageLimits } from "../evaluation/cuda-runner";
import type { WorkerHandle } from "../transport/worker-handle";
import { refusedTritonLaunch } from "./refused-launch";

export interface AssemblyOptions {
  readonly task: EvaluationTask;
  readonly build: WorkerHandle;
  readonly limits: StageLimits;
  /** The user agreed to do without walls. */
  readonly withoutWalls: boolean;
}

/** What ptxas says of the code that Triton made. */
export class AssembledLaunches {
  private readonly assembled = new Map<string, Promise<CompiledFacts | FailedRun>>();

  /** `file`: workspace path of the kernel's file. */
  constructor(
    private readonly options: AssemblyOptions,
    private readonly file: string,
  ) {}

  /**
   * Figures of ptxas for the code of a launch, asked for once for each text; or why a GPU would not take it.
   */
  async facts(launch: CapturedLaunch, signal: AbortSignal): Promise<CompiledFacts | FailedRun> {
    const key = `${launch.name}\n${launch.warps}\n${launch.sharedBytes}\n${launch.ptx}`;
    const assembling = this.assembled.get(key) ?? this.assemble(launch, signal);
    this.assembled.set(key, assembling);
    assembling.catch(() => this.assembled.delete(key));
    const facts = await assembling;
    return "kind" in facts ? facts : (refusedTritonLaunch(launch, facts, this.file) ?? facts);
  }

  private async assemble(launch: CapturedLaunch, signal: AbortSignal): Promise<CompiledFacts | FailedRun> {
    const { build, limits, task, withoutWalls } = this.options;
    const params = {
      withoutWalls,
      main: this.file,
      architecture: task.target.architecture,
      seconds: limits.compileSeconds,
    };
    const assembled = readCompiledModule(
      await build.request("assemble-ptx", params, {
        frames: [Buffer.from(launch.ptx, "utf8")],
        signal,
        timeLimitMilliseconds: (limits.compileSeconds + 30) * 1000,
      }),
    );
    if (assembled.kind === "timed-out")
      return { kind: "timed-out", stage: "compile", limitSeconds: assembled.limitSeconds };
    if (assembled.kind === "did-not-compile") return assembled;
    const facts = assembled.entries.find((each) => each.symbol === launch.name)?.facts;
    if (facts === undefined)
      return {
        kind: "did-not-run",
        reason: `the code of a launch holds no kernel ${launch.name}`,
        findings: [],
      };
    return {
      ...facts,
      sharedBytes: facts.sharedBytes + launch.sharedBytes,
      threadsPerBlock: launch.warps * 32,
    };
  }
}
