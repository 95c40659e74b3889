import type { JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import type { SourceTree } from "../../../core/judge/candidate";
import { capabilityOf, commonLimits, defaultGpu, limitsOf } from "../../../core/timing/gpu-model";
import type { Target } from "../../../core/timing/target";
import type { Diagnostic, Finding } from "../../../core/judge/verdict";
import { addressWindow } from "../../../core/vgpu/index";
import type { CandidatePool, CandidateProcess } from "./candidate-pool";
import { readDiagnostic, replyObject } from "./compiled-module";
import type { RunOutcome } from "../evaluation/kernel-runner";
import { flagIn, listIn, objectIn } from "../transport/read-json";

interface LoadRequest {
  readonly files: SourceTree;
  /** `FILE::FUNCTION`, or `FILE::` to import only. */
  readonly call: string;
  readonly architecture: string;
  readonly signal: AbortSignal;
  readonly limitSeconds: number;
  /** Seconds of the processor that the import may use outside of compilers; 0 or left out: any. */
  readonly processorSeconds?: number;
}

/** A failure to run, whatever the reason. */
export type FailedRun = Exclude<RunOutcome, { kind: "ran" }>;

export type Loaded =
  | ({
      readonly kind: "loaded";
      /** Of modules that are not here and that the import did without. */
      readonly warnings: readonly Diagnostic[];
    } & CandidateProcess)
  | FailedRun;

/** Imports a candidate in a fresh process. The caller closes the connection of a loaded one. */
export async function loadCandidate(candidates: CandidatePool, request: LoadRequest): Promise<Loaded> {
  const process = await candidates.take();
  const { connection } = process;
  const { files, call, processorSeconds = 0 } = request;
  const params = { files: { ...files }, call, processorSeconds, ...deviceFacts(request) };
  try {
    const result = replyObject(
      await connection.request("load", params, {
        signal: request.signal,
        timeLimitMilliseconds: request.limitSeconds * 1000,
      }),
    );
    const told = listIn(result, "diagnostics").map((each) => readDiagnostic(objectIn(each, "diagnostic")));
    if (flagIn(result, "loaded")) return { kind: "loaded", warnings: told, ...process };
    await connection.close();
    return notLoaded(told);
  } catch (thrown) {
    await connection.close();
    return processEnded(thrown, request.limitSeconds);
  }
}

/** What the process is told of the GPU that stands for a target. */
export function deviceFacts({ architecture }: { readonly architecture: string }): JsonObject {
  const [gpu, limits] = [defaultGpu(architecture), limitsOf(architecture)];
  return {
    capability: Math.round(Number(capabilityOf(architecture)) * 10),
    device: {
      name: gpu.name,
      multiprocessors: gpu.multiprocessors,
      sharedBytesPerBlock: limits.sharedBytesPerBlock,
      memory: Number(addressWindow.bytes),
      threadsPerMultiprocessor: limits.warpsPerSm * commonLimits.warpSize,
      secondLevelBytes: gpu.secondLevelMegabytes * 2 ** 20,
    },
  };
}

/** What Python raised on the import is no error of the compiler. */
function notLoaded(diagnostics: readonly Diagnostic[]): FailedRun {
  const raised = diagnostics.find(({ source }) => source === "python");
  return raised === undefined ? { kind: "did-not-compile", diagnostics } : raisedRun(raised);
}

/** A run that an exception of host code ended. */
export function raisedRun({ file, line, message }: Diagnostic): FailedRun {
  const finding: Finding = { kind: "exception", file, line, message };
  return { kind: "did-not-run", reason: `${file}:${line}: ${message}`, findings: [finding] };
}

/** Errors of importing a Python file; when it imports, a warning for each module that is not here. */
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
    return loaded.warnings;
  }
  if (loaded.kind === "did-not-compile") return loaded.diagnostics;
  const place = loaded.kind === "did-not-run" ? loaded.findings[0] : undefined;
  if (place !== undefined) return [{ ...errorAt(place.file, place.line), message: place.message }];
  const message = "reason" in loaded ? loaded.reason : `importing took longer than ${limitSeconds} s`;
  return [{ ...errorAt(file, 0), message }];
}

function errorAt(file: string, line: number): Omit<Diagnostic, "message"> {
  return { severity: "error", file, line, column: 0, source: "python" };
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
