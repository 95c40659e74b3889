import { changes } from "../../../../language/cuda/body/scope";
import { isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TextEdit } from "../../edits";
import type { KernelView } from "../kernel";

/**
 * One place of a kernel that can be written in the plain way, as edits that mean the same and keep every line
 * where it is: counters belong to lines. Undefined where nothing is left to change.
 */
export type Spelling = (view: KernelView) => readonly TextEdit[] | undefined;

/** Lines whose counters belong to another line, as what stood there is now written out there. One-based. */
export type Moved = readonly { readonly first: number; readonly last: number; readonly to: number }[];

/** Takes a node away; its line breaks stay. */
export function taken(node: SyntaxNode): TextEdit {
  return { start: node.startIndex, end: node.endIndex, text: node.text.replace(/[^\n]/g, "") };
}

/** True when nothing in a range of the body changes a name that the expression reads. */
export function staysSame(
  expression: SyntaxNode,
  body: SyntaxNode,
  isCounted: (act: SyntaxNode) => boolean,
): boolean {
  const names = new Set(expression.descendantsOfType("identifier").map(({ text }) => text));
  return changes(body).every(({ act, target }) => !names.has(target.text) || isCounted(act));
}

/** True when the act stands between two nodes, both left out. */
export function isBetween(act: SyntaxNode, before: SyntaxNode, after: SyntaxNode): boolean {
  return act.startIndex >= before.endIndex && act.endIndex <= after.startIndex && !isInside(act, before);
}
