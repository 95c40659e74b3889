import { lineOf } from "../../../../language/query";
import { termOf } from "../../../../timing/bound";
import { copiesBeside } from "../../cuda/hosts/device-copies";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Finding, type Measured, shareOfTime } from "../measured";

/** Copies from buffer to buffer that the function makes which launches the kernel. */
export function copiesWithin(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { view, input } = measured;
  const share = shareOfTime(measured, termOf(input.bound, "copies"));
  if (view === undefined || share < limitIn(entry, "share")) return [];
  const [copy] = copiesBeside(view.launches);
  if (copy === undefined) return [];
  const { source, target } = copy;
  return [{ line: lineOf(copy.call), share, blanks: { source, target, value: Math.round(100 * share) } }];
}
