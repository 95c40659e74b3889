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
