import { decidingTime } from "../../../judge/time-that-counts";
import { launchOccupancy } from "../../../timing/bound";
import type { Occupancy } from "../../../timing/occupancy";
import { findLaunchSites } from "../../../language/cuda/model";
import { evaluateLaunchSite } from "../../../language/launch-evaluation";
import { lineOf } from "../../../language/query";
import { launchesOf } from "./hosts/host-loops";
import type { DiagnosisEntry } from "./entry";
import { limitIn } from "./entry";
import { type Finding, fraction, type Measured, pipes, shareOn } from "./measured";

/** Where the launch stands, or the kernel where the launch is not in its file. */
function launchLine(measured: Measured): number {
  const { view } = measured;
  const [call] =
    view === undefined
      ? launchesOf(measured).map((launch) => launch.call)
      : view.launches.map((launch) => launch.call);
  return call === undefined ? (view?.line ?? 1) : lineOf(call);
}

/** Fewer blocks than multiprocessors, though each has work enough to share. */
export function smallGrid(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { launch, gpu, totals, warps } = measured;
  const most = gpu.multiprocessors;
  if (launch === undefined || launch.blocks >= most || fillsGpu(measured)) return [];
  // Beside a launch of many warps the average says little of this one; its time does.
  const isLong = launch.bound.nanoseconds >= limitIn(entry, "nanoseconds");
  if (!isLong && totals.instructions / warps < limitIn(entry, "instructionsEach")) return [];
  const idle = 1 - launch.blocks / most;
  const share = shareOn(measured, [...pipes, "l1", "l2", "shared", "atomics", "tensor", "latency"], idle);
  return [{ line: launchLine(measured), share, blanks: { value: launch.blocks, ideal: most } }];
}

/**
 * True where the source launches the kernel itself with constants that make blocks enough: the sizes that it
 * was judged with are smaller ones, for it takes long.
 */
function fillsGpu({ view, gpu, input }: Measured): boolean {
  if (view === undefined || input.spec.run.kind !== "launch") return false;
  const [site] = findLaunchSites(view.model.root).filter((each) => each.kernel === view.kernel.facts.name);
  const shape = site && evaluateLaunchSite({ site, arguments: [], sizes: {} });
  if (shape === undefined || !shape.ok) return false;
  const [x, y, z] = shape.value.grid;
  return x * y * z >= gpu.multiprocessors;
}

/** Few warps on a multiprocessor at the same time, for each takes much of its registers or shared memory. */
export function lowOccupancy(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  return crowdedOut(measured, entry, ["registers", "shared-memory"]);
}

/** Blocks of so few threads that a multiprocessor holds few warps, or that are no whole warps. */
export function smallBlocks(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { launch, lanes } = measured;
  const partly = 1 - lanes / 32;
  const whole = crowdedOut(measured, entry, ["blocks"]);
  if (launch === undefined || partly < 0.05) return whole;
  const share = shareOn(measured, [...pipes, "latency"], partly);
  return [
    ...whole,
    { line: launchLine(measured), share, blanks: { value: launch.threadsPerBlock, ideal: 32 } },
  ];
}

function crowdedOut(
  measured: Measured,
  entry: DiagnosisEntry,
  limiters: readonly Occupancy["limiter"][],
): readonly Finding[] {
  const { launch, gpu, input, time } = measured;
  if (launch === undefined) return [];
  const { fraction: part, blocksPerSm, limiter, warpsPerSm } = launchOccupancy(launch, gpu);
  const fills = launch.blocks >= gpu.multiprocessors * (blocksPerSm + 1);
  if (!limiters.includes(limiter) || !fills || part > limitIn(entry, "most")) return [];
  const missing = 1 - part / limitIn(entry, "enough");
  const { bound } = input;
  const waiting = fraction(decidingTime(bound) === undefined ? 0 : time - bound.nanoseconds, time);
  const share = Math.max(shareOn(measured, ["latency"], missing), waiting * missing * 0.5);
  const most = Math.round(warpsPerSm / Math.max(part, 0.01));
  return [{ line: launchLine(measured), share, blanks: { value: warpsPerSm, ideal: most } }];
}
