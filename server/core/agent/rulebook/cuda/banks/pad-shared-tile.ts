import { last } from "../../../../base/known";
import { editedTree, replaceNode } from "../../edits";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleAnswer, type RuleInput } from "../../rule";
import { fillSentence, threshold } from "../../rule-table";
import { estimatedValue } from "../kernel";
import { type ConflictPlace, defineConflictRule } from "./conflicts";

const wordBytes = 4;

/**
 * Widens the rows of a shared tile by one bank, so that the elements of a column fall into different banks.
 */
export const padSharedTile = defineConflictRule("cuda-pad-shared-tile", padded);

function padded(input: RuleInput, { entry, view, found }: ConflictPlace): RuleAnswer {
  const { array, bytes, evidence, gain } = found;
  const estimate = (size: SyntaxNode): number | undefined =>
    "estimate" in array ? array.estimate(size) : estimatedValue(view, size);
  const sizes = array.sizes.flatMap((each) => estimate(each) ?? []);
  const isKnown = sizes.length === array.sizes.length;
  if (!isKnown && !("estimate" in array))
    return not("limit", `the sizes of ${array.name} are no constants`, array.declaration);
  const size = last(array.sizes);
  // Elements of two words and more are moved whole: for them an odd number of elements does.
  const units = bytes % (2 * wordBytes) === 0 ? 1 : bytes / wordBytes;
  if (isKnown && (last(sizes) * units) % 2 !== 0)
    return not("no-pattern", `the rows of ${array.name} have an odd length already`, size);
  const pad = Math.max(1, wordBytes / bytes);
  const used = Math.max(0, ...input.facts.map((fact) => fact.sharedBytes));
  const rows = sizes.slice(0, -1).reduce((product, value) => product * value, 1);
  // Rows whose length is not known have conflicts from two elements on.
  const added = isKnown ? rows * pad * bytes : used / 2;
  if (used + added > threshold(entry, "sharedBytesMost"))
    return not("limit", `${used + added} bytes of shared memory are more than a block may have`, size);
  const widened = /^[\w.:]+$/.test(size.text) ? `${size.text} + ${pad}` : `(${size.text}) + ${pad}`;
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNode(size, widened)]),
    hypothesis: fillSentence(entry.hypothesis, { array: array.name, pad }),
    evidence,
    gain,
  };
}
