import { at, known } from "../../../../../core/base/known";
import type {
  BufferObservation,
  ProbeObservation,
  TouchedSpan,
} from "../../../../../core/workload/probe/observation";

/** What several launches touched that differ by what buffers hold, as if one had touched it; at least one. */
export function mergedObservation(seen: readonly ProbeObservation[]): ProbeObservation {
  const [first] = seen;
  const one = known(first, "what a launch touched");
  if (seen.length === 1) return one;
  const reach = (of: "loadReach" | "storeReach"): ProbeObservation["loadReach"] => {
    const along = (axis: 0 | 1 | 2): number => Math.max(...seen.map((each) => each[of][axis]));
    return [along(0), along(1), along(2)];
  };
  return {
    buffers: one.buffers.map((_, index) => mergedBuffer(seen.map(({ buffers }) => at(buffers, index)))),
    sharedBytes: Math.max(...seen.map(({ sharedBytes }) => sharedBytes)),
    loadReach: reach("loadReach"),
    storeReach: reach("storeReach"),
    isCut: seen.some(({ isCut }) => isCut),
    warpInstructions: seen.reduce((sum, { warpInstructions }) => sum + warpInstructions, 0),
    faults: seen.flatMap(({ faults }) => faults),
    isOfSeveral: true,
  };
}

function mergedBuffer(seen: readonly BufferObservation[]): BufferObservation {
  const end = ({ read, written }: BufferObservation): number => Math.max(read?.to ?? 0, written?.to ?? 0);
  const farthest = seen.reduce((best, each) => (end(each) > end(best) ? each : best));
  const spans = {
    read: mergedSpan(seen.map(({ read }) => read)),
    written: mergedSpan(seen.map(({ written }) => written)),
    readFirst: mergedSpan(seen.map(({ readFirst }) => readFirst)),
  };
  return {
    ...{ name: farthest.name, lastBy: farthest.lastBy },
    ...(farthest.rows && { rows: farthest.rows }),
    ...(spans.read && { read: spans.read }),
    ...(spans.written && { written: spans.written }),
    ...(spans.readFirst && { readFirst: spans.readFirst }),
    isAtomic: seen.some(({ isAtomic }) => isAtomic),
    contendedBytes: Math.max(...seen.map(({ contendedBytes }) => contendedBytes)),
    elementBytes: Math.max(...seen.map(({ elementBytes }) => elementBytes)),
    isFloat: seen.some(({ isFloat }) => isFloat),
    ...(new Set(seen.map(({ written }) => written?.bytes ?? 0)).size > 1 && { isSometimes: true as const }),
  };
}

/** Of bytes that were touched in several launches it is known that they are as many as those of the most. */
function mergedSpan(spans: readonly (TouchedSpan | undefined)[]): TouchedSpan | undefined {
  const touched = spans.flatMap((span) => span ?? []);
  if (touched.length === 0) return undefined;
  return {
    from: Math.min(...touched.map(({ from }) => from)),
    to: Math.max(...touched.map(({ to }) => to)),
    bytes: Math.max(...touched.map(({ bytes }) => bytes)),
  };
}
