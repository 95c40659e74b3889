import type { TimedProcess } from "./timed-process";

/**
 * Processes that are started before a GPU is there for them, and hold nothing of a candidate's: the next
 * sessions take them.
 */
export class SpareProcesses {
  private readonly spares: Promise<TimedProcess>[] = [];
  private isClosed = false;

  constructor(private readonly start: () => Promise<TimedProcess>) {}

  /** Starts as many as are missing. */
  warm(count: number): void {
    while (!this.isClosed && this.spares.length < count) {
      const spare = this.start();
      // Whoever takes it is told.
      spare.catch(() => undefined);
      this.spares.push(spare);
    }
  }

  /** One that still runs. Throws why none starts. */
  async take(): Promise<TimedProcess> {
    for (let spare = this.spares.shift(); spare !== undefined; spare = this.spares.shift()) {
      const process = await spare;
      if (!process.ended) return process;
      await process.close();
    }
    return this.start();
  }

  /** Ends those that nobody has taken. */
  async close(): Promise<void> {
    this.isClosed = true;
    const spares = this.spares.splice(0);
    await Promise.all(spares.map((spare) => spare.then((process) => process.close()).catch(() => undefined)));
  }
}
