import { lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved, wasteOf } from "../../evidence";
import { isNot, not, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { isCallOf, languageCalls, positional, statementOf, tritonKernel, type TritonView } from "../kernel";
import { addressTerms } from "./address";
import { isNumber, severalEdits, singleIndex } from "./programs";

/**
 * A program that works down one column becomes one that works down several neighbouring columns, so that what
 * it loads at once lies side by side.
 */
export const columnsEach = defineRule("triton-columns-each", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const worst = worstColumn(input, view);
  if (worst === undefined) return not("no-pattern", "no program works down a column", view.line);
  const { at, value, ideal } = worst;
  if (wasteOf(value, ideal) < threshold(entry, "ratio"))
    return not("no-evidence", "loads move the sectors that they need", at);
  const { totals } = input.counters;
  const moved = totals.globalLoadSectors + totals.globalStoreSectors;
  const gain = gainOn(input, ["dram", "l2", "l1", "latency"], shareSaved(value - ideal, moved));
  const facts = { file: input.file, line: lineOf(at), counter: "globalLoadSectors" as const, value, ideal };
  const evidence = evidenceFor(entry, facts);
  const single = singleIndex(view);
  const held = isNot(single) ? single : undefined;
  if (isNot(single)) return { ...single, sentence: `${evidence.sentence}; ${held?.sentence ?? ""}`, gain };
  return ["few", "many"].map((which) => {
    const columns = threshold(entry, which);
    const edits = severalEdits(single, { name: "COLUMNS", each: String(columns), first: false });
    if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
    const hypothesis = fillSentence(entry.hypothesis, { columns });
    return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
  });
});

/**
 * The load down a column that wastes most: its address has the program's number as it is, and no plain lanes.
 */
function worstColumn(input: RuleInput, view: TritonView) {
  const loads = languageCalls(view, ["load"]).filter((load) => isDownColumn(view, load));
  const [worst] = loads
    .map((at) => {
      const counts = countsOf(input, statementOf(at));
      return { at, value: counts.globalLoadSectors, ideal: counts.globalLoadSectorsIdeal };
    })
    .sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
  return worst;
}

function isDownColumn(view: TritonView, load: SyntaxNode): boolean {
  const [address] = positional(load);
  const terms = address === undefined ? [] : addressTerms(view, address);
  return terms.some((term) => isNumber(view, term)) && !terms.some((term) => isCallOf(view, term, "arange"));
}
