import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** The bundle of server/host/system/search/search-thread.ts. */
export const searchThreadFile = "search-thread.js";

/** Reading files is work of the processor for the most part: a second thread halves it, more gain little. */
const mostThreads = 2;

/**
 * Threads that search, each told its work by its first message. They keep no process alive.
 */
export class SearchThreads {
  private spare: readonly Worker[] = [];

  constructor(private readonly threadFile: string) {}

  /** Starts the threads that `take` gives next, so that whoever takes them need not wait for their start. */
  prepare(): void {
    if (this.spare.length === 0) this.spare = this.start();
  }

  take(): readonly Worker[] {
    const { spare } = this;
    this.spare = [];
    for (const thread of spare) thread.removeAllListeners();
    return spare.length > 0 ? spare : this.start();
  }

  private start(): readonly Worker[] {
    return Array.from({ length: Math.min(mostThreads, availableParallelism()) }, () => {
      const thread = new Worker(this.threadFile, { env: {} });
      thread.unref();
      // One that ends before anybody took it is replaced.
      thread.on("error", () => (this.spare = []));
      return thread;
    });
  }
}
