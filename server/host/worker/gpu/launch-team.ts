import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Arithmetic } from "../../../core/base/arithmetic";
import type { LaunchOutcome } from "../../../core/vgpu/index";
import type { HelperWork, LaunchTeam } from "../../spread/launch-spread";

/** What a helper compiles a kernel from. */
export interface KernelText {
  readonly ptx: string;
  readonly entry: string;
  readonly triton: boolean;
  readonly arithmetic?: Arithmetic;
}

const mostHelpers = 7;
const heapMegabytes = 512;

/**
 * What a thread of the virtual GPU is started with: the file to start helpers from; without one it is a
 * helper itself.
 */
export interface ThreadData {
  readonly threadFile?: string;
  /** One word, set when the present launch is to end; a helper has none. */
  readonly stop?: SharedArrayBuffer;
}

/**
 * Threads of a launching thread, started when a launch is long enough for the first time. They end with the
 * thread that started them.
 */
export class HelperTeam implements LaunchTeam<KernelText, Promise<LaunchOutcome>> {
  private readonly threads: Worker[] = [];

  constructor(
    private readonly threadFile: string,
    readonly size = Math.min(mostHelpers, availableParallelism() - 1),
  ) {}

  /** Rejects when the thread crashes. */
  help(index: number, work: HelperWork<KernelText>): Promise<LaunchOutcome> {
    const thread = (this.threads[index] ??= this.start());
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        thread.off("message", answered).off("error", reject).off("exit", ended);
        then();
      };
      const answered = (outcome: LaunchOutcome): void => settle(() => resolve(outcome));
      const ended = (code: number): void =>
        settle(() => reject(new Error(`a helping thread ended with ${code}`)));
      thread.on("message", answered).on("error", reject).on("exit", ended);
      thread.postMessage(work);
    });
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.terminate()));
  }

  private start(): Worker {
    const thread = new Worker(this.threadFile, {
      workerData: {} satisfies ThreadData,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
      stdout: true,
      stderr: true,
    });
    thread.unref();
    return thread;
  }
}
