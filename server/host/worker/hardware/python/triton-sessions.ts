import { known } from "../../../../core/base/known";
import { type Outcome, fail, succeed } from "../../../../core/base/outcome";
import type { SourceTree } from "../../../../core/judge/candidate";
import type { EntrySpec } from "../../../../core/workload/spec";
import type { FailedRun } from "../../evaluation/failed-run";
import type { RunRequest } from "../../evaluation/kernel-runner";
import type { GpuRuntime, Recording } from "../gpu-runtime";
import type { HardwareSession, HardwareSessions, SessionOptions } from "../hardware-sessions";
import { encodeCode, encodeOrder, type Pool, type TimedOrder } from "../timed/timed-messages";
import { SpareProcesses } from "../timed/spare-processes";
import type { ShapedCall } from "../timed/timed-order";
import type { TimedOutcome, TimedProcess } from "../timed/timed-process";
import { failure, throwAtMachine } from "./machine-fault";
import { encodedCandidate, pythonCall } from "./python-call";
import { RunNotes } from "./run-notes";

interface TritonSessionOptions extends SessionOptions {
  readonly entry: EntrySpec;
}

/** Importing torch from a cold disk and making a context take long on a busy machine. */
const loadSeconds = 300;
/** Triton kernels behind a Python entry: torch and Triton of a Python on the GPU's machine run it. */
export class TritonSessions implements HardwareSessions {
  readonly remarks: readonly string[] = [
    "The times come from the process that the entry's Python runs in, by events of the driver; Python that finds them in its own process and changes what they say is not ruled out.",
  ];

  private readonly spares: SpareProcesses;

  constructor(private readonly options: TritonSessionOptions) {
    const { runtime } = options;
    this.spares = new SpareProcesses(async () =>
      runtime.startPython(await runtime.python(new AbortController().signal)),
    );
  }

  prepare(trees: readonly SourceTree[]): void {
    this.spares.warm(trees.length);
  }

  async start(tree: SourceTree, signal: AbortSignal): Promise<Outcome<HardwareSession, FailedRun>> {
    const { runtime, task, entry } = this.options;
    const python = await runtime.python(signal);
    const process = await this.spares.take();
    // A process that has no GPU yet imports torch; whoever loads a candidate there is told what went wrong.
    await process.ready({ limitSeconds: loadSeconds, signal });
    const code = encodedCandidate(task, entry, tree);
    return succeed(new TritonSession({ ...this.options, python, process, code }));
  }

  close(): Promise<void> {
    return this.spares.close();
  }
}

interface Begun extends TritonSessionOptions {
  readonly python: Awaited<ReturnType<GpuRuntime["python"]>>;
  readonly process: TimedProcess;
  readonly code: ReturnType<typeof encodedCandidate>;
}

class TritonSession implements HardwareSession {
  private readonly kept = new RunNotes();
  private loading: Promise<TimedOutcome> | undefined;

  constructor(private readonly begun: Begun) {}

  enter(signal: AbortSignal): void {
    const { process, code } = this.begun;
    this.loading ??= process.load(code.call, code.files, { limitSeconds: loadSeconds, signal });
    this.loading.catch(() => undefined);
  }

  get notes(): readonly string[] {
    return this.kept.all;
  }

  async call(request: RunRequest): Promise<Outcome<ShapedCall, FailedRun>> {
    this.enter(request.signal);
    const loaded = known(await this.loading, "what came of loading");
    if (loaded.kind !== "returned") return fail(failure(loaded, loadSeconds));
    this.kept.loaded(loaded.message);
    return succeed(pythonCall(request, this.begun.entry));
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

  pools(pools: readonly Pool[], signal: AbortSignal): Promise<TimedOutcome> {
    return this.begun.process.pools(pools, { limitSeconds: this.begun.limitSeconds, signal });
  }

  give(order: TimedOrder, call: number, signal: AbortSignal): Promise<TimedOutcome> {
    return this.begun.process.give(order, call, { limitSeconds: this.begun.limitSeconds, signal });
  }

  recording(order: TimedOrder): Recording {
    const { python, code } = this.begun;
    return { python, input: [...encodeCode(code.call, code.files), ...encodeOrder(order)] };
  }

  close(): Promise<void> {
    return this.begun.process.close();
  }
}
