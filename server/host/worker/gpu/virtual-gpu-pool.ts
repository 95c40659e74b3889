import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { known } from "../../../core/base/known";
import { OperationalError } from "../../../core/base/operational-error";
import { afterWorkOf, ownWork } from "../../process/work-clock";
import type { ThreadData } from "./launch-team";
import { received, type SentResult } from "./sent-result";
import type { LaunchJob, LaunchResult, VirtualGpu } from "./virtual-gpu";

const mostThreads = 3;
/**
 * Memory of one thread's JavaScript heap; the kernel's own memory lies outside of it and has limits of its
 * own.
 */
const heapMegabytes = 1024;
/** How long a thread may take to end its launch before it is ended itself. */
const graceMilliseconds = 1000;

interface Waiting {
  readonly job: LaunchJob;
  readonly signal: AbortSignal;
  readonly limitSeconds: number;
  readonly resolve: (result: LaunchResult) => void;
  readonly reject: (problem: OperationalError) => void;
}

/**
 * Worker threads that each run one launch at a time, so that an endless kernel can be ended and the server
 * stays responsive. A thread keeps what it compiled for the next launch, also one that was told to stop; one
 * that does not, or that crashed, is replaced.
 */
export class VirtualGpuPool implements VirtualGpu {
  private readonly idle: Worker[] = [];
  private readonly queue: Waiting[] = [];
  /** The threads, each with the flag that tells it to end its launch. */
  private readonly alive = new Map<Worker, Int32Array>();
  private closed = false;

  /** `threadFile`: the bundle that starts server/host/worker/gpu/vgpu-thread.ts. */
  constructor(
    private readonly threadFile: string,
    private readonly size = Math.max(1, Math.min(mostThreads, availableParallelism())),
  ) {}

  launch(
    job: LaunchJob,
    options: { readonly signal: AbortSignal; readonly limitSeconds: number },
  ): Promise<LaunchResult> {
    if (options.signal.aborted) return Promise.reject(cancelled());
    if (this.closed)
      return Promise.reject(new OperationalError("worker-lost", { forUser: "the virtual GPU was closed" }));
    return new Promise((resolve, reject) => {
      this.queue.push({ job, ...options, resolve, reject });
      this.serve();
    });
  }

  /** Starts a thread ahead of the first launch. */
  warm(): void {
    if (this.alive.size === 0 && !this.closed) this.idle.push(this.start());
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const waiting of this.queue.splice(0)) waiting.reject(cancelled());
    await Promise.all([...this.alive.keys()].map((thread) => thread.terminate()));
  }

  private serve(): void {
    while (this.queue.length > 0 && !this.closed) {
      const thread = this.idle.pop() ?? (this.alive.size < this.size ? this.start() : undefined);
      const waiting = thread === undefined ? undefined : this.queue.shift();
      if (thread === undefined || waiting === undefined) return;
      if (waiting.signal.aborted) {
        waiting.reject(cancelled());
        this.idle.push(thread);
      } else this.occupy(thread, waiting);
    }
  }

  private start(): Worker {
    const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const thread = new Worker(this.threadFile, {
      workerData: { threadFile: this.threadFile, stop } satisfies ThreadData,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
      stdout: true,
      stderr: true,
    });
    this.alive.set(thread, new Int32Array(stop));
    thread.on("exit", () => {
      this.alive.delete(thread);
      if (this.idle.includes(thread)) this.idle.splice(this.idle.indexOf(thread), 1);
    });
    // Whoever waits for a launch listens for errors as well; an error of an idle thread ends in its exit.
    thread.on("error", () => undefined);
    thread.unref();
    return thread;
  }

  private occupy(thread: Worker, waiting: Waiting): void {
    const stop = known(this.alive.get(thread), "the flag of a thread");
    Atomics.store(stop, 0, 0);
    let ended: { readonly settle: () => void; readonly timer: NodeJS.Timeout } | undefined;
    const finish = (settle: () => void, healthy: boolean): void => {
      stopLimit();
      clearTimeout(ended?.timer);
      waiting.signal.removeEventListener("abort", onAbort);
      thread.off("message", onMessage).off("error", crashed).off("exit", onExit);
      thread.unref();
      if (healthy) this.idle.push(thread);
      else this.discard(thread);
      settle();
      this.serve();
    };
    const onMessage = (sent: SentResult): void =>
      finish(ended?.settle ?? (() => waiting.resolve(received(waiting.job, sent))), true);
    const end = (settle: () => void): void => {
      if (ended !== undefined) return;
      Atomics.store(stop, 0, 1);
      ended = { settle, timer: setTimeout(() => finish(settle, false), graceMilliseconds) };
    };
    const onAbort = (): void => end(() => waiting.reject(cancelled()));
    const crashed = (cause: unknown): void => finish(() => waiting.reject(crash(cause)), false);
    const onExit = (code: number): void => crashed(new Error(`the thread ended with ${code}`));
    const { limitSeconds } = waiting;
    const late = (): void => end(() => waiting.resolve({ kind: "timed-out", limitSeconds }));
    const stopLimit = afterWorkOf(ownWork, limitSeconds, late);
    thread.ref();
    thread.on("message", onMessage).on("error", crashed).on("exit", onExit);
    waiting.signal.addEventListener("abort", onAbort, { once: true });
    thread.postMessage(waiting.job);
  }

  private discard(thread: Worker): void {
    this.alive.delete(thread);
    void thread.terminate();
  }
}

function cancelled(): OperationalError {
  return new OperationalError("cancelled", { forUser: "the launch was cancelled" });
}

function crash(cause: unknown): OperationalError {
  const told = cause instanceof Error ? cause.message : String(cause);
  return new OperationalError("worker-lost", {
    forUser: `the virtual GPU crashed: ${told}; the next launch starts it anew`,
    cause,
  });
}
