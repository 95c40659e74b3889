import type { DiagnosisEntry } from "../entry";
import { limitIn } from "../entry";
import { type Finding, fraction, type Measured, pipes, shareOn, worstLine } from "../measured";

/** Shared memory that is read or written in more passes than its requests need. */
export function bankConflicts(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { sharedWavefronts: value, sharedWavefrontsIdeal: ideal } = measured.totals;
  const worst = worstLine(measured.lines, (line) => line.sharedWavefronts - line.sharedWavefrontsIdeal);
  if (worst === undefined || value < ideal * limitIn(entry, "ratio")) return [];
  const share = shareOn(measured, ["shared"], fraction(value - ideal, value));
  return [
    {
      line: worst.line,
      share,
      blanks: { value: worst.sharedWavefronts, ideal: worst.sharedWavefrontsIdeal },
    },
  ];
}

/** Arrays of a thread, and registers that did not suffice, in local memory. */
export function localMemory(measured: Measured): readonly Finding[] {
  const { totals, lines, input } = measured;
  const { localSectors, localRequests, globalLoadSectors, globalStoreSectors, instructions } = totals;
  const worst = worstLine(lines, (line) => line.localRequests);
  if (worst === undefined) return [];
  const moved = localSectors + globalLoadSectors + globalStoreSectors;
  const share = Math.max(
    shareOn(measured, ["l1"], fraction(localSectors, moved)),
    // With each access goes the arithmetic of its address.
    shareOn(measured, [...pipes], fraction(2 * localRequests, instructions)),
  );
  const spilled = input.facts.reduce((sum, { spillStoreBytes }) => sum + spillStoreBytes, 0);
  const what = spilled > 0 ? "registers that did not suffice" : "an array of each thread";
  return [{ line: worst.line, share, blanks: { value: localRequests, what } }];
}
