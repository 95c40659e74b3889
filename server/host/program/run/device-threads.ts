import { Worker } from "node:worker_threads";
import { OperationalError } from "../../../core/base/operational-error";
import type {
  DeviceThreadData,
  DeviceThreadMessage,
  DeviceThreadOrder,
  DeviceWork,
} from "../service/device-thread";

export type SaidBy<Kind extends DeviceThreadMessage["kind"]> = Extract<DeviceThreadMessage, { kind: Kind }>;

/** Memory of a thread's JavaScript heap; the device's own memory lies outside of it. */
const heapMegabytes = 2048;
/** Threads that wait for the next program. */
const mostResting = 2;
/** A thread that nobody has needed for so long ends. */
const restMilliseconds = 60_000;
/** One that works for its program still, after so long, is ended with it. */
const settlingMilliseconds = 300;
/** A thread whose device held more than this ends with its program, and its memory with it. */
const mostKeptBytes = 256 * 1024 * 1024;

/**
 * Threads that devices run in, one for each program at a time. What V8 has compiled of the virtual GPU stays
 * with a thread, and nothing of a device does: one that has come to rest is given to the next program.
 */
export class DeviceThreads {
  private readonly resting: RestingThread[] = [];

  /** `threadFile`: the bundle that starts device-thread.ts. */
  constructor(private readonly threadFile: string) {}

  /** Begins a device's work; its first message says that it is ready. */
  begin(work: DeviceWork): DeviceThread {
    const rested = this.resting.pop();
    clearTimeout(rested?.end);
    const thread = rested?.thread ?? this.start();
    thread.ref();
    return new DeviceThread(thread, work, (bytes) => this.keep(thread, bytes));
  }

  private start(): Worker {
    const data: DeviceThreadData = { threadFile: this.threadFile };
    const thread = new Worker(this.threadFile, {
      workerData: data,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    thread.once("exit", () => this.forget(thread));
    return thread;
  }

  /** Whether a thread whose device held so many bytes waits for another program. */
  private keep(thread: Worker, bytes: number): boolean {
    if (this.resting.length >= mostResting || bytes > mostKeptBytes) return false;
    thread.unref();
    const end = setTimeout(() => {
      this.forget(thread);
      void thread.terminate();
    }, restMilliseconds).unref();
    this.resting.push({ thread, end });
    return true;
  }

  private forget(thread: Worker): void {
    const index = this.resting.findIndex((each) => each.thread === thread);
    if (index >= 0) this.resting.splice(index, 1);
  }
}

interface RestingThread {
  readonly thread: Worker;
  /** Ends it when nobody has needed it for long. */
  readonly end: NodeJS.Timeout;
}

/** A thread as long as it works for one device. */
class DeviceThread {
  /** Resolves when the thread has crashed; never otherwise. */
  readonly crashed: Promise<OperationalError>;
  private ended: Promise<void> | undefined;

  /** `keep`: takes the thread back, or says that it should end. */
  constructor(
    private readonly thread: Worker,
    work: DeviceWork,
    private readonly keep: (bytes: number) => boolean,
  ) {
    this.crashed = new Promise((resolve) => thread.once("error", (cause) => resolve(crash(cause))));
    this.tell({ kind: "work", work });
  }

  tell(order: DeviceThreadOrder): void {
    this.thread.postMessage(order);
  }

  listen(hear: (message: DeviceThreadMessage) => void): void {
    this.thread.on("message", hear);
  }

  /** The next message of a kind. Throws when the thread has crashed. */
  next<Kind extends DeviceThreadMessage["kind"]>(kind: Kind): Promise<SaidBy<Kind>> {
    const said = new Promise<SaidBy<Kind>>((resolve) => {
      const listen = (message: DeviceThreadMessage): void => {
        if (message.kind !== kind) return;
        this.thread.off("message", listen);
        resolve(message as SaidBy<Kind>);
      };
      this.thread.on("message", listen);
    });
    return Promise.race([
      said,
      this.crashed.then((problem) => {
        throw problem;
      }),
    ]);
  }

  /** Ends the device's work, whatever it does. */
  close(): Promise<void> {
    this.ended ??= this.settle();
    return this.ended;
  }

  private async settle(): Promise<void> {
    const rested = this.next("rested").catch(() => undefined);
    this.tell({ kind: "rest" });
    const said = await withinMilliseconds(settlingMilliseconds, rested);
    this.thread.removeAllListeners("message");
    this.thread.removeAllListeners("error");
    // A thread that crashes while it rests is missed by nobody.
    this.thread.on("error", () => undefined);
    if (said === undefined || !this.keep(said.bytes)) await this.thread.terminate();
  }
}

function crash(cause: unknown): OperationalError {
  return new OperationalError("worker-lost", {
    forUser: `the virtual GPU crashed: ${cause instanceof Error ? cause.message : String(cause)}`,
    cause,
  });
}

/** What was promised, or nothing where it is not there in time. */
async function withinMilliseconds<Value>(
  milliseconds: number,
  promised: Promise<Value>,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  return Promise.race([promised, late]).finally(() => clearTimeout(timer));
}
