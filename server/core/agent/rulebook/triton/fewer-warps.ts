import { editedTree, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn } from "../evidence";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { enclosing, lineOf } from "../syntax";
import {
  hasTwoDimensions,
  languageCalls,
  launchConstant,
  launchWarps,
  positional,
  tritonKernel,
} from "./kernel-source";

/**
 * Takes warps away from a program that has more threads than elements: the spare threads repeat the work of
 * others.
 */
export const fewerWarps = defineRule("triton-fewer-warps", (input, entry) => {
  const kernel = tritonKernel(input);
  if (kernel === undefined || languageCalls(kernel.body, ["dot", "make_block_ptr"]).length > 0) return [];
  const spans = languageCalls(kernel.body, ["arange"]).map((call) => positional(call)[1]?.text ?? "");
  const sizes = spans.map((name) =>
    /^\d+$/.test(name) ? Number(name) : launchConstant(kernel.launch, name)?.value,
  );
  const warps = launchWarps(kernel.launch);
  const option = launchConstant(kernel.launch, "num_warps");
  if (
    warps === undefined ||
    sizes.length === 0 ||
    sizes.some((size) => size === undefined) ||
    hasTwoDimensions(kernel.body)
  )
    return [];
  const elements = Math.max(...sizes.map((size) => size ?? 0));
  const next = Math.max(1, Math.floor(elements / 32));
  if (option?.local !== undefined || elements <= 0 || warps / next < threshold(entry, "ratio")) return [];
  const [load] = languageCalls(kernel.body, ["load"])
    .map((call) => enclosing(call, ["expression_statement"]) ?? call)
    .sort((a, b) => countsOf(input, b).globalLoadSectors - countsOf(input, a).globalLoadSectors);
  if (load === undefined || countsOf(input, load).globalLoadRequests === 0) return [];
  const list = kernel.launch.call.childForFieldName("arguments");
  const last = list?.namedChildren.at(-1);
  if (option === undefined && (last === undefined || kernel.launch.keywords.has("num_warps"))) return [];
  const edit =
    option !== undefined
      ? replaceNode(option.holder, String(next))
      : { start: last?.endIndex ?? 0, end: last?.endIndex ?? 0, text: `, num_warps=${next}` };
  const value = countsOf(input, load).globalLoadRequests;
  const facts = {
    file: input.file,
    line: lineOf(load),
    counter: "globalLoadRequests" as const,
    value,
    ideal: Math.ceil((value * next) / warps),
  };
  return [
    {
      tree: editedTree(input, [edit]),
      hypothesis: fillSentence(entry.hypothesis, { warps: String(warps), next: String(next), elements }),
      evidence: evidenceFor(entry, facts, { threads: warps * 32, elements }),
      gain: gainOn(input, ["l2", "issue"], 1 - next / warps),
    },
  ];
});
