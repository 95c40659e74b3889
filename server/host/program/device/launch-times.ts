import { modelledBound } from "../../../core/timing/bound";
import { isTrusted } from "../../../core/timing/execution/launch-model";
import type { Executed } from "../../../core/timing/execution/executed";
import type { GpuModel } from "../../../core/timing/gpu-model";
import type { LaunchProfile } from "../../../core/timing/launch-profile";
import { modelLaunch } from "../../../core/simulate/index";
import type { DeviceLaunch } from "./launch-checks";

/** Different launches of a program that are simulated: each may take a sixth of a second. */
const mostSimulated = 48;
/** Machine instructions of each that are simulated. */
const instructions = 60_000;

/** A launch that was counted. */
interface CountedLaunch {
  readonly launch: DeviceLaunch;
  readonly profile: LaunchProfile;
  /** What its instructions did; the first launch of its shape tells it. */
  readonly executed?: Executed | undefined;
  /** Empty where the program brought no machine code. */
  readonly cubin: Uint8Array;
}

/**
 * Simulated times of a program's launches. The first launch of a kernel in each shape is simulated; further
 * ones take as much longer or shorter as their bounds are.
 */
export class LaunchTimes {
  /** Simulated time over the bound, by launch; undefined where it was tried and is not to be trusted. */
  private readonly ratios = new Map<string, number | undefined>();

  constructor(private readonly gpu: GpuModel) {}

  /** Whether the launch would be simulated if its instructions were told. */
  wants(launch: DeviceLaunch): boolean {
    return this.ratios.size < mostSimulated && !this.ratios.has(keyOf(launch));
  }

  /** Nanoseconds of one launch; undefined where no simulation says it. */
  of(counted: CountedLaunch): number | undefined {
    const key = keyOf(counted.launch);
    const bound = modelledBound([counted.profile], this.gpu).nanoseconds;
    if (counted.executed && this.wants(counted.launch)) {
      const simulated = this.simulate(counted, counted.executed);
      this.ratios.set(key, simulated === undefined ? undefined : simulated / bound);
    }
    const ratio = this.ratios.get(key);
    return ratio === undefined ? undefined : ratio * bound;
  }

  private simulate({ launch, profile, cubin }: CountedLaunch, executed: Executed): number | undefined {
    if (cubin.byteLength === 0) return undefined;
    const counted = { kernel: launch.kernel, shape: profile, executed, cubin };
    const model = modelLaunch(counted, this.gpu, { instructions });
    return model.ok && isTrusted(model.value) ? model.value.nanoseconds : undefined;
  }
}

function keyOf({ module, kernel, grid, block, dynamicSharedBytes }: DeviceLaunch): string {
  return JSON.stringify([Number(module), kernel, grid, block, dynamicSharedBytes]);
}
