import { lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import {
  launchWarps,
  languageCalls,
  numbersPrograms,
  statementOf,
  tritonKernel,
  type TritonView,
  usualWarps,
  walkIn,
} from "../kernel";
import { reducing } from "./dependence";
import { columnAxis } from "./columns-each";
import { rowLengths } from "./row-lengths";
import { hostLength, severalEdits, singleIndex } from "./programs";

/** A program that works on one short row becomes one that works on as many rows as fill its threads. */
export const rowsEach = defineRule("triton-rows-each", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const single = singleIndex(view);
  if (isNot(single)) return single;
  const elements = (launchWarps(view) ?? usualWarps) * 32 * threshold(entry, "elementsPerThread");
  const held = noShortRow(view, single.lanes) ?? noFewElements(input, view, elements);
  if (held !== undefined) return held;
  const [worst] = languageCalls(view, ["load"])
    .map((load) => ({ load, counts: countsOf(input, statementOf(load)) }))
    .sort((a, b) => b.counts.globalBytesRequested - a.counts.globalBytesRequested);
  const value = worst?.counts.globalLoadRequests ?? 0;
  if (worst === undefined || value === 0) return not("no-evidence", "no load was counted", view.line);
  const { load, counts } = worst;
  const requests = counts.globalLoadRequests + counts.globalStoreRequests;
  const bytes = counts.globalBytesRequested / requests;
  if (bytes > threshold(entry, "bytesPerRequestMost"))
    return not("no-evidence", `a load moves ${Math.round(bytes)} bytes already`, load);
  const lanes = hostLength(single);
  const warps = launchWarps(view);
  if (lanes === undefined || warps === undefined)
    return not("launch", "the length of a row or num_warps is not seen at the launch", view.launch.call);
  const each = `max(1, ${elements} // ${/^\w+$/.test(lanes) ? lanes : `(${lanes})`})`;
  const edits = severalEdits(single, { name: "ROWS", each, first: true });
  if (isNot(edits)) return edits;
  const ideal = Math.ceil(value / threshold(entry, "elementsPerThread"));
  const facts = {
    file: input.file,
    line: lineOf(load),
    counter: "globalLoadRequests" as const,
    value,
    ideal,
  };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { elements }),
    evidence: evidenceFor(entry, facts, { bytes, threads: warps * 32 }),
    gain: gainOn(input, ["l2", "issue", "latency"], shareSaved(value - ideal, value)),
  };
});

/** What makes a program more, or other, than one row. */
function noShortRow(view: TritonView, lanes: SyntaxNode | undefined): RuleHold | undefined {
  if (lanes === undefined) return not("no-pattern", "a program works on single elements", view.line);
  if (numbersPrograms(view, lanes.text) && languageCalls(view, reducing).length === 0)
    return not(
      "no-pattern",
      "programs are numbered along their elements, so a longer block does it",
      view.line,
    );
  const walk = walkIn(view, lanes.text);
  if (walk !== undefined) return not("no-pattern", "a row is longer than the block", walk);
  const down = languageCalls(view, ["load", "store"]).find(
    (access) => columnAxis(view, access) !== undefined,
  );
  return down && not("no-pattern", "a program works down a column", down);
}

/** Rows that fill half of the threads or more at the sizes of the counters. */
function noFewElements(input: RuleInput, view: TritonView, elements: number): RuleHold | undefined {
  const lengths = rowLengths(input);
  const shortest = Math.min(...lengths);
  return lengths.length > 0 && shortest > elements / 2
    ? not("no-evidence", `a row has ${shortest} elements already`, view.line)
    : undefined;
}
