import { collapse, enclosing, isInside, lineOf, partsOf } from "../../../../language/query";
import { termOf } from "../../../../timing/bound";
import { copiesBeside, type DeviceCopy, deviceCopies } from "../../cuda/hosts/device-copies";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Finding, fraction, type Measured, shareOfTime } from "../measured";
import { loopTypes } from "../places";

/** Copies from buffer to buffer that the function makes which launches the kernel. */
export function copiesWithin(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, input } = measured;
  const counted = shareOfTime(measured, termOf(input.bound, "copies"));
  const share = counted > 0 ? counted : estimatedShare(measured);
  if (view === undefined || share < limitIn(entry, "share")) return [];
  const [copy] = counted > 0 ? copiesBeside(view.launches) : copiesInTurns(measured);
  if (copy === undefined) return [];
  const { source, target } = copy;
  return [{ line: lineOf(copy.call), share, blanks: { source, target, value: Math.round(100 * share) } }];
}

/** Copies of what the kernel is handed, in the turns of a loop that also launches it. */
function copiesInTurns({ view }: Measured): readonly DeviceCopy[] {
  return (view?.launches ?? []).flatMap(({ call, host }) => {
    const loop = enclosing(call, ...loopTypes);
    if (loop === undefined || host === undefined || !isInside(loop, host)) return [];
    const given = partsOf(call.childForFieldName("arguments")).map(({ text }) => collapse(text));
    return deviceCopies(loop).filter(
      (copy) => given.includes(copy.source) && given.includes(copy.target) && isInside(copy.call, loop),
    );
  });
}

/**
 * What such copies take of a turn of a whole program, of which the price is that of its kernel alone: what
 * the kernel stores is loaded and stored once more.
 */
function estimatedShare(measured: Measured): number {
  const { globalLoadSectorsIdeal, globalStoreSectorsIdeal: stores, loadReuse } = measured.totals;
  const loads = Math.min(globalLoadSectorsIdeal, loadReuse?.first ?? globalLoadSectorsIdeal);
  const isProgram = measured.input.spec.program !== undefined;
  if (!isProgram || copiesInTurns(measured).length === 0) return 0;
  return fraction(2 * stores, loads + 3 * stores);
}
