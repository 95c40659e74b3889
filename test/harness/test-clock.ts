import { OperationalError } from "../../server/core/base/operational-error";
import type { Clock } from "../../server/core/ports/clock";

/** A clock that only the test moves: sleeping takes no time and is written down. */
export class TestClock implements Clock {
  readonly sleeps: number[] = [];
  private microseconds = 0;

  now(): string {
    return "2026-01-01T00:00:00.000Z";
  }

  monotonicMicroseconds(): number {
    return this.microseconds;
  }

  advance(milliseconds: number): void {
    this.microseconds += milliseconds * 1000;
  }

  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    await Promise.resolve();
    if (signal.aborted) throw new OperationalError("cancelled", { forUser: "cancelled while waiting" });
    this.sleeps.push(milliseconds);
    this.advance(milliseconds);
  }
}
