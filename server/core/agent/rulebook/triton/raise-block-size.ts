import { editedTree, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { enclosing, lineOf, usesOf } from "../syntax";
import {
  gridFollows,
  hasTwoDimensions,
  isMasked,
  languageCalls,
  launchConstant,
  launchWarps,
  positional,
  servesLaunchOnly,
  tritonKernel,
} from "./kernel-source";

/**
 * Gives each thread of an element-wise program eight elements, so that loads and stores become wide and none
 * is made twice.
 */
export const raiseBlockSize = defineRule("triton-raise-block-size", (input, entry) => {
  const kernel = tritonKernel(input);
  if (
    kernel === undefined ||
    !isMasked(kernel.body) ||
    kernel.body.descendantsOfType(["for_statement", "while_statement"]).length > 0
  )
    return [];
  if (
    hasTwoDimensions(kernel.body) ||
    languageCalls(kernel.body, [
      "dot",
      "sum",
      "max",
      "min",
      "argmax",
      "argmin",
      "cumsum",
      "reduce",
      "associative_scan",
      "sort",
    ]).length > 0
  )
    return [];
  const spans = new Set(
    languageCalls(kernel.body, ["arange"]).map((call) => positional(call)[1]?.text ?? ""),
  );
  const [parameter] = spans;
  const constant = parameter === undefined ? undefined : launchConstant(kernel.launch, parameter);
  const warps = launchWarps(kernel.launch);
  if (spans.size !== 1 || parameter === undefined || constant === undefined || warps === undefined) return [];
  if (constant.local !== undefined && !servesLaunchOnly(kernel.launch, constant.local)) return [];
  if (!gridFollows(kernel.launch, parameter, constant.local) || usesOf(kernel.body, parameter).length === 0)
    return [];
  const loads = languageCalls(kernel.body, ["load"]).map(
    (call) => enclosing(call, ["expression_statement"]) ?? call,
  );
  const [worst] = loads
    .map((node) => ({ line: lineOf(node), counts: countsOf(input, node) }))
    .sort((a, b) => b.counts.globalLoadRequests - a.counts.globalLoadRequests);
  const size = warps * 32 * threshold(entry, "elementsPerThread");
  if (worst === undefined || worst.counts.globalLoadRequests === 0 || size <= constant.value) return [];
  const bytes =
    worst.counts.globalBytesRequested / (worst.counts.globalLoadRequests + worst.counts.globalStoreRequests);
  if (bytes > threshold(entry, "bytesPerRequestMost")) return [];
  const value = worst.counts.globalLoadRequests;
  const doubled = Math.max(1, (warps * 32) / constant.value);
  const ideal = Math.ceil(value / doubled / 4);
  return [
    {
      tree: editedTree(input, [replaceNode(constant.holder, String(size))]),
      hypothesis: fillSentence(entry.hypothesis, {
        parameter,
        before: String(constant.value),
        size: String(size),
      }),
      evidence: evidenceFor(
        entry,
        { file: input.file, line: worst.line, counter: "globalLoadRequests", value, ideal },
        { bytes, parameter, before: String(constant.value), threads: warps * 32 },
      ),
      gain: gainOn(input, ["l2", "issue", "latency"], shareSaved(value - ideal, value)),
    },
  ];
});
