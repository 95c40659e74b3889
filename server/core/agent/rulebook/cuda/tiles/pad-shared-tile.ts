import { editedTree, replaceNode } from "../../edits";
import { isNot, not, type RuleAnswer, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, estimatedValue, type KernelView } from "../kernel";
import { type ConflictedArray, forConflicted } from "./conflicts";

const wordBytes = 4;

/**
 * Widens the rows of a shared tile by one bank, so that the elements of a column fall into different banks.
 */
export const padSharedTile = defineRule("cuda-pad-shared-tile", (input, entry) => {
  const view = cudaKernel(input);
  return isNot(view)
    ? view
    : forConflicted(input, entry, { view, rewrite: (found) => padded(input, { entry, view, found }) });
});

function padded(
  input: RuleInput,
  {
    entry,
    view,
    found,
  }: { readonly entry: RuleEntry; readonly view: KernelView; readonly found: ConflictedArray },
): RuleAnswer {
  const { array, bytes, evidence, gain } = found;
  const sizes = array.sizes.map((size) => estimatedValue(view, size));
  const [width, size] = [sizes.at(-1), array.sizes.at(-1)];
  if (width === undefined || size === undefined || sizes.some((value) => value === undefined))
    return not("limit", `the sizes of ${array.name} are no constants`, array.declaration);
  if (((width * bytes) / wordBytes) % 2 !== 0)
    return not("no-pattern", `the rows of ${array.name} have an odd number of words already`, size);
  const pad = Math.max(1, wordBytes / bytes);
  const added = sizes.slice(0, -1).reduce<number>((product, value) => product * (value ?? 1), pad * bytes);
  const used = Math.max(0, ...input.facts.map((fact) => fact.sharedBytes));
  if (used + added > threshold(entry, "sharedBytesMost"))
    return not("limit", `${used + added} bytes of shared memory are more than a block may have`, size);
  const widened = /^[\w.]+$/.test(size.text) ? `${size.text} + ${pad}` : `(${size.text}) + ${pad}`;
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNode(size, widened)]),
    hypothesis: fillSentence(entry.hypothesis, { array: array.name, pad }),
    evidence,
    gain,
  };
}
