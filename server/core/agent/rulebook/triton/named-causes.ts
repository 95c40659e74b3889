import { lineOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import { countsOf, gainOn, shareSaved, wasteOf } from "../evidence";
import { isNot, not, type Rule, type RuleHold, type RuleInput } from "../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../rule-table";
import { languageCalls, statementOf, tritonKernel, type TritonView } from "./kernel";

interface Named {
  readonly at: SyntaxNode;
  readonly value: number;
  readonly ideal?: number;
  readonly gain: number;
}

type Find = (input: RuleInput, view: TritonView, entry: RuleEntry) => Named | RuleHold;

/** A rule for Triton kernels that names a waste and proposes nothing. */
function namingRule(id: string, find: Find): Rule {
  return defineRule(id, (input, entry) => {
    const view = tritonKernel(input);
    if (isNot(view)) return view;
    const found = find(input, view, entry);
    if (isNot(found)) return found;
    const { at, value, ideal = 0, gain } = found;
    const sentence = fillSentence(entry.sentence, {
      line: lineOf(at),
      value,
      ideal,
    });
    return { ...not("no-rewrite", sentence, at), gain };
  });
}

/** Programs whose elements lie a row apart. */
export const alongRows = namingRule("triton-along-rows", (input, view, entry) => {
  const { load, store } = sides(input, view);
  if (load.ratio < threshold(entry, "ratio"))
    return not("no-evidence", "loads move the sectors that they need", view.line);
  return {
    at: load.at,
    value: load.value,
    ideal: load.ideal,
    gain: gainOn(
      input,
      ["dram", "l2", "l1", "latency"],
      shareSaved(load.value - load.ideal, load.value + store.value),
    ),
  };
});

/** A copy that loads along rows and stores along columns. */
export const transposeTile = namingRule("triton-transpose-tile", (input, view, entry) => {
  const { load, store } = sides(input, view);
  const least = threshold(entry, "ratio");
  if (store.ratio < least || load.ratio >= least || load.value === 0)
    return not("no-evidence", "stores move the sectors that they need", view.line);
  return {
    at: store.at,
    value: store.value,
    ideal: store.ideal,
    gain: gainOn(
      input,
      ["dram", "l2", "l1", "latency"],
      shareSaved(store.value - store.ideal, load.value + store.value),
    ),
  };
});

function sides(input: RuleInput, view: TritonView) {
  const side = (name: "load" | "store", counter: "globalLoadSectors" | "globalStoreSectors") => {
    const calls = languageCalls(view, [name]);
    const rows = [...new Map(calls.map((call) => [lineOf(call), statementOf(call)])).values()];
    const sum = (of: typeof counter | `${typeof counter}Ideal`): number =>
      rows.reduce((total, node) => total + countsOf(input, node)[of], 0);
    const [value, ideal] = [sum(counter), sum(`${counter}Ideal`)];
    return {
      at: calls[0] ?? view.body,
      value,
      ideal,
      ratio: wasteOf(value, ideal),
    };
  };
  return {
    load: side("load", "globalLoadSectors"),
    store: side("store", "globalStoreSectors"),
  };
}
