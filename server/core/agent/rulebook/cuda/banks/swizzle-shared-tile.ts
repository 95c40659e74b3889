import { isPure } from "../../../../language/cuda/body/scope";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { not, type RuleAnswer, type RuleInput } from "../../rule";
import { fillSentence, threshold } from "../../rule-table";
import { type ConflictPlace, defineConflictRule } from "./conflicts";

/**
 * Stores element (row, column) of a square shared tile at column XOR row: as conflict-free as padding,
 * without a byte more. Only for a power of two, where XOR with a row below it keeps the column below it.
 */
export const swizzleSharedTile = defineConflictRule("cuda-swizzle-shared-tile", swizzled);

function swizzled(input: RuleInput, { entry, view, found }: ConflictPlace): RuleAnswer {
  const { array, bytes, evidence, gain } = found;
  const [rows, columns, ...more] = array.sizes.map((size) => view.scope.value(size));
  if (bytes !== 4) return not("type", `an element of ${array.name} is no whole bank`, array.declaration);
  if (rows === undefined || rows !== columns || more.length > 0)
    return not("no-pattern", `${array.name} is no square of a constant side`, array.declaration);
  if (!isPowerOfTwo(rows) || rows < threshold(entry, "widthLeast"))
    return not("limit", `the side ${rows} of ${array.name} is no large power of two`, array.declaration);
  const odd = array.accesses.find(({ indices }) => !indices.every(isSwizzlable));
  if (odd !== undefined)
    return not("dependence", `an index of ${array.name} has side effects or is swizzled already`, odd.node);
  const edits = array.accesses.flatMap(({ indices: [row, column] }) =>
    row === undefined || column === undefined
      ? []
      : [replaceNode(column, `${grouped(column)} ^ ${grouped(row)}`)],
  );
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { array: array.name }),
    evidence,
    gain: gain * threshold(entry, "gainFactor"),
  };
}

function isSwizzlable(index: SyntaxNode): boolean {
  return isPure(index) && !index.text.includes("^");
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0;
}

function grouped(node: SyntaxNode): string {
  return ["identifier", "field_expression", "number_literal", "parenthesized_expression"].includes(node.type)
    ? node.text
    : `(${node.text})`;
}
