import { completeCounters } from "../timing/counters";
import type { Verdict } from "./verdict";

/**
 * A verdict as a log of any version holds it, with 0 for each counter that was not known then. Anything else
 * is returned unchanged.
 */
export function completeVerdict(stored: Verdict): Verdict {
  if (stored.kind !== "correct" || !Array.isArray(stored.counters?.lines)) return stored;
  return { ...stored, counters: completeCounters(stored.counters) };
}
