import { lineOf, usesOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import { editedTree } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../rule-table";
import {
  combiningCalls,
  constantEdits,
  gridFollows,
  isCallOf,
  keyword,
  languageCalls,
  launchConstant,
  type LaunchConstant,
  launchWarps,
  maskOf,
  positional,
  programsTimes,
  secondDimension,
  servesLaunchOnly,
  statementOf,
  tritonKernel,
  type TritonView,
  walkIn,
} from "./kernel";
import { dependencesOf } from "./spread/dependence";

/** The length of an element-wise program, and who works on it. */
interface Span extends LaunchConstant {
  readonly parameter: string;
  readonly warps: number;
}

/**
 * Gives each thread of an element-wise program eight elements, so that loads and stores become wide and none
 * is made twice.
 */
export const raiseBlockSize = defineRule("triton-raise-block-size", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const span = elementWiseSpan(view);
  return isNot(span) ? span : raised(input, entry, { view, span });
});

/** The one length of an element-wise kernel, as the launch passes it; the grid follows it. */
function elementWiseSpan(view: TritonView): Span | RuleHold {
  const combined = combiningCalls(view);
  const mixing = secondDimension(view) ?? combined.find((call) => !isHandedOn(view, call));
  if (mixing !== undefined) return not("no-pattern", "the kernel is not element-wise", mixing);
  const unmasked = unmaskedLanes(view);
  if (unmasked !== undefined) return unmasked;
  const spans = new Set(languageCalls(view, ["arange"]).map((call) => positional(call)[1]?.text ?? ""));
  const [parameter] = spans;
  if (parameter === undefined || spans.size !== 1)
    return not("no-pattern", "the elements of a program are not one arange", view.line);
  const walk = walkIn(view, parameter);
  if (walk !== undefined) return not("no-pattern", "a loop walks on in steps of the block", walk);
  const placed = combined.find((call) => !isOneForAll(view, { call, parameter }));
  if (placed !== undefined)
    return not("dependence", "what a program adds goes to an element of its own", placed);
  const own = languageCalls(view, ["load", "store"]).find((call) => isOfBlock(view, { call, parameter }));
  if (own !== undefined)
    return not(
      "dependence",
      "each block of elements has a value of its own, so a longer one has several",
      own,
    );
  const constant = launchConstant(view, parameter);
  const warps = launchWarps(view);
  if (constant === undefined || warps === undefined)
    return not("launch", `${parameter} or num_warps is computed at the launch`, view.launch.call);
  if (constant.local !== undefined && !servesLaunchOnly(view, constant.local))
    return not("fixed-elsewhere", `${constant.local} is used for more than the launch`, constant.holder);
  if (!gridFollows(view, parameter, constant.local) || usesOf(view.body, parameter).length === 0)
    return not("launch", `the grid does not follow ${parameter}`, view.launch.call);
  return { ...constant, parameter, warps };
}

/** An access of each lane without a mask, or through a block pointer; a value for all lanes needs none. */
function unmaskedLanes(view: TritonView): RuleHold | undefined {
  const of = dependencesOf(view, (node) =>
    isCallOf(view, node, "arange") ? { programs: false, lanes: true } : undefined,
  );
  const bare = languageCalls(view, ["load", "store"]).find(
    (call) => positional(call).some((part) => of(part).lanes) && maskOf(view, call) === undefined,
  );
  const found = bare ?? languageCalls(view, ["make_block_ptr", "make_tensor_descriptor"])[0];
  return (
    found && not("no-pattern", "an access has no mask, so a longer block would reach past the end", found)
  );
}

const handedOn: Readonly<Record<string, string>> = {
  sum: "atomic_add",
  max: "atomic_max",
  min: "atomic_min",
};

/** `tl.atomic_add(address, tl.sum(…))`: with longer programs fewer of them add to the same sum. */
function isHandedOn(view: TritonView, call: SyntaxNode): boolean {
  const atomic = call.parent?.parent;
  const [, wanted] = Object.entries(handedOn).find(([name]) => isCallOf(view, call, name)) ?? [];
  return (
    wanted !== undefined &&
    atomic?.parent?.type === "expression_statement" &&
    isCallOf(view, atomic, wanted) &&
    positional(atomic)[1]?.id === call.id
  );
}

/** Whether a value for all lanes lies at an address of its own for each part that `PARAMETER` takes. */
function isOfBlock(
  view: TritonView,
  { call, parameter }: { readonly call: SyntaxNode; readonly parameter: string },
): boolean {
  const [address] = positional(call);
  const lanes = dependencesOf(view, (node) =>
    isCallOf(view, node, "arange") ? { programs: false, lanes: true } : undefined,
  );
  return address !== undefined && !lanes(address).lanes && isApart(view, address, parameter);
}

/** True where the address is the same for all programs along the axis that `PARAMETER` takes in parts. */
function isOneForAll(
  view: TritonView,
  { call, parameter }: { readonly call: SyntaxNode; readonly parameter: string },
): boolean {
  const address = call.parent?.parent ? positional(call.parent.parent)[0] : undefined;
  return address !== undefined && !isApart(view, address, parameter);
}

/** Whether an address depends on the axis, or on one of the axes, that `PARAMETER` takes in parts. */
function isApart(view: TritonView, address: SyntaxNode, parameter: string): boolean {
  const axes = new Set(programsTimes(view, parameter).map(axisOf));
  const depends = dependencesOf(view, (node) =>
    isCallOf(view, node, "program_id") ? { programs: axes.has(axisOf(node)), lanes: false } : undefined,
  );
  return axes.size !== 1 || depends(address).programs;
}

/** The axis of `tl.program_id(axis)` as text. */
function axisOf(call: SyntaxNode): string {
  return (keyword(call, "axis") ?? positional(call)[0])?.text ?? "";
}

function raised(
  input: RuleInput,
  entry: RuleEntry,
  { view, span }: { readonly view: TritonView; readonly span: Span },
): RuleAnswer {
  const { parameter, warps } = span;
  const [worst] = languageCalls(view, ["load"])
    .map(statementOf)
    .map((node) => ({ line: lineOf(node), counts: countsOf(input, node) }))
    .sort((a, b) => b.counts.globalLoadRequests - a.counts.globalLoadRequests);
  if (worst === undefined || worst.counts.globalLoadRequests === 0)
    return not("no-evidence", "no load was counted", view.line);
  const { globalLoadRequests: value, globalStoreRequests, globalBytesRequested } = worst.counts;
  const bytes = globalBytesRequested / (value + globalStoreRequests);
  const size = warps * 32 * threshold(entry, "elementsPerThread");
  if (size <= span.value)
    return not("no-evidence", `${span.value} elements are enough for ${warps} warps`, span.holder);
  if (bytes > threshold(entry, "bytesPerRequestMost"))
    return not("no-evidence", `a load moves ${Math.round(bytes)} bytes already`, worst.line);
  const repeated = Math.max(1, (warps * 32) / span.value);
  const ideal = Math.ceil(value / repeated / 4);
  const before = String(span.value);
  return {
    kind: "proposal",
    tree: editedTree(input, constantEdits(span, size)),
    hypothesis: fillSentence(entry.hypothesis, { parameter, before, size: String(size) }),
    evidence: evidenceFor(
      entry,
      { file: input.file, line: worst.line, counter: "globalLoadRequests", value, ideal },
      { bytes, parameter, before, threads: warps * 32 },
    ),
    gain: gainOn(input, ["l2", "issue", "latency", "atomics"], shareSaved(value - ideal, value)),
  };
}
