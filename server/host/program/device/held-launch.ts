import type { CompiledKernel } from "../../../core/vgpu/index";
import type { DeviceLaunch } from "./launch-checks";

/**
 * A launch that lets its dependents begin before it has ended (`griddepcontrol.launch_dependents`), held back
 * until it is known whether one does. What a dependent one does before it waits comes first then: a GPU
 * promises nothing about what it sees there of the grid before (PTX ISA, griddepcontrol).
 */
export class HeldLaunch {
  private held: (() => void) | undefined;
  /** Launches whose dependents have run, some of which never waited. */
  private readonly passed: (() => void)[] = [];

  /** Whether the launch behind may begin before this one ends. What asks the host runs by itself. */
  takes({ cooperative }: DeviceLaunch, { code }: CompiledKernel): boolean {
    return code.dependence.releases && code.systemCalls.size === 0 && !cooperative;
  }

  /** Holds a launch, behind which nothing else may be done before `settle` or `take`. */
  hold(run: () => void): void {
    this.held = run;
  }

  /** Runs all that is held: to be called before anything else is asked of the device. */
  settle(): void {
    this.take()?.();
    // What runs may leave behind what it has not waited for itself.
    for (let run = this.passed.shift(); run; run = this.passed.shift()) run();
  }

  /**
   * A dependent has run to its end. Where it has not waited, what it depends on need not be done: a wait of a
   * later launch is for that dependent alone ("if the prerequisite grid is using launch_dependents, the
   * dependent grid must use wait", PTX ISA, griddepcontrol).
   */
  pass(before: () => void): void {
    this.passed.push(before);
  }

  /** What is held, for a dependent launch to run when it waits for it; called again it does nothing. */
  take(): (() => void) | undefined {
    const { held } = this;
    this.held = undefined;
    let left = held;
    const once = (): void => {
      const run = left;
      left = undefined;
      run?.();
    };
    return held && once;
  }
}
