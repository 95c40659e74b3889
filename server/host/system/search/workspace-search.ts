import { Worker } from "node:worker_threads";
import { OperationalError } from "../../../core/base/operational-error";
import type { FoundText, TextSearch } from "../../../core/ports/files";
import type { SearchAnswer, SearchedPlace, SearchQuestion } from "./thread-messages";

interface Waiting {
  readonly resolve: (found: readonly FoundText[]) => void;
  readonly reject: (problem: OperationalError) => void;
}

/**
 * Searches a workspace in a thread, which starts with the first question and keeps what it learnt. It keeps
 * no process alive; one that crashed is replaced with the next question.
 */
export class WorkspaceSearch implements TextSearch {
  private thread: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;

  /** `threadFile`: the bundled server/host/system/search/search-thread.ts. */
  constructor(
    private readonly place: SearchedPlace,
    private readonly threadFile: string,
  ) {}

  search(word: string, suffixes: readonly string[]): Promise<readonly FoundText[]> {
    return new Promise((resolve, reject) => {
      this.thread ??= this.start();
      this.asked += 1;
      this.waiting.set(this.asked, { resolve, reject });
      this.thread.ref();
      this.thread.postMessage({ id: this.asked, word, suffixes } satisfies SearchQuestion);
    });
  }

  async close(): Promise<void> {
    await this.thread?.terminate();
  }

  private start(): Worker {
    const thread = new Worker(this.threadFile, { workerData: this.place, env: {} });
    thread.on("message", ({ id, found }: SearchAnswer) => {
      this.waiting.get(id)?.resolve(found);
      this.waiting.delete(id);
      if (this.waiting.size === 0) thread.unref();
    });
    // An error ends in the exit of the thread.
    let cause: unknown;
    thread.on("error", (thrown) => (cause = thrown));
    thread.on("exit", () => {
      this.thread = undefined;
      const problem = new OperationalError("file-unreadable", {
        forUser: "the files of the workspace folder cannot be searched",
        cause,
      });
      for (const { reject } of this.waiting.values()) reject(problem);
      this.waiting.clear();
    });
    return thread;
  }
}
