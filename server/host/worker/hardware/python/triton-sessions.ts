import { OperationalError } from "../../../../core/base/operational-error";
import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import type { SourceTree } from "../../../../core/judge/candidate";
import type { EntrySpec } from "../../../../core/workload/spec";
import type { FailedRun } from "../../evaluation/failed-run";
import type { RunRequest } from "../../evaluation/kernel-runner";
import { type CandidateCode, candidateCode } from "../../triton/candidate-files";
import type { Recording } from "../gpu-runtime";
import {
  failedRun,
  type HardwareSession,
  type HardwareSessions,
  memoryTaken,
  type SessionOptions,
} from "../hardware-sessions";
import { encodeCode, encodeOrder, type TimedOrder } from "../timed/timed-messages";
import type { ShapedCall } from "../timed/timed-order";
import type { TimedOutcome, TimedProcess } from "../timed/timed-process";
import type { GpuPython } from "./gpu-python";
import { pythonCall } from "./python-call";
import { RunNotes } from "./run-notes";

interface TritonSessionOptions extends SessionOptions {
  readonly entry: EntrySpec;
}

/** Importing torch from a cold disk and making a context take long on a busy machine. */
const loadSeconds = 300;
/** Before a message of `kernelwright_worker/timed/serving.py` that no candidate is to blame for. */
const machine = "machine: ";
/** Triton kernels behind a Python entry: torch and Triton of a Python on the GPU's machine run it. */
export class TritonSessions implements HardwareSessions {
  readonly remarks: readonly string[] = [
    "The times come from the process that the entry's Python runs in, by events of the driver; Python that finds them in its own process and changes what they say is not ruled out.",
  ];

  constructor(private readonly options: TritonSessionOptions) {}

  async start(tree: SourceTree, signal: AbortSignal): Promise<Outcome<HardwareSession, FailedRun>> {
    const { runtime, task, entry } = this.options;
    const python = await runtime.python(signal);
    const process = await runtime.startPython(python);
    const code = encoded(candidateCode(task, entry, tree));
    // Both of a pair import torch at the same time.
    const loading = process.load(code.call, code.files, { limitSeconds: loadSeconds, signal });
    loading.catch(() => undefined);
    return succeed(new TritonSession({ ...this.options, python, process, code, loading }));
  }
}

interface Begun extends TritonSessionOptions {
  readonly python: GpuPython;
  readonly process: TimedProcess;
  readonly code: ReturnType<typeof encoded>;
  readonly loading: Promise<TimedOutcome>;
}

class TritonSession implements HardwareSession {
  private readonly kept = new RunNotes();

  constructor(private readonly begun: Begun) {}

  get notes(): readonly string[] {
    return this.kept.all;
  }

  async call(request: RunRequest): Promise<Outcome<ShapedCall, FailedRun>> {
    const { loading, entry } = this.begun;
    const loaded = await loading;
    if (loaded.kind !== "returned") return fail(failure(loaded, loadSeconds));
    this.kept.loaded(loaded.message);
    return succeed(pythonCall(request, entry));
  }

  async run(order: TimedOrder, signal: AbortSignal): Promise<TimedOutcome> {
    const { process, limitSeconds } = this.begun;
    const outcome = await process.run(order, { limitSeconds, signal });
    if (outcome.kind === "timed-out") return outcome;
    throwAtMachine(outcome.message);
    if (outcome.kind !== "returned") return outcome;
    this.kept.called(outcome.message);
    return outcome;
  }

  recording(order: TimedOrder): Recording {
    const { python, code } = this.begun;
    return { python, input: [...encodeCode(code.call, code.files), ...encodeOrder(order)] };
  }

  close(): Promise<void> {
    return this.begun.process.close();
  }
}

/** What the process imports, and what of it is called. */
function encoded({ call, files }: CandidateCode): { readonly call: string; readonly files: Uint8Array } {
  return { call, files: new TextEncoder().encode(JSON.stringify(files)) };
}

function failure(outcome: TimedOutcome, limitSeconds: number): FailedRun {
  if (outcome.kind !== "timed-out") throwAtMachine(outcome.message);
  return failedRun(outcome, limitSeconds);
}

function throwAtMachine(message: string): void {
  if (!message.startsWith(machine)) return;
  if (message.includes("out of memory")) throw memoryTaken();
  const [problem = ""] = message.slice(machine.length).split("\n");
  throw new OperationalError("tool-missing", {
    forUser: `the GPU cannot be used by torch: ${problem}. Its driver has to be as new as the CUDA that torch is built for, and torch has to be built for the GPU`,
    remedy: "kernelwright doctor",
  });
}
