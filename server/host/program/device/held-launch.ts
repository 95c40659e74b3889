import type { CompiledKernel } from "../../../core/vgpu/index";
import type { DeviceLaunch } from "./launch-checks";

/**
 * A launch that lets its dependents begin before it has ended (`griddepcontrol.launch_dependents`), held back
 * until it is known whether one does. What a dependent one does before it waits comes first then: a GPU
 * promises nothing about what it sees there of the grid before (PTX ISA, griddepcontrol).
 */
export class HeldLaunch {
  private held: (() => void) | undefined;

  /** Whether the launch behind may begin before this one ends. What asks the host runs by itself. */
  takes({ cooperative }: DeviceLaunch, { code }: CompiledKernel): boolean {
    return code.dependence.releases && code.systemCalls.size === 0 && !cooperative;
  }

  /** Holds a launch, behind which nothing else may be done before `settle` or `take`. */
  hold(run: () => void): void {
    this.held = run;
  }

  /** Runs what is held: to be called before anything else is asked of the device. */
  settle(): void {
    this.take()?.();
  }

  /** What is held, for a dependent launch to run when it waits for it; called again it does nothing. */
  take(): (() => void) | undefined {
    const { held } = this;
    this.held = undefined;
    let isDone = false;
    const once = (): void => {
      if (!isDone) held?.();
      isDone = true;
    };
    return held && once;
  }
}
