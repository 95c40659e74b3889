import { OperationalError } from "../../base/operational-error";
import type { BudgetLimits } from "../../trajectory/events";
import { untilAborted } from "../abort";
import type { Budget } from "../budget";
import type { Recorder } from "../recorder";

/** The hand on a run: it rests between two steps while the user has paused it, and gets a greater budget. */
export class RunControl {
  private run: { readonly recorder: Recorder; readonly budget: Budget } | undefined;
  private isTaken = false;
  private pausing: { readonly ended: Promise<void>; readonly end: () => void } | undefined;

  /** Ties it to a run that begins. */
  attach(recorder: Recorder, budget: Budget): void {
    this.run = { recorder, budget };
  }

  /** From the next step on the run rests; what it is busy with is finished first. */
  async pause(): Promise<void> {
    const { recorder } = this.running();
    if (this.pausing !== undefined) return;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.pausing = { ended, end };
    await recorder.append("session.paused", "user", { paused: true });
  }

  /** Goes on after a pause. */
  async proceed(): Promise<void> {
    const { recorder } = this.running();
    const { pausing } = this;
    if (pausing === undefined) return;
    this.pausing = undefined;
    await recorder.append("session.paused", "user", { paused: false });
    pausing.end();
  }

  /** Adds to what the run may use. */
  async raise(more: BudgetLimits): Promise<void> {
    const { recorder, budget } = this.running();
    budget.raise(more);
    await recorder.append("budget.updated", "user", {
      limits: budget.limits,
      used: budget.used,
    });
  }

  /** The user ends the run for the best version so far. Its caller fires the signal of the run. */
  takeBest(): void {
    this.running();
    this.isTaken = true;
  }

  /** True once the user has ended the run for what it has. */
  get wasTaken(): boolean {
    return this.isTaken;
  }

  /**
   * Resolves at once, or when the pause ends; its time is not the run's. Throws when the run is cancelled.
   */
  async passed(signal: AbortSignal): Promise<void> {
    const { pausing, run } = this;
    if (pausing === undefined || run === undefined) return;
    await run.budget.resting(() => untilAborted(signal, () => pausing.ended));
    await this.passed(signal);
  }

  private running(): { readonly recorder: Recorder; readonly budget: Budget } {
    if (this.run === undefined || this.run.recorder.isSealed)
      throw new OperationalError("usage", {
        forUser: "The run has just ended.",
      });
    return this.run;
  }
}
