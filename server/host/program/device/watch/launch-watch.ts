import type { CaptureLimits } from "../../../../core/workload/capture/captured";
import type { CompiledKernel } from "../../../../core/vgpu/index";
import type { DeviceStore } from "../device-store";

import type { DeviceLaunch } from "../launch-checks";
import { type EndOfLaunch, LaunchEffects } from "./launch-effects";
import { RepeatAllowance } from "./repeat-allowance";
import { LaunchRecorder } from "./launch-recorder";
import type { DeviceReport } from "../report";
import type { WatchedByte } from "./watched-byte";

export interface WatchOptions {
  /** Launches are recorded, up to these limits. */
  readonly record?: CaptureLimits;
  /** Sizes in bytes of allocations whose last contents are reported. */
  readonly watched?: readonly number[];
  /** Is told who stores to a byte. */
  readonly watchedByte?: WatchedByte;
}

/** Looks at launches for those who asked what they find and leave. */
export class LaunchWatch {
  private readonly recorder: LaunchRecorder | undefined;
  private readonly effects: LaunchEffects | undefined;
  private readonly repeats: RepeatAllowance;

  /** `now`: milliseconds. */
  constructor({ record, watched }: WatchOptions, store: DeviceStore, now: () => number) {
    this.recorder = record && new LaunchRecorder(record, store);
    this.repeats = new RepeatAllowance(record?.repeatMilliseconds, now);
    this.effects = watched && new LaunchEffects(store, watched);
    store.effects = this.effects;
  }

  /** Every launch counts where nobody asked. Undefined: the launch is to be skipped. */
  begin(launch: DeviceLaunch, kernel: CompiledKernel): EndOfLaunch | undefined {
    const repeated = this.repeats.begin(() => this.recorder?.showsNothingNew(launch, kernel) ?? false);
    if (repeated === undefined) return undefined;
    const recorded = this.recorder?.begin(launch, kernel);
    const ended = this.effects?.begin(launch, kernel);
    return (completed) => {
      repeated();
      recorded?.(completed);
      return ended?.(completed) ?? true;
    };
  }

  report(): Pick<DeviceReport, "capture" | "lastContents"> {
    return {
      ...(this.recorder && { capture: { ...this.recorder.capture(), skipped: this.repeats.skipped } }),
      ...(this.effects && { lastContents: this.effects.contents() }),
    };
  }
}
