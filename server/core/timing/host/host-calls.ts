import { known } from "../../base/known";
import type { GpuModel } from "../gpu-model";
import costs from "./host-costs.json";

/** Calls and the bytes of all of them together. */
interface CountedCalls {
  readonly calls: number;
  readonly bytes: number;
}

/** What host code asks of the CUDA runtime in one case beside launches, fills and copies on the device. */
export interface HostCalls {
  readonly toHost: CountedCalls;
  readonly toDevice: CountedCalls;
  /** Waits for work of the GPU behind which the host gives it more. */
  readonly waits: number;
  /** Each is taken with giving it back, whether or not that is done: memory that is kept comes no cheaper. */
  readonly allocations: { readonly small: number; readonly large: number; readonly pooled: number };
  /** Host memory that was locked for the GPU, of which earlier calls have kept none. */
  readonly pinned?: CountedCalls;
  /** Bytes that crossed since host and device share their memory: none of them is priced. */
  readonly sharedBytes: number;
  /** Bytes that kernels read and write in pinned memory of the host. */
  readonly crossedBytes?: number;
  /** Basic blocks of C++ host code that were passed; left out where nobody counts them. */
  readonly steps?: number;
}

const none: CountedCalls = { calls: 0, bytes: 0 };

/** Of host code that asks for nothing. */
export const noHostCalls: HostCalls = {
  toHost: { calls: 0, bytes: 0 },
  toDevice: { calls: 0, bytes: 0 },
  waits: 0,
  allocations: { small: 0, large: 0, pooled: 0 },
  sharedBytes: 0,
};

/** What host code takes beside the GPU's own time. */
export interface HostTime {
  /** Estimated from counts and published figures; see docs/model.md. */
  readonly nanoseconds: number;
  readonly calls: HostCalls;
  /** It is what a program takes more, or less, than it did as it was. */
  readonly isRelative?: boolean;
}

/** Nanoseconds of each call; host-costs.json says where they are from. */
export const hostCosts: Readonly<
  Record<"transferNanoseconds" | "waitNanoseconds" | "allocateNanoseconds" | "pooledNanoseconds", number>
> = costs;

/** Whether host code computes so much that it has a price of its own. */
export function computesMuch({ steps = 0 }: Pick<HostCalls, "steps">): boolean {
  return steps > costs.freeSteps;
}

/** How memory is held that host code asks for. */
export type AllocationKind = keyof HostCalls["allocations"];

/** Which kind of allocation so many bytes of cudaMalloc are. */
export function allocationKind(bytes: number): AllocationKind {
  return bytes > costs.largeBytes ? "large" : "small";
}

/** Calls with their time on a GPU's host; undefined where there are none. */
export function hostTime(calls: HostCalls, gpu: Pick<GpuModel, "capability">): HostTime | undefined {
  const {
    toHost,
    toDevice,
    waits,
    allocations,
    sharedBytes,
    crossedBytes = 0,
    steps = 0,
    pinned = none,
  } = calls;
  const nanoseconds =
    (toHost.calls + toDevice.calls) * costs.transferNanoseconds +
    // A gigabyte a second is a byte a nanosecond.
    (toHost.bytes + toDevice.bytes + crossedBytes) / linkRate(gpu) +
    pinned.calls * costs.pinNanoseconds +
    pinned.bytes / costs.pinGigabytesPerSecond +
    waits * costs.waitNanoseconds +
    Math.max(0, steps - costs.freeSteps) * costs.stepNanoseconds +
    allocations.small * costs.allocateNanoseconds +
    allocations.large * costs.allocateLargeNanoseconds +
    allocations.pooled * costs.pooledNanoseconds;
  return nanoseconds === 0 && sharedBytes === 0 ? undefined : { nanoseconds, calls };
}

/** So many runs of each, one after the other; undefined where none has any. */
export function weighedHostTime(
  runs: readonly { readonly host: HostTime | undefined; readonly weight: number }[],
): HostTime | undefined {
  const there = runs.flatMap(({ host, weight }) => (host === undefined ? [] : [{ host, weight }]));
  if (there.length === 0) return undefined;
  const sum = (of: (host: HostTime) => number): number =>
    there.reduce((all, { host, weight }) => all + weight * of(host), 0);
  const summed = (of: (calls: HostCalls) => CountedCalls): CountedCalls => ({
    calls: sum(({ calls }) => of(calls).calls),
    bytes: sum(({ calls }) => of(calls).bytes),
  });
  return {
    nanoseconds: sum(({ nanoseconds }) => nanoseconds),
    calls: {
      toHost: summed(({ toHost }) => toHost),
      toDevice: summed(({ toDevice }) => toDevice),
      waits: sum(({ calls }) => calls.waits),
      allocations: {
        small: sum(({ calls }) => calls.allocations.small),
        large: sum(({ calls }) => calls.allocations.large),
        pooled: sum(({ calls }) => calls.allocations.pooled),
      },
      sharedBytes: sum(({ calls }) => calls.sharedBytes),
      pinned: summed(({ pinned = none }) => pinned),
      crossedBytes: sum(({ calls }) => calls.crossedBytes ?? 0),
      steps: sum(({ calls }) => calls.steps ?? 0),
    },
  };
}

/**
 * What a program takes more than it did, times `factor`; undefined where it is the same. Of what crosses by
 * shared memory as well.
 */
export function relativeHostTime(
  now: HostTime | undefined,
  before: HostTime | undefined,
  factor: number,
): HostTime | undefined {
  const { nanoseconds, calls } = now ?? { nanoseconds: 0, calls: noHostCalls };
  const more = nanoseconds - (before?.nanoseconds ?? 0);
  const sharedBytes = Math.max(0, calls.sharedBytes - (before?.calls.sharedBytes ?? 0));
  if (more === 0 && sharedBytes === 0) return undefined;
  return { nanoseconds: more * factor, calls: { ...calls, sharedBytes }, isRelative: true };
}

/** Gigabytes a second of the link to the host: that of the latest capability which is no later. */
export function linkRate({ capability }: Pick<GpuModel, "capability">): number {
  const [, rate] = known(
    Object.entries(costs.gigabytesPerSecond)
      .filter(([from]) => Number(from) <= Number(capability))
      .toSorted(([a], [b]) => Number(b) - Number(a))[0],
    `the link of a GPU of capability ${capability}`,
  );
  return rate;
}
