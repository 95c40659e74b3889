import { warpActivities } from "../../../../server/core/timing/execution/launch-model";
import type { SimulationView } from "../../../../server/protocol/performance-views";

/** Size of the picture and its edges, in its own units. */
export const timelineSize = { width: 900, height: 260, left: 64, right: 64, top: 12, bottom: 34 } as const;

/** What the warps do for one reason, over the whole time: a band between two lines. */
export interface Band {
  /** Index among the activities. */
  readonly activity: number;
  readonly path: string;
  /** Of the warps' time from start to end. */
  readonly share: number;
}

interface MultiprocessorTimeline {
  readonly bands: readonly Band[];
  /** Instructions a clock, as the path of a line. */
  readonly pace: string;
  /** Times on the axis. */
  readonly ticks: readonly { readonly x: number; readonly nanoseconds: number }[];
}

/** What the resident warps do when they do not wait. */
const issuedAt = warpActivities.indexOf("issued");

/** Instructions that one multiprocessor can issue in a clock. */
export const mostPerClock = 4;

/**
 * Bands that lie on each other in `order`, a step for each stretch; they fill the height where warps are at
 * work.
 */
export function timelineOf(
  { stretches, nanoseconds, simulatedShare }: SimulationView,
  order: readonly number[],
): MultiprocessorTimeline {
  const { width, height, left, right, top, bottom } = timelineSize;
  const end = Math.max(nanoseconds * simulatedShare, ...stretches.map((each) => each.fromNanoseconds));
  const x = (time: number): string =>
    (left + (time / Math.max(end, 1e-9)) * (width - left - right)).toFixed(1);
  const y = (share: number): string => (height - bottom - share * (height - top - bottom)).toFixed(1);
  const filled = filledStretches(stretches.map(({ shares }) => shares));
  const starts = stretches.map((each) => each.fromNanoseconds);
  const edges = [...starts, end];
  const steps = (heights: readonly number[]): readonly (readonly [string, string])[] =>
    heights.flatMap((share, at) => [
      [x(edges[at] ?? 0), y(share)] as const,
      [x(edges[at + 1] ?? end), y(share)] as const,
    ]);
  const line = (points: readonly (readonly [string, string])[]): string =>
    points.map((point) => point.join(" ")).join("L");
  let below = stretches.map(() => 0);
  const bands = order.map((activity): Band => {
    const above = filled.map((shares, at) => (below[at] ?? 0) + (shares[activity] ?? 0));
    const path = `M${line(steps(above))}L${line([...steps(below)].reverse())}Z`;
    below = above;
    return { activity, path, share: meanShare(filled, edges, activity) };
  });
  return {
    bands: bands.filter(({ share }) => share > 0),
    pace: `M${line(steps(stretches.map((each) => Math.min(1, each.instructionsPerClock / mostPerClock))))}`,
    ticks: [0, 0.25, 0.5, 0.75, 1].map((part) => ({ x: Number(x(part * end)), nanoseconds: part * end })),
  };
}

type Shares = readonly number[];

/**
 * A wait is booked in the stretch in which it ends: one in which nothing was booked is as the waits of the
 * next one.
 */
function filledStretches(stretches: readonly Shares[]): readonly Shares[] {
  return stretches.map((shares, at) => {
    if (sumOf(shares) > 0) return shares;
    const next = stretches.slice(at).find((each) => sumOf(each) > 0);
    const waits = (next ?? []).map((share, activity) => (activity === issuedAt ? 0 : share));
    return waits.map((share) => (sumOf(waits) > 0 ? share / sumOf(waits) : 0));
  });
}

function sumOf(shares: Shares): number {
  return shares.reduce((sum, share) => sum + share, 0);
}

/** Over the whole time: long stretches count for more. */
function meanShare(stretches: readonly Shares[], edges: readonly number[], activity: number): number {
  let [whole, sum] = [0, 0];
  stretches.forEach((shares, at) => {
    const lasts = (edges[at + 1] ?? 0) - (edges[at] ?? 0);
    whole += lasts;
    sum += lasts * (shares[activity] ?? 0);
  });
  return whole > 0 ? sum / whole : 0;
}
