import { last } from "../../../../base/known";
import { editedTree, replaceNode } from "../../edits";
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
  const sizes = array.sizes.flatMap((size) => estimatedValue(view, size) ?? []);
  if (sizes.length < array.sizes.length)
    return not("limit", `the sizes of ${array.name} are no constants`, array.declaration);
  const [width, size] = [last(sizes), last(array.sizes)];
  if (((width * bytes) / wordBytes) % 2 !== 0)
    return not("no-pattern", `the rows of ${array.name} have an odd number of words already`, size);
  const pad = Math.max(1, wordBytes / bytes);
  const added = sizes.slice(0, -1).reduce((product, value) => product * value, pad * bytes);
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
