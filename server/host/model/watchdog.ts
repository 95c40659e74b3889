import type { Disposable } from "../../core/base/disposable";

/** Aborts an attempt in which nothing arrives for too long: the library itself waits for a stalled server. */
export class Watchdog implements Disposable {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(milliseconds: number) {
    this.timer = setTimeout(() => this.controller.abort(), milliseconds);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Something arrived. */
  pat(): void {
    this.timer.refresh();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
