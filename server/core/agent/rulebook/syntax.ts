import type { RuleNode } from "./rule";

/** One-based line on which the node begins. */
export function lineOf(node: RuleNode): number {
  return node.startPosition.row + 1;
}

/** Text without white space, so that formatting does not hide that two expressions are the same. */
export function compact(node: RuleNode | null | undefined): string {
  return (node?.text ?? "").replace(/\s+/g, "");
}

/** The nearest ancestor of one of the types, the node itself left out. */
export function enclosing(node: RuleNode, types: readonly string[]): RuleNode | undefined {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (types.includes(at.type)) return at;
  }
  return undefined;
}

export function isInside(node: RuleNode, outer: RuleNode): boolean {
  return node.startIndex >= outer.startIndex && node.endIndex <= outer.endIndex;
}

/** Every identifier with that text inside the node, in the order of the text. */
export function usesOf(node: RuleNode, name: string): readonly RuleNode[] {
  return node.descendantsOfType("identifier").filter((identifier) => identifier.text === name);
}

/** A name that the text does not contain yet: the wish itself, or the wish with a number. */
export function freshName(source: string, wish: string): string {
  const taken = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(source);
  if (!taken(wish)) return wish;
  let number = 2;
  while (taken(`${wish}${number}`)) number += 1;
  return `${wish}${number}`;
}

/** Takes parentheses away from the outside of an expression. */
export function unwrapped(node: RuleNode): RuleNode {
  let inner = node;
  while (inner.type === "parenthesized_expression" && inner.namedChildren[0] !== undefined)
    inner = inner.namedChildren[0];
  return inner;
}

/**
 * The operands of a chain of one operator, parentheses around sub-chains taken away: `a * (b * c)` gives a,
 * b, c.
 */
export function operands(node: RuleNode, operator: string): readonly RuleNode[] {
  const inner = unwrapped(node);
  if (
    !["binary_expression", "binary_operator"].includes(inner.type) ||
    inner.childForFieldName("operator")?.text !== operator
  )
    return [inner];
  return [inner.childForFieldName("left"), inner.childForFieldName("right")].flatMap((side) =>
    side === null ? [] : operands(side, operator),
  );
}
