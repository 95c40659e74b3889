import { lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold, type RuleProposal } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, estimatedValue, type KernelView } from "../kernel";

/**
 * Asks for fewer blocks on a multiprocessor where `__launch_bounds__` leaves a thread so few registers that
 * it keeps values in local memory. No number at all, and half of it, are both tried: the judge chooses.
 */
export const loosenLaunchBounds = defineRule("cuda-loosen-launch-bounds", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const bounds = boundsOf(view);
  if (isNot(bounds)) return bounds;
  const spilled = input.facts.map(({ spillStoreBytes, spillLoadBytes }) => spillStoreBytes + spillLoadBytes);
  const value = Math.max(0, ...spilled);
  if (value < threshold(entry, "bytesLeast"))
    return not("no-evidence", "each thread has the registers that it needs", bounds.list);
  const gain = gainOn(input, ["l1", "latency", "issue", "fp32"], threshold(entry, "share"));
  const facts = { file: input.file, line: lineOf(bounds.blocks), counter: "spillLoadBytes" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal: 0 }, { blocks: bounds.blocks.text });
  const proposed = (text: string, words: string): RuleProposal => ({
    kind: "proposal",
    tree: editedTree(input, [replaceNode(bounds.list, text)]),
    hypothesis: fillSentence(entry.hypothesis, { blocks: words }),
    ...{ evidence, gain },
  });
  const { threads, count } = bounds;
  const without = proposed(`__launch_bounds__(${threads.text})`, "as many blocks as fit");
  const half = Math.ceil(count / 2);
  if (half < 2) return without;
  const fewer = proposed(`__launch_bounds__(${threads.text}, ${half})`, `${half} blocks`);
  return [without, { ...fewer, gain: gain / 2, isAlternative: true }];
});

interface Bounds {
  readonly list: SyntaxNode;
  readonly threads: SyntaxNode;
  readonly blocks: SyntaxNode;
  readonly count: number;
}

/** Where the kernel says how many of its blocks share a multiprocessor. */
function boundsOf(view: KernelView): Bounds | RuleHold {
  const { definition } = view.kernel;
  const list = definition.children.find(({ type }) => type === "launch_bounds");
  const [threads, blocks] = list?.namedChildren ?? [];
  if (list === undefined || threads === undefined || blocks === undefined)
    return not("no-pattern", "no number of blocks is asked for on a multiprocessor", view.line);
  const count = estimatedValue(view, blocks);
  if (count === undefined) return not("limit", `how much ${blocks.text} is cannot be read`, blocks);
  return count < 2
    ? not("no-pattern", "a single block is asked for on a multiprocessor", blocks)
    : { list, threads, blocks, count };
}
