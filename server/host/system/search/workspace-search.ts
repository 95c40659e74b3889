import type { Worker } from "node:worker_threads";
import { OperationalError } from "../../../core/base/operational-error";
import type { FoundText, TextSearch } from "../../../core/ports/files";
import type { SearchThreads } from "./search-threads";
import type { SearchAnswer, SearchedPlace, SearchQuestion, SearchWork } from "./thread-messages";

/** A question that some threads have not answered yet. */
interface Waiting {
  readonly found: FoundText[];
  missing: number;
  readonly resolve: (found: readonly FoundText[]) => void;
  readonly reject: (problem: OperationalError) => void;
}

/**
 * Searches a workspace in threads, each of which reads a part of the files. They start with the first
 * question and keep what they learnt. They keep no process alive; where one crashed, all are replaced with
 * the next question.
 */
export class WorkspaceSearch implements TextSearch {
  private threads: readonly Worker[] = [];
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;

  constructor(
    private readonly place: SearchedPlace,
    private readonly supply: SearchThreads,
  ) {}

  search(word: string, suffixes: readonly string[]): Promise<readonly FoundText[]> {
    return new Promise((resolve, reject) => {
      if (this.threads.length === 0) this.threads = this.start();
      this.asked += 1;
      this.waiting.set(this.asked, { found: [], missing: this.threads.length, resolve, reject });
      for (const thread of this.threads) {
        thread.ref();
        thread.postMessage({ id: this.asked, word, suffixes } satisfies SearchQuestion);
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.terminate()));
  }

  private start(): readonly Worker[] {
    const threads = this.supply.take();
    for (const [number, thread] of threads.entries()) {
      const share = { number, of: threads.length };
      thread.postMessage({ ...this.place, share } satisfies SearchWork);
    }
    for (const thread of threads) this.listen(thread, threads);
    return threads;
  }

  private listen(thread: Worker, all: readonly Worker[]): void {
    thread.on("message", (answer: SearchAnswer) => this.take(answer));
    // An error ends in the exit of the thread.
    let cause: unknown;
    thread.on("error", (thrown) => (cause = thrown));
    thread.on("exit", () => {
      if (this.threads !== all) return;
      this.threads = [];
      for (const other of all) void other.terminate();
      this.fail(cause);
    });
  }

  private take({ id, found }: SearchAnswer): void {
    const question = this.waiting.get(id);
    if (question === undefined) return;
    question.found.push(...found);
    question.missing -= 1;
    if (question.missing > 0) return;
    this.waiting.delete(id);
    question.resolve(question.found.sort(byPath));
    if (this.waiting.size === 0) for (const thread of this.threads) thread.unref();
  }

  private fail(cause: unknown): void {
    const problem = new OperationalError("file-unreadable", {
      forUser: "the files of the workspace folder cannot be searched",
      cause,
    });
    for (const { reject } of this.waiting.values()) reject(problem);
    this.waiting.clear();
  }
}

function byPath(a: FoundText, b: FoundText): number {
  if (a.path === b.path) return 0;
  return a.path < b.path ? -1 : 1;
}
