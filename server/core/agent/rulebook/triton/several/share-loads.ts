import { enclosing, lineOf } from "../../../../language/query";
import { editedTree } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { languageCalls, launchWarps, positional, statementOf, tritonKernel } from "../kernel";
import { hostLength, severalEdits, singleIndex } from "../spread/programs";

/**
 * Programs that each go through the same elements for an index of their own: a program takes several indices
 * at once, so that what it loads serves all of them.
 */
export const shareLoads = defineRule("triton-share-loads", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const single = singleIndex(view);
  if (isNot(single)) return single;
  const { lanes, of } = single;
  if (lanes === undefined) return not("no-pattern", "a program works on single elements", view.line);
  const shared = languageCalls(view, ["load"])
    .filter((load) => enclosing(load, "for_statement", "while_statement") !== undefined)
    .filter((load) => {
      const [address] = positional(load);
      return address !== undefined && of(address).lanes && !of(address).programs;
    })
    .map((load) => ({ load, counts: countsOf(input, statementOf(load)) }))
    .sort((a, b) => b.counts.globalLoadSectors - a.counts.globalLoadSectors);
  const [worst] = shared;
  if (worst === undefined)
    return not("no-pattern", "no loop loads what other programs load as well", view.line);
  const value = shared.reduce((sum, { counts }) => sum + counts.globalLoadSectors, 0);
  const { totals } = input.counters;
  const first = Math.max(1, totals.loadReuse?.first ?? 0);
  if (value < first * threshold(entry, "times"))
    return not("no-evidence", "the loads of the loop bring in new sectors", worst.load);
  const ideal = Math.ceil(value / threshold(entry, "few"));
  const share = shareSaved(value - ideal, totals.globalLoadSectors + totals.globalStoreSectors);
  const gain = gainOn(input, ["l2", "l1", "issue", "latency"], share);
  const length = hostLength(single);
  const warps = launchWarps(view);
  if (length === undefined || warps === undefined)
    return {
      ...not("launch", "the length of a block or num_warps is not seen at the launch", view.launch.call),
      gain,
    };
  const facts = { file: input.file, line: lineOf(worst.load), counter: "globalLoadSectors" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal });
  return [threshold(entry, "many"), threshold(entry, "few")].map((each): RuleAnswer => {
    const elements = warps * 32 * each;
    const factor = /^\w+$/.test(length) ? length : `(${length})`;
    const rows = `max(2, ${elements} // ${factor})`;
    const edits = severalEdits(single, { name: "ROWS", each: rows, first: true });
    if (isNot(edits)) return { ...edits, gain };
    const hypothesis = fillSentence(entry.hypothesis, { elements });
    return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
  });
});
