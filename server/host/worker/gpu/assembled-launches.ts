import { invariant } from "../../../core/base/assert";
import type { CompiledFacts } from "../../../core/judge/verdict";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import { readCompiledModule } from "../compile/compiled-module";
import type { FailedRun } from "../compile/triton-load";
import type { CapturedLaunch } from "../triton/captured-launch";
import type { StageLimits } from "../evaluation/cuda-runner";
import type { WorkerHandle } from "../transport/worker-handle";
import { launchShape } from "../triton/launch-record";
import type { RunLaunch } from "./simulated";
import { refusedTritonLaunch } from "./refused-launch";

interface AssemblyOptions {
  readonly task: EvaluationTask;
  readonly build: WorkerHandle;
  readonly limits: StageLimits;
  /** The user agreed to do without walls. */
  readonly withoutWalls: boolean;
}

/** The code of a launch as ptxas leaves it. */
interface MachineCode {
  readonly facts: CompiledFacts;
  readonly cubin: Uint8Array;
}

/** What ptxas says of the code that Triton made. */
export class AssembledLaunches {
  private readonly assembled = new Map<string, Promise<MachineCode | FailedRun>>();

  /** `file`: workspace path of the kernel's file. */
  constructor(
    private readonly options: AssemblyOptions,
    private readonly file: string,
  ) {}

  /**
   * Figures of ptxas for the code of a launch, asked for once for each text; or why a GPU would not take it.
   */
  async facts(launch: CapturedLaunch, signal: AbortSignal): Promise<CompiledFacts | FailedRun> {
    const code = await this.codeOf(launch, signal);
    return "kind" in code ? code : (refusedTritonLaunch(launch, code.facts, this.file) ?? code.facts);
  }

  /** The machine code and the shape of a launch that ran. */
  async machineCode(
    launch: CapturedLaunch,
    signal: AbortSignal,
  ): Promise<Pick<RunLaunch, "cubin" | "shape">> {
    const code = await this.codeOf(launch, signal);
    invariant(!("kind" in code), "what ran was assembled");
    return { cubin: code.cubin, shape: launchShape(launch, code.facts) };
  }

  private codeOf(launch: CapturedLaunch, signal: AbortSignal): Promise<MachineCode | FailedRun> {
    const key = `${launch.name}\n${launch.warps}\n${launch.sharedBytes}\n${launch.ptx}`;
    const assembling = this.assembled.get(key) ?? this.assemble(launch, signal);
    this.assembled.set(key, assembling);
    assembling.catch(() => this.assembled.delete(key));
    return assembling;
  }

  private async assemble(launch: CapturedLaunch, signal: AbortSignal): Promise<MachineCode | FailedRun> {
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
    const sharedBytes = facts.sharedBytes + launch.sharedBytes;
    return {
      facts: { ...facts, sharedBytes, threadsPerBlock: launch.warps * 32 },
      cubin: assembled.cubin,
    };
  }
}
