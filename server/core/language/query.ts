import type { TextRange } from "../base/text";
import type { SyntaxNode } from "./tree";

/** Where a node stands, as the language server protocol counts. */
export function rangeOf(node: SyntaxNode): TextRange {
  return {
    start: { line: node.startPosition.row, character: node.startPosition.column },
    end: { line: node.endPosition.row, character: node.endPosition.column },
  };
}

/** Descendants of the given types in source order, the node itself included. */
export function descendants(node: SyntaxNode, ...types: string[]): readonly SyntaxNode[] {
  return node.descendantsOfType(types);
}

/** The nearest ancestor of one of the types, the node itself not included. */
export function enclosing(node: SyntaxNode, ...types: string[]): SyntaxNode | undefined {
  for (let current = node.parent; current !== null; current = current.parent) {
    if (types.includes(current.type)) return current;
  }
  return undefined;
}

/** One line: every run of blanks and comments becomes one space. */
export function collapse(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Names (identifiers, outside of member access) that stand in an expression's text. */
export function namesIn(expression: string): readonly string[] {
  const withoutStrings = expression.replace(/"[^"]*"|'[^']*'/g, " ");
  const names = [...withoutStrings.matchAll(/(?<![\w.])[A-Za-z_]\w*/g)].map((match) => match[0]);
  return [...new Set(names)];
}

/** One-based line on which the node begins. */
export function lineOf(node: SyntaxNode): number {
  return node.startPosition.row + 1;
}

/** Text without white space, so that formatting does not hide that two expressions are the same. */
export function compact(node: SyntaxNode | null | undefined): string {
  return (node?.text ?? "").replace(/\s+/g, "");
}

/** Text of a node's field; empty where the code leaves it out, and in code that is still being typed. */
export function fieldText(node: SyntaxNode | null | undefined, field: string): string {
  return node?.childForFieldName(field)?.text ?? "";
}

export function isInside(node: SyntaxNode, outer: SyntaxNode): boolean {
  return node.startIndex >= outer.startIndex && node.endIndex <= outer.endIndex;
}

/** Every identifier with that text in the node, in source order; of `structure.member` each such member. */
export function usesOf(node: SyntaxNode, name: string): readonly SyntaxNode[] {
  if (name.includes("."))
    return node.descendantsOfType("field_expression").filter((member) => compact(member) === name);
  return node.descendantsOfType("identifier").filter((identifier) => identifier.text === name);
}

/** Named children without comments, and without assertions that only the compiler reads. */
export function partsOf(node: SyntaxNode | null | undefined): readonly SyntaxNode[] {
  return (node?.namedChildren ?? []).filter(
    ({ type }) => type !== "comment" && type !== "static_assert_declaration",
  );
}

/** Takes parentheses away from the outside of an expression. */
export function unwrapped(node: SyntaxNode): SyntaxNode {
  let inner = node;
  while (inner.type === "parenthesized_expression") {
    const [only] = partsOf(inner);
    if (only === undefined) break;
    inner = only;
  }
  return inner;
}

/**
 * The operands of a chain of one operator, parentheses around sub-chains taken away: `a * (b * c)` gives a,
 * b, c.
 */
export function operands(node: SyntaxNode, operator: string): readonly SyntaxNode[] {
  const inner = unwrapped(node);
  const binary = inner.type === "binary_expression" || inner.type === "binary_operator";
  if (!binary || inner.childForFieldName("operator")?.text !== operator) return [inner];
  return [inner.childForFieldName("left"), inner.childForFieldName("right")].flatMap((side) =>
    side === null ? [] : operands(side, operator),
  );
}
