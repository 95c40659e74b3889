import type { DiagnosisEntry } from "../entry";
import { limitIn } from "../entry";
import { type Finding, fraction, type Measured, pipes, shareOn, sumOf, worstLine } from "../measured";

/** Bytes that one instruction can move for a lane. */
const widest = 16;

/** Elements that come once and side by side, each with an instruction of its own. */
export function scalarAccess(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { totals, lanes } = measured;
  // Where threads work together other things cost more than the width of a load.
  if (totals.barriers + totals.sharedWavefronts + totals.atomics > 0) return [];
  const lines = measured.lines.filter((line) => {
    const requests = line.globalLoadRequests + line.globalStoreRequests;
    const ideal = line.globalLoadSectorsIdeal + line.globalStoreSectorsIdeal;
    const dense = ideal * 32 >= 0.8 * line.globalBytesRequested;
    const near = line.globalLoadSectors + line.globalStoreSectors < limitIn(entry, "ratio") * ideal;
    const { loadReuse, globalLoadSectors } = line;
    const fresh = globalLoadSectors === 0 ? 1 : fraction(loadReuse?.first ?? 0, globalLoadSectors);
    if (fresh < limitIn(entry, "fresh")) return false;
    return requests > 0 && near && dense && line.globalBytesRequested < 0.75 * requests * lanes * widest;
  });
  const worst = worstLine(lines, (line) => line.globalLoadRequests + line.globalStoreRequests);
  if (worst === undefined) return [];
  const { globalLoadRequests, globalStoreRequests, globalBytesRequested } = sumOf(lines);
  const requests = globalLoadRequests + globalStoreRequests;
  const needless = fraction(requests - globalBytesRequested / (lanes * widest), requests);
  const moved = fraction(requests, totals.globalLoadRequests + totals.globalStoreRequests);
  // What is done for each element stays; the accesses and the arithmetic of their addresses get fewer.
  const issued = fraction(limitIn(entry, "each") * requests, totals.instructions);
  const share = Math.max(
    shareOn(measured, [...pipes], issued * needless),
    shareOn(measured, ["latency"], limitIn(entry, "waits") * moved * needless),
  );
  const bytes = Math.max(1, Math.round(globalBytesRequested / (requests * lanes)));
  return [{ line: worst.line, share, blanks: { value: requests, bytes, wide: widest } }];
}
