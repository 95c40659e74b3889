import type { SyntaxNode } from "../../../../language/tree";
import { compact, isInside, lineOf, partsOf } from "../../../../language/query";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { warpsEdit } from "../fewer-warps";
import {
  gridFollows,
  launchConstant,
  launchValue,
  onlyAssignment,
  launchWarps,
  statementOf,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { straightened } from "./straightened";
import { type Walks, walksOf } from "./walks";

/** Elements are taken to be floats: of shorter ones a thread holds more than is reckoned here. */
const bytesOfElement = 4;
const warpsMost = 16;

/**
 * Loads a row once and keeps it in registers where several loops walk it: the block becomes as long as the
 * row, so each loop would run once and its load would be the same as the first one's.
 */
export const fuseRowPasses = defineRule("triton-fuse-row-passes", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const found = walksOf(view);
  return isNot(found) ? found : fused(input, entry, view, found);
});

function fused(
  input: RuleInput,
  entry: RuleEntry,
  view: TritonView,
  found: Walks,
): RuleAnswer | readonly RuleAnswer[] {
  const { walks } = found;
  const [{ block, end }] = walks;
  const { edits, saved } = straightened(view, found);
  const loads = saved.map((node) => ({
    line: lineOf(node),
    sectors: countsOf(input, statementOf(node)).globalLoadSectors,
  }));
  const sectors = loads.reduce((sum, load) => sum + load.sectors, 0);
  const [worst] = [...loads].sort((a, b) => b.sectors - a.sectors);
  const { totals } = input.counters;
  if (saved.length === 0)
    return not("no-pattern", "the walks do not load the same", walks.at(-1)?.loop ?? view.line);
  if (worst === undefined || shareSaved(sectors, totals.globalLoadSectors) < threshold(entry, "shareLeast"))
    return not("no-evidence", "the later walks load few sectors", worst?.line ?? view.line);
  const facts = {
    file: input.file,
    line: worst.line,
    counter: "globalLoadSectors" as const,
    value: worst.sectors,
    ideal: 0,
  };
  const evidence = evidenceFor(entry, facts, { times: walks.length });
  const both = totals.globalLoadSectors + totals.globalStoreSectors;
  const gain = gainOn(input, ["dram", "l2", "issue", "latency"], shareSaved(sectors, both));
  const passed = longerBlock(view, block, end);
  if ("kind" in passed) return { ...passed, sentence: `${evidence.sentence}; ${passed.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, { block, times: walks.length });
  const proposal = (more: readonly TextEdit[]): RuleAnswer => ({
    kind: "proposal",
    tree: editedTree(input, [...edits, replaceNode(passed.value, passed.text), ...more]),
    hypothesis,
    evidence,
    gain,
  });
  const more = warpsForRow(input, view, { line: worst.line, most: threshold(entry, "elementsPerThread") });
  return more === undefined ? proposal([]) : [proposal([more]), proposal([])];
}

/** More warps where a thread would hold too many elements of a row to keep them in registers. */
function warpsForRow(
  { counters, file, launches = [] }: RuleInput,
  view: TritonView,
  { line, most }: { readonly line: number; readonly most: number },
): TextEdit | undefined {
  const loaded = counters.lines.find((each) => each.file === file && each.line === line);
  const programs = Math.max(0, ...launches.map(({ blocks }) => blocks));
  const warps = launchWarps(view);
  if (loaded === undefined || programs === 0 || warps === undefined) return undefined;
  const elements = loaded.globalBytesRequested / programs / bytesOfElement;
  const wanted = Math.min(warpsMost, 2 ** Math.ceil(Math.log2(Math.max(1, elements / 32 / most))));
  const edit = wanted > warps ? warpsEdit(view, wanted) : undefined;
  return edit === undefined || isNot(edit) ? undefined : edit;
}

interface Passed {
  readonly value: SyntaxNode;
  readonly text: string;
}

/** What the launch passes for the block, and the length of the row in its place. */
function longerBlock(view: TritonView, block: string, end: string): Passed | RuleHold {
  const { launch } = view;
  const value = launchValue(view, block);
  if (value === undefined || !isInside(value, launch.call))
    return not("launch", `the launch passes nothing for ${block}`, launch.call);
  const length = lengthPassed(view, end);
  if (length === undefined) return not("launch", `the launch passes no plain length for ${end}`, launch.call);
  if (gridFollows(view, block, launchConstant(view, block)?.local))
    return not("launch", `the grid follows ${block}`, launch.call);
  const text = `triton.next_power_of_2(${length})`;
  return compact(value) === length.replace(/\s+/g, "") || value.text === text
    ? not("no-evidence", "the block is as long as the row", value)
    : { value, text };
}

/** What the launch passes for a length, or what the kernel makes one of, in the host's words. */
function lengthPassed(view: TritonView, end: string): string | undefined {
  const value = launchValue(view, end);
  if (value !== undefined) return isSteadyLength(value) ? value.text : undefined;
  const made = onlyAssignment(view.body, end)?.childForFieldName("right");
  return made ? inHostWords(view, made, 0) : undefined;
}

/** `C // G * HW` of a kernel in what the launch passes for its parts. */
function inHostWords(view: TritonView, node: SyntaxNode, depth: number): string | undefined {
  if (node.type === "integer") return node.text;
  if (node.type === "identifier") {
    const length = depth < 4 ? lengthPassed(view, node.text) : undefined;
    return length !== undefined && /\W/.test(length) ? `(${length})` : length;
  }
  if (!/^(?:binary_operator|parenthesized_expression)$/.test(node.type)) return undefined;
  const parts = node.children.map((child) => {
    if (child.isNamed) return inHostWords(view, child, depth + 1);
    return /^(?:\*|\/\/|\+|-|\(|\))$/.test(child.text) ? child.text : undefined;
  });
  if (parts.includes(undefined)) return undefined;
  return parts.join(node.type === "binary_operator" ? " " : "");
}

/** A name, `x.shape[1]`, `x.size(1)`, or a product of such: worth the same each time. */
export function isSteadyLength(node: SyntaxNode): boolean {
  if (node.type === "parenthesized_expression" || node.type === "binary_operator")
    return partsOf(node).every(isSteadyLength);
  return (
    node.type === "integer" ||
    ["identifier", "attribute", "subscript"].includes(node.type) ||
    /^\w+\.(?:size|numel)\([\w-]*\)$/.test(node.text)
  );
}
