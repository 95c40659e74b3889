import { lineOf } from "../../../../language/query";
import { readTriton } from "../../../../language/triton/model";
import { modelConstants } from "../../../../timing/gpu-model";
import { type DiagnosisEntry, limitIn } from "../entry";
import { type Finding, fraction, type Measured } from "../measured";
import { torchCalls } from "./torch-calls";
import type { TorchCall } from "./torch-kinds";

/** Operations of torch around a kernel that take much of the time: masks, sums, scales and activations. */
export function torchOperations(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const around = aroundKernel(measured, entry);
  if (around === undefined) return [];
  return around.calls.length === 0
    ? aroundLaunch(
        measured,
        around.share(() => true),
      )
    : ofKind(around, "others");
}

/** Copies into another order, and several tensors put together, in front of a kernel or behind it. */
export function torchCopies(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  return ofKind(aroundKernel(measured, entry), "copies");
}

/** Conversions of whole tensors in front of a kernel or behind it. */
export function torchCasts(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  return ofKind(aroundKernel(measured, entry), "casts");
}

interface Around {
  readonly calls: readonly TorchCall[];
  /** The fraction of the time that some of them take. */
  readonly share: (of: (call: TorchCall) => boolean) => number;
}

/** What torch does around the kernel; undefined where that takes little. */
function aroundKernel(measured: Measured, entry: DiagnosisEntry): Around | undefined {
  const { terms } = measured.input.bound;
  const calls = torchCalls(measured);
  const ran = calls.filter((call) => call.measured).length;
  const torch = terms["torch"] ?? 0;
  // One that did not run moves about what the kernel moves.
  const each = (terms["dram"] ?? 0) + modelConstants.launchGapNanoseconds;
  const whole = measured.time + (calls.length - ran) * each;
  // Of short calls the gaps between them are most of it, and say little of larger ones.
  if (whole < limitIn(entry, "nanoseconds")) return undefined;
  const share = (of: (call: TorchCall) => boolean): number => {
    if (calls.length === 0) return fraction(torch, whole);
    const taken = calls.filter(of);
    const own = taken.filter((call) => call.measured).length;
    return fraction((ran === 0 ? 0 : (torch * own) / ran) + (taken.length - own) * each, whole);
  };
  return share(() => true) < limitIn(entry, "share") ? undefined : { calls, share };
}

function ofKind(around: Around | undefined, kind: TorchCall["kind"]): readonly Finding[] {
  const own = around?.calls.filter((call) => call.kind === kind) ?? [];
  const [first] = own;
  if (around === undefined || first === undefined) return [];
  const share = around.share((call) => call.kind === kind);
  const lines = [...new Set(own.map(({ node }) => lineOf(node)))];
  const where = lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.slice(0, 5).join(", ")}`;
  return [{ line: lineOf(first.node), share, blanks: { where, value: Math.round(100 * share) } }];
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
