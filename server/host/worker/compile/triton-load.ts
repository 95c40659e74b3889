import { OperationalError } from "../../../core/base/operational-error";
import type { SourceTree } from "../../../core/judge/candidate";
import { capabilityOf, commonLimits, defaultGpu, limitsOf } from "../../../core/timing/gpu-model";
import type { Target } from "../../../core/timing/target";
import type { Diagnostic } from "../../../core/judge/verdict";
import { addressWindow } from "../../../core/vgpu/index";
import type { CandidatePool, CandidateProcess } from "./candidate-pool";
import { readDiagnostic, replyObject } from "./compiled-module";
import type { RunOutcome } from "../evaluation/kernel-runner";
import { flagIn, listIn, objectIn } from "../transport/read-json";

export interface LoadRequest {
  readonly files: SourceTree;
  /** `FILE::FUNCTION`, or `FILE::` to import only. */
  readonly call: string;
  readonly architecture: string;
  readonly signal: AbortSignal;
  readonly limitSeconds: number;
}

/** A failure to run, whatever the reason. */
export type FailedRun = Exclude<RunOutcome, { kind: "ran" }>;

export type Loaded = ({ readonly kind: "loaded" } & CandidateProcess) | FailedRun;

/** Imports a candidate in a fresh process. The caller closes the connection of a loaded one. */
export async function loadCandidate(candidates: CandidatePool, request: LoadRequest): Promise<Loaded> {
  const process = await candidates.take();
  const { connection } = process;
  const [gpu, limits] = [defaultGpu(request.architecture), limitsOf(request.architecture)];
  const params = {
    files: { ...request.files },
    call: request.call,
    capability: Math.round(Number(capabilityOf(request.architecture)) * 10),
    device: {
      name: gpu.name,
      multiprocessors: gpu.multiprocessors,
      sharedBytesPerBlock: limits.sharedBytesPerBlock,
      memory: Number(addressWindow.bytes),
      threadsPerMultiprocessor: limits.warpsPerSm * commonLimits.warpSize,
      secondLevelBytes: gpu.secondLevelMegabytes * 2 ** 20,
    },
  };
  try {
    const result = replyObject(
      await connection.request("load", params, {
        signal: request.signal,
        timeLimitMilliseconds: request.limitSeconds * 1000,
      }),
    );
    if (flagIn(result, "loaded")) return { kind: "loaded", ...process };
    await connection.close();
    return {
      kind: "did-not-compile",
      diagnostics: listIn(result, "diagnostics").map((each) => readDiagnostic(objectIn(each, "diagnostic"))),
    };
  } catch (thrown) {
    await connection.close();
    return processEnded(thrown, request.limitSeconds);
  }
}

/** Errors of importing a Python file; empty when it imports. */
export async function importDiagnostics(
  candidates: CandidatePool,
  request: {
    readonly file: string;
    readonly tree: SourceTree;
    readonly target: Target;
    readonly signal: AbortSignal;
  },
  limitSeconds: number,
): Promise<readonly Diagnostic[]> {
  const { file, tree, target, signal } = request;
  const loaded = await loadCandidate(candidates, {
    files: tree,
    call: `${file}::`,
    architecture: target.architecture,
    signal,
    limitSeconds,
  });
  if (loaded.kind === "loaded") {
    await loaded.connection.close();
    return [];
  }
  if (loaded.kind === "did-not-compile") return loaded.diagnostics;
  const message = "reason" in loaded ? loaded.reason : `importing took longer than ${limitSeconds} s`;
  return [{ severity: "error", file, line: 0, column: 0, message, source: "python" }];
}

/**
 * The end of a candidate's process, and whatever it reports (always `tool-failed`, connection.ts), is a fact
 * about the candidate. What our own side throws meanwhile (the user cancelled, a tool is missing) stays an
 * error.
 */
export function processEnded(thrown: unknown, limitSeconds: number): FailedRun {
  if (!(thrown instanceof OperationalError)) throw thrown;
  if (thrown.code === "worker-timeout") return { kind: "timed-out", stage: "run", limitSeconds };
  if (thrown.code === "worker-lost" || thrown.code === "worker-protocol" || thrown.code === "tool-failed")
    return {
      kind: "did-not-run",
      reason: `the candidate's process ended before it was done: ${thrown.forModel}`,
      findings: [],
    };
  throw thrown;
}
