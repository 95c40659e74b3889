import { t } from "../../base/localized";
import { computesMuch, type HostCalls, type HostTime } from "../../timing/host/host-calls";
import { describeBytes, describeCount, describeNanoseconds, plural } from "../quantities";

/**
 * `host calls about 48 µs (3 transfers to the host, 2 waits)`, of a program `host calls about 12 µs less`;
 * undefined where nothing of it is priced.
 */
export function describeHostTime(host: HostTime): string | undefined {
  const { nanoseconds, calls, isRelative } = host;
  if (nanoseconds === 0) return undefined;
  const time = describeNanoseconds(Math.abs(nanoseconds));
  if (isRelative === true)
    return nanoseconds < 0 ? t`host calls about ${time} less` : t`host calls about ${time} more`;
  return t`host calls about ${time} (${describeCalls(calls)})`;
}

/** What host code takes before and after: `host calls about 48 µs → 12 µs`. */
export function describeHostChange(then: HostTime | undefined, now: HostTime | undefined): string {
  const [before, after] = [then, now].map((host) => host?.nanoseconds ?? 0) as [number, number];
  const isRelative = then?.isRelative === true || now?.isRelative === true;
  const time = describeNanoseconds(Math.abs(after - before));
  if (isRelative) return after < before ? t`host calls about ${time} less` : t`host calls about ${time} more`;
  return t`host calls about ${describeNanoseconds(before)} → ${describeNanoseconds(after)}`;
}

function describeCalls({
  toHost,
  toDevice,
  waits,
  allocations,
  crossedBytes = 0,
  steps = 0,
  pinned,
}: HostCalls): string {
  const taken = allocations.small + allocations.large + allocations.pooled;
  return [
    ...(toHost.calls > 0 ? [t`${plural(toHost.calls, "transfer")} to the host`] : []),
    ...(toDevice.calls > 0 ? [t`${plural(toDevice.calls, "transfer")} to the GPU`] : []),
    ...(crossedBytes > 0 ? [t`${describeBytes(crossedBytes)} that kernels move in the host's memory`] : []),
    ...(computesMuch({ steps }) ? [t`${describeCount(steps)} steps of its own`] : []),
    ...(waits > 0 ? [plural(waits, "wait")] : []),
    ...(taken > 0 ? [plural(taken, "allocation")] : []),
    ...(pinned !== undefined && pinned.calls > 0
      ? [t`${plural(pinned.calls, "allocation")} of pinned memory`]
      : []),
  ].join(", ");
}
