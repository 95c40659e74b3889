import type { CaptureLimits } from "../../../../core/workload/capture/captured";
import type { CompiledKernel } from "../../../../core/vgpu/index";
import type { DeviceStore } from "../device-store";

import type { DeviceLaunch } from "../launch-checks";
import { type EndOfLaunch, LaunchEffects } from "./launch-effects";
import { LaunchRecorder } from "./launch-recorder";
import type { DeviceReport } from "../report";

export interface WatchOptions {
  /** Launches are recorded, up to these limits. */
  readonly record?: CaptureLimits;
  /** Sizes in bytes of allocations whose last contents are reported. */
  readonly watched?: readonly number[];
}

/** Looks at launches for those who asked what they find and leave. */
export class LaunchWatch {
  private readonly recorder: LaunchRecorder | undefined;
  private readonly effects: LaunchEffects | undefined;

  constructor({ record, watched }: WatchOptions, store: DeviceStore) {
    this.recorder = record && new LaunchRecorder(record, store);
    this.effects = watched && new LaunchEffects(store, watched);
    store.effects = this.effects;
  }

  /** Every launch counts where nobody asked. */
  begin(launch: DeviceLaunch, kernel: CompiledKernel): EndOfLaunch {
    const recorded = this.recorder?.begin(launch, kernel);
    const ended = this.effects?.begin(launch, kernel);
    return () => {
      recorded?.();
      return ended?.() ?? true;
    };
  }

  report(): Pick<DeviceReport, "capture" | "lastContents"> {
    return {
      ...(this.recorder && { capture: this.recorder.capture() }),
      ...(this.effects && { lastContents: this.effects.contents() }),
    };
  }
}
