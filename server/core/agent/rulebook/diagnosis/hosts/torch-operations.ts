import { lineOf } from "../../../../language/query";
import { readTriton } from "../../../../language/triton/model";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Finding, fraction, type Measured } from "../measured";
import { type TorchCall, torchCalls } from "./torch-calls";

/** Operations of torch around a kernel that take much of the time: masks, sums, scales and activations. */
export function torchOperations(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const share = torchShare(measured, entry);
  if (share === 0) return [];
  const calls = torchCalls(measured);
  const others = calls.filter(({ kind }) => kind === "others");
  if (others.length > 0) return found(others, (share * others.length) / calls.length);
  return calls.length > 0 ? [] : aroundLaunch(measured, share);
}

/** Copies into another order, and several tensors put together, in front of a kernel or behind it. */
export function torchCopies(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  return ofKind(measured, entry, "copies");
}

/** Conversions of whole tensors in front of a kernel or behind it. */
export function torchCasts(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  return ofKind(measured, entry, "casts");
}

function ofKind(measured: Measured, entry: DiagnosisEntry, kind: TorchCall["kind"]): readonly Finding[] {
  const share = torchShare(measured, entry);
  const calls = share === 0 ? [] : torchCalls(measured);
  const own = calls.filter((call) => call.kind === kind);
  return found(own, (share * own.length) / Math.max(1, calls.length));
}

function found(calls: readonly TorchCall[], share: number): readonly Finding[] {
  const [first] = calls;
  if (first === undefined) return [];
  const lines = [...new Set(calls.map(({ node }) => lineOf(node)))];
  const where = lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.slice(0, 5).join(", ")}`;
  return [{ line: lineOf(first.node), share, blanks: { where, value: Math.round(100 * share) } }];
}

/** The fraction of the time that torch takes; none where that says little. */
function torchShare({ input }: Measured, entry: DiagnosisEntry): number {
  const { nanoseconds, terms } = input.bound;
  const share = fraction(terms["torch"] ?? 0, nanoseconds);
  // Of short calls the gaps between them are most of it, and say little of larger ones.
  return share < limitIn(entry, "share") || nanoseconds < limitIn(entry, "nanoseconds") ? 0 : share;
}

function aroundLaunch({ input }: Measured, share: number): readonly Finding[] {
  const source = input.tree[input.file];
  const root = source === undefined ? undefined : input.parse(input.file, source);
  const name = input.kernel.split("::").at(-1);
  const launch = root && readTriton(root).launches.find(({ site }) => site.kernel === name);
  if (launch === undefined || input.dialect !== "triton") return [];
  const line = lineOf(launch.call);
  return [{ line, share, blanks: { where: `around line ${line}`, value: Math.round(100 * share) } }];
}
