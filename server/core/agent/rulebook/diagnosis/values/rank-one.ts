import { compact } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";

/**
 * True for an element of an array whose numbers stand in the file and are a product of one factor for each
 * row and one for each column: `{1, 2, 1, 2, 4, 2, 1, 2, 1}`.
 */
export function isOfRankOne(element: SyntaxNode, body: SyntaxNode): boolean {
  if (element.type !== "subscript_expression") return false;
  const name = compact(element).replace(/\[.*/, "");
  let root = body;
  while (root.parent !== null) root = root.parent;
  const list = root
    .descendantsOfType("init_declarator")
    .find((node) => compact(node.childForFieldName("declarator")).replace(/\[.*/, "") === name)
    ?.childForFieldName("value");
  if (!list) return false;
  const numbers = (list.text.match(/-?\d+(?:\.\d*)?(?:e-?\d+)?f?(?:\s*\/\s*\d+(?:\.\d*)?f?)?/gi) ?? []).map(
    numberOf,
  );
  const side = Math.round(Math.sqrt(numbers.length));
  if (side < 3 || side * side !== numbers.length || numbers.some(Number.isNaN)) return false;
  return hasRankOne(numbers, side);
}

function numberOf(text: string): number {
  const [above = Number.NaN, below = 1] = text.split("/").map((part) => Number.parseFloat(part));
  return above / below;
}

function hasRankOne(numbers: readonly number[], side: number): boolean {
  const at = (row: number, column: number): number => numbers[row * side + column] ?? 0;
  const sizes = numbers.map(Math.abs);
  const place = sizes.indexOf(Math.max(...sizes));
  const [top, left] = [Math.floor(place / side), place % side];
  const greatest = at(top, left);
  return numbers.every((value, index) => {
    const made = (at(Math.floor(index / side), left) * at(top, index % side)) / greatest;
    return Math.abs(value - made) <= 0.02 * Math.abs(greatest);
  });
}
