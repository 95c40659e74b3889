import type { SyntaxNode } from "../../../../language/tree";
import { indentOf, type TextEdit } from "../../edits";
import type { KernelView } from "../kernel";

/** Functions, each as its lines, in front of the kernel and of the comments that touch it. */
export function beforeKernel(
  { source, kernel }: KernelView,
  functions: readonly (readonly string[])[],
): TextEdit {
  let holder = kernel.definition;
  while (/^(?:template_declaration|linkage_specification)$/.test(holder.parent?.type ?? ""))
    holder = holder.parent ?? holder;
  holder = withComments(holder);
  const indent = indentOf(source, holder);
  const text = functions.map((lines) => [...lines, ""].map((line) => `${line}\n${indent}`).join("")).join("");
  return { start: holder.startIndex, end: holder.startIndex, text };
}

/** What is written first of a node and of the comments that touch it. */
export function withComments(node: SyntaxNode): SyntaxNode {
  let holder = node;
  while (holder.previousNamedSibling?.type === "comment" && touches(holder.previousNamedSibling, holder))
    holder = holder.previousNamedSibling;
  return holder;
}

function touches(comment: SyntaxNode, node: SyntaxNode): boolean {
  return comment.endPosition.row + 1 === node.startPosition.row;
}
