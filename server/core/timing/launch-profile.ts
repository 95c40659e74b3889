import { type CounterSums, sumCounters } from "./counters";

/** How one launch was shaped. */
export interface LaunchShape {
  readonly blocks: number;
  readonly threadsPerBlock: number;
  readonly registersPerThread: number;
  /** Static and dynamic. */
  readonly sharedBytes: number;
  /**
   * Bytes of the buffers that the launch was given: what must cross to or from DRAM at least, as far as it is
   * touched.
   */
  readonly footprintBytes: number;
}

/** What one launch did and how it was shaped. */
export interface LaunchProfile extends LaunchShape {
  /** Name of the kernel, where several may be launched. */
  readonly kernel?: string;
  readonly counters: CounterSums;
  /** Launches of this shape that the counters are the sum of; one when left out. */
  readonly times?: number;
  /** Time of all of them by simulation on one GPU; left out where that is not known of each. */
  readonly simulated?: { readonly gpu: string; readonly nanoseconds: number };
}

/** Shapes of one kernel's launches that are told apart; a program may launch a kernel a million times. */
const shapesAtMost = 32;

/**
 * Adds a launch to those of its kernel: launches of one shape become one entry with their number. When there
 * are too many shapes, the newest takes the rest.
 */
export function addLaunch(launches: readonly LaunchProfile[], next: LaunchProfile): readonly LaunchProfile[] {
  const alike = launches.findIndex((each) => shapeOf(each) === shapeOf(next));
  const at = alike < 0 && launches.length >= shapesAtMost ? launches.length - 1 : alike;
  if (at < 0) return [...launches, next];
  return launches.map((each, index) => (index === at ? merge(each, next) : each));
}

function shapeOf({ blocks, threadsPerBlock, registersPerThread, sharedBytes }: LaunchProfile): string {
  return [blocks, threadsPerBlock, registersPerThread, sharedBytes].join();
}

function merge(known: LaunchProfile, next: LaunchProfile): LaunchProfile {
  const { simulated, ...rest } = known;
  const isKnown = simulated !== undefined && next.simulated !== undefined;
  return {
    ...rest,
    counters: sumCounters([known.counters, next.counters]),
    times: timesOf(known) + timesOf(next),
    footprintBytes: known.footprintBytes + next.footprintBytes,
    ...(isKnown && {
      simulated: { gpu: simulated.gpu, nanoseconds: simulated.nanoseconds + next.simulated.nanoseconds },
    }),
  };
}

/** Launches that an entry stands for. */
export function timesOf({ times }: Pick<LaunchProfile, "times">): number {
  return times ?? 1;
}
