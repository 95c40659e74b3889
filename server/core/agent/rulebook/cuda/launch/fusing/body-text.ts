import type { SyntaxNode } from "../../../../../language/tree";
import { editedText, type TextEdit } from "../../../edits";

/** Edits that lie in none of the nodes. */
export function apart(edits: readonly TextEdit[], nodes: readonly SyntaxNode[]): readonly TextEdit[] {
  return edits.filter(
    ({ start, end }) => !nodes.some((node) => start >= node.startIndex && end <= node.endIndex),
  );
}

/** A part of a body with the edits that lie in it. */
export function textOf(node: SyntaxNode, edits: readonly TextEdit[]): string {
  const { startIndex, endIndex, text } = node;
  const inside = edits.filter(({ start, end }) => start >= startIndex && end <= endIndex);
  const moved = inside.map((edit) => ({
    ...edit,
    start: edit.start - startIndex,
    end: edit.end - startIndex,
  }));
  return editedText(text, { start: 0, end: text.length }, moved);
}
