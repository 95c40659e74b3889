import { lineOf } from "../../../../language/query";
import { editedTree } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { languageCalls, positional, statementOf, tritonKernel } from "../kernel";
import { addressTerms } from "./address";
import { neighbourAxis } from "./neighbours";
import { severalEdits, singleIndex } from "./programs";

/**
 * A program that works on one element, or walks down a column by single elements, becomes one that works on a
 * block of neighbouring ones.
 */
export const elementsEach = defineRule("triton-elements-each", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const blocks = languageCalls(view, ["arange", "make_block_ptr", "make_tensor_descriptor"]);
  if (blocks.length > 0) return not("no-pattern", "the program works on blocks of elements", view.line);
  const found = languageCalls(view, ["load", "store"]).flatMap((at) => {
    const [address] = positional(at);
    const terms = address === undefined ? [] : addressTerms(view, address);
    const axis = neighbourAxis(view, terms);
    return axis === undefined ? [] : [{ at, axis, counts: countsOf(input, statementOf(at)) }];
  });
  const [worst] = found.sort((a, b) => b.counts.globalLoadRequests - a.counts.globalLoadRequests);
  if (worst === undefined)
    return not("no-pattern", "neighbouring programs do not touch neighbouring elements", view.line);
  const { at, axis, counts } = worst;
  const value = counts.globalLoadRequests + counts.globalStoreRequests;
  const ideal = Math.ceil(value / 32);
  const gain = gainOn(input, ["latency", "issue", "l2"], shareSaved(value - ideal, value));
  const facts = { file: input.file, line: lineOf(at), counter: "globalLoadRequests" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal });
  const single = singleIndex(view, axis);
  if (isNot(single)) return { ...single, sentence: `${evidence.sentence}; ${single.sentence}`, gain };
  return [threshold(entry, "many"), threshold(entry, "few")].map((elements): RuleAnswer => {
    const edits = severalEdits(single, { name: "BLOCK", each: String(elements), first: false });
    if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
    const hypothesis = fillSentence(entry.hypothesis, { elements });
    return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
  });
});
