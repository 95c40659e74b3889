import { OperationalError } from "../../../core/base/operational-error";
import type { Outcome } from "../../../core/base/outcome";
import type { SourceTree } from "../../../core/judge/candidate";
import type { EvaluationTask } from "../../../core/ports/evaluator";
import type { FailedRun } from "../evaluation/failed-run";
import type { RunRequest } from "../evaluation/kernel-runner";
import { gpuWallsMissing } from "../transport/walls";
import type { GpuRuntime, Recording, TimedCode } from "./gpu-runtime";
import type { Pool, TimedOrder } from "./timed/timed-messages";
import type { ShapedCall } from "./timed/timed-order";
import type { TimedOutcome } from "./timed/timed-process";

/** One candidate on a GPU: a process of its own, with a context of its own. */
export interface HardwareSession {
  /** The GPU is kept for this process: it makes its context, while others do the same. Called once. */
  enter(signal: AbortSignal): void;
  /** What a call with these inputs is handed; the candidate's fault where there is no such call. */
  call(request: RunRequest): Promise<Outcome<ShapedCall, FailedRun>>;
  run(order: TimedOrder, signal: AbortSignal): Promise<TimedOutcome>;
  /** Hands over what the contents of later orders are drawn from. */
  pools(pools: readonly Pool[], signal: AbortSignal): Promise<TimedOutcome>;
  /** The outputs of one call of an order that keeps them, the last one that was run. */
  give(order: TimedOrder, call: number, signal: AbortSignal): Promise<TimedOutcome>;
  /** What another process of its own is handed for an order. */
  recording(order: TimedOrder): Recording;
  /** What belongs to its times, in parts of sentences; left out where nothing does. */
  readonly notes?: readonly string[];
  close(): Promise<void>;
}

/** Makes sessions for the candidates of one task. */
export interface HardwareSessions {
  /** Begins what needs no GPU yet, for sessions of these candidates: the GPU is not kept waiting for it. */
  prepare(trees: readonly SourceTree[], signal: AbortSignal): void;
  /** Starts nothing on the GPU: `enter` of the session does. */
  start(tree: SourceTree, signal: AbortSignal): Promise<Outcome<HardwareSession, FailedRun>>;
  /** What a verdict from such sessions does not rule out, a sentence each. */
  readonly remarks: readonly string[];
  /** Ends what was prepared. */
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly task: EvaluationTask;
  readonly runtime: GpuRuntime;
  readonly limitSeconds: number;
}

/** The run of code that did not compile. */
export function notCompiled(code: Exclude<TimedCode, { kind: "compiled" }>): FailedRun {
  return code.kind === "timed-out" ? { ...code, stage: "compile" } : code;
}

/** What the CUDA runtime says where the machine is at fault, and no kernel. */
const machineFaults =
  /libcuda\.so|making a context|cudaError(OperatingSystem|InsufficientDriver|NoDevice|DevicesUnavailable|SystemDriverMismatch|DeviceUnavailable|InitializationError)/;

/** What a request that did not return comes to. Throws `tool-missing` without a driver, `walls-missing`. */
export function failedRun(outcome: TimedOutcome, limitSeconds: number): FailedRun {
  if (outcome.kind === "timed-out") return { kind: "timed-out", stage: "run on the GPU", limitSeconds };
  const { message } = outcome;
  const unwalled = gpuWallsMissing(message);
  if (unwalled !== undefined) throw unwalled;
  if (/making a context.*MemoryAllocation/.test(message)) throw memoryTaken();
  if (machineFaults.test(message))
    throw new OperationalError("tool-missing", {
      forUser: `the GPU cannot be used: ${message}. Its driver has to be installed and as new as the CUDA compiler, and open to your user; in a container the GPU has to be passed in`,
      remedy: "kernelwright doctor",
    });
  const assumed = /SIGSEGV/.test(message)
    ? "; its buffers were handed over in the GPU's memory, which host code cannot read"
    : "";
  const finding = { kind: "cuda-error", file: "", line: 0, message: `on the GPU: ${message}${assumed}` };
  return { kind: "did-not-run", reason: finding.message, findings: [finding] };
}

/** Not even a context fits: nothing of a candidate's has run yet. */
export function memoryTaken(): OperationalError {
  return new OperationalError("tool-missing", {
    forUser:
      "the GPU has no free memory: other programs hold it. `nvidia-smi` names them; end one of them, or take another GPU (gpu:N)",
    remedy: "nvidia-smi",
  });
}
