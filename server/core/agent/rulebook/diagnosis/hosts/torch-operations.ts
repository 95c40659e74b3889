import { lineOf } from "../../../../language/query";
import { readTriton } from "../../../../language/triton/model";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Finding, fraction, type Measured } from "../measured";

/** Operations of torch around a kernel that take more than the kernel: masks, copies, sums and casts. */
export function torchOperations({ input }: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { nanoseconds, terms } = input.bound;
  const share = fraction(terms["torch"] ?? 0, nanoseconds);
  // Of short calls the gaps between them are most of it, and say little of larger ones.
  if (share < limitIn(entry, "share") || nanoseconds < limitIn(entry, "nanoseconds")) return [];
  const source = input.tree[input.file];
  const root = source === undefined ? undefined : input.parse(input.file, source);
  const name = input.kernel.split("::").at(-1);
  const launch = root && readTriton(root).launches.find(({ site }) => site.kernel === name);
  if (launch === undefined || input.dialect !== "triton") return [];
  return [{ line: lineOf(launch.call), share, blanks: { value: Math.round(100 * share) } }];
}
