import { editedTree, replaceNode } from "../edits";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { conflictedArrays } from "./conflicts";
import { constantValue } from "./constants";
import { cudaKernel } from "./kernel-source";

const wordBytes = 4;

/**
 * Widens the rows of a shared tile by one bank, so that the elements of a column fall into different banks.
 */
export const padSharedTile = defineRule("cuda-pad-shared-tile", (input, entry) => {
  const kernel = cudaKernel(input);
  if (kernel === undefined) return [];
  return conflictedArrays(input, kernel, entry).flatMap(({ array, bytes, evidence, gain }) => {
    const known = new Map([...kernel.constants, ...kernel.template.constants]);
    const sizes = array.sizes.map((size) => constantValue(size, known));
    const [width, size] = [sizes.at(-1), array.sizes.at(-1)];
    if (width === undefined || size === undefined || sizes.some((value) => value === undefined)) return [];
    const wordsAcross = (width * bytes) / wordBytes;
    if (wordsAcross % 2 !== 0) return [];
    const pad = Math.max(1, wordBytes / bytes);
    const added = sizes.slice(0, -1).reduce<number>((product, value) => product * (value ?? 1), pad * bytes);
    const used = Math.max(0, ...input.facts.map((fact) => fact.sharedBytes));
    if (used + added > threshold(entry, "sharedBytesMost")) return [];
    const widened = /^[\w.]+$/.test(size.text) ? `${size.text} + ${pad}` : `(${size.text}) + ${pad}`;
    return [
      {
        tree: editedTree(input, [replaceNode(size, widened)]),
        hypothesis: fillSentence(entry.hypothesis, { array: array.name, pad }),
        evidence,
        gain,
      },
    ];
  });
});
