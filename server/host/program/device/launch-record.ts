import { mustGet } from "../../../core/base/known";
import { modelledBound, sectorBytes, waveOf } from "../../../core/timing/bound";
import type { LaunchProfile } from "../../../core/timing/launch-profile";
import { mergeCounters, type KernelCounters } from "../../../core/timing/counters";
import { type Sharing, withSharing } from "../../../core/timing/sample/representative";
import type { GpuModel } from "../../../core/timing/gpu-model";
import { addLaunch } from "../../../core/timing/launch-profile";
import type { KernelProfile } from "../../../core/words/profile";
import type { ExecutedLaunch, LaunchNote } from "../../../core/ports/entry-programs";
import { type LoadedModule, registersOf } from "./loaded-module";
import type { DeviceLaunch } from "./launch-checks";
import { LaunchTimes } from "./launch-times";
import { ThoroughLaunches } from "./watch/thorough-launches";

/** Launches that are remembered one by one. */
const mostNotes = 64;
/** Launches whose instructions are remembered; of more than these none is told. */
const mostExecuted = 16;

/** Counters of all launches that were counted, by kernel, and the time that they would take by the model. */
export class LaunchRecord {
  private readonly kernels = new Map<string, KernelProfile>();
  private readonly noted: LaunchNote[] = [];
  private readonly instructions: ExecutedLaunch[] = [];
  private counted = 0;
  private modelled = 0;
  /** Where launches are simulated. */
  private readonly times: LaunchTimes | undefined;
  readonly thorough: ThoroughLaunches;
  /** Of all launches that ran. */
  warpInstructions = 0;

  constructor(
    private readonly gpu: GpuModel,
    {
      simulates = false,
      thoroughInstructions,
    }: {
      readonly simulates?: boolean | undefined;
      readonly thoroughInstructions?: number | undefined;
    } = {},
  ) {
    this.thorough = new ThoroughLaunches(thoroughInstructions);
    this.times = simulates ? new LaunchTimes(gpu) : undefined;
  }

  /** Nanoseconds of all counted launches, one after the other. */
  get modelledNanoseconds(): number {
    return this.modelled;
  }

  /** The first launches, in order. */
  get launches(): readonly LaunchNote[] {
    return this.noted;
  }

  /** All counted launches with what their instructions did; undefined where that is not known of each. */
  get executed(): readonly ExecutedLaunch[] | undefined {
    return this.counted > 0 && this.instructions.length === this.counted ? this.instructions : undefined;
  }

  /** How much of what a launch's instructions do is to be kept of it: all for its simulation, or as asked. */
  keeps(launch: DeviceLaunch, asked: "whole" | "sampled" | undefined): "whole" | "sampled" | undefined {
    if (this.times?.wants(launch) === true) return "whole";
    return this.counted === this.instructions.length && this.counted < mostExecuted ? asked : undefined;
  }

  /** Remembers how a kernel was launched. */
  note({ kernel, grid, block, dynamicSharedBytes, parameters }: DeviceLaunch): void {
    if (this.noted.length >= mostNotes) return;
    this.noted.push({ kernel, grid, block, dynamicSharedBytes, parameters: parameters.slice() });
  }

  /** `footprintBytes`: see `LaunchProfile`. */
  add(
    launch: DeviceLaunch,
    ran: {
      readonly module: LoadedModule;
      readonly counters: KernelCounters;
      readonly footprintBytes: number;
      /** Of a sampled launch: what its blocks load in common. */
      readonly sharing?: Sharing;
    } & Pick<Partial<ExecutedLaunch>, "executed" | "sample">,
  ): void {
    const { module, counters, footprintBytes, sharing, executed, sample } = ran;
    const facts = mustGet(module.kernels, launch.kernel);
    const product = (sizes: readonly number[]): number => sizes.reduce((result, size) => result * size, 1);
    const shape = {
      blocks: product(launch.grid),
      threadsPerBlock: product(launch.block),
      registersPerThread: registersOf(facts),
      sharedBytes: facts.staticSharedBytes + launch.dynamicSharedBytes,
      footprintBytes,
    };
    this.counted += 1;
    if (executed && !this.times && this.instructions.length < mostExecuted)
      this.instructions.push({ kernel: launch.kernel, shape, executed, ...(sample && { sample }) });
    const totals = sharing
      ? withSharing(counters.totals, sharing, {
          grid: launch.grid,
          wave: waveOf(shape, this.gpu),
          footprint: footprintBytes / sectorBytes,
        })
      : counters.totals;
    const counted: LaunchProfile = { ...shape, counters: totals };
    const simulated = this.times?.of({ launch, profile: counted, executed, cubin: module.cubin });
    const { name: gpu } = this.gpu;
    const profile =
      simulated === undefined ? counted : { ...counted, simulated: { gpu, nanoseconds: simulated } };
    // Whole nanoseconds, so that the same launch takes the same time whatever ran before.
    this.modelled += Math.round(simulated ?? modelledBound([counted], this.gpu).nanoseconds);
    const known = this.kernels.get(launch.kernel);
    this.kernels.set(launch.kernel, {
      kernel: launch.kernel,
      counters: known ? mergeCounters([known.counters, counters]) : counters,
      profiles: addLaunch(known?.profiles ?? [], profile),
      facts: known?.facts ?? (facts.machine ? [facts.machine] : []),
    });
  }

  list(): readonly KernelProfile[] {
    return [...this.kernels.values()];
  }
}
