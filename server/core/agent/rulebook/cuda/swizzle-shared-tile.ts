import { editedTree, replaceNode } from "../edits";
import { defineRule, fillSentence, threshold } from "../rule-table";
import type { RuleNode } from "../rule";
import { conflictedArrays } from "./conflicts";
import { constantValue } from "./constants";
import { isPure } from "./dependence";
import { cudaKernel } from "./kernel-source";

/**
 * Stores element (row, column) of a square shared tile at column XOR row: as conflict-free as padding,
 * without a byte more. Only for a power of two, where XOR with a row below it keeps the column below it.
 */
export const swizzleSharedTile = defineRule("cuda-swizzle-shared-tile", (input, entry) => {
  const kernel = cudaKernel(input);
  if (kernel === undefined) return [];
  return conflictedArrays(input, kernel, entry).flatMap(({ array, bytes, evidence, gain }) => {
    const sizes = array.sizes.map((size) => constantValue(size, kernel.constants));
    const [rows, columns] = sizes;
    if (
      bytes !== 4 ||
      sizes.length !== 2 ||
      rows === undefined ||
      rows !== columns ||
      !isPowerOfTwo(rows) ||
      rows < threshold(entry, "widthLeast")
    )
      return [];
    if (
      array.accesses.some(
        (access) => !access.indices.every((index) => isPure(index) && !index.text.includes("^")),
      )
    )
      return [];
    const edits = array.accesses.flatMap(({ indices: [row, column] }) =>
      row === undefined || column === undefined
        ? []
        : [replaceNode(column, `${grouped(column)} ^ ${grouped(row)}`)],
    );
    return [
      {
        tree: editedTree(input, edits),
        hypothesis: fillSentence(entry.hypothesis, { array: array.name }),
        evidence,
        gain: gain * threshold(entry, "gainFactor"),
      },
    ];
  });
});

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0;
}

function grouped(node: RuleNode): string {
  return ["identifier", "field_expression", "number_literal", "parenthesized_expression"].includes(node.type)
    ? node.text
    : `(${node.text})`;
}
