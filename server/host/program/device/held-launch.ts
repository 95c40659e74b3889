/**
 * A launch that lets its dependents begin before it has ended (`griddepcontrol.launch_dependents`), held back
 * until it is known whether one does. What a dependent one does before it waits comes first then: a GPU
 * promises nothing about what it sees there of the grid before (PTX ISA, griddepcontrol).
 */
export class HeldLaunch {
  private held: (() => void) | undefined;

  /** Holds a launch, behind which nothing else may be done before `settle` or `take`. */
  hold(run: () => void): void {
    this.held = run;
  }

  /** Runs what is held. */
  settle(): void {
    this.take()?.();
  }

  /** What is held, for a dependent launch to run when it waits for it. */
  take(): (() => void) | undefined {
    const { held } = this;
    this.held = undefined;
    return held;
  }
}
