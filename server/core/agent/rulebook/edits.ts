import { invariant } from "../../base/assert";
import type { RuleInput, RuleNode } from "./rule";

/** A replacement of the text between two offsets (UTF-16 code units); equal offsets insert. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function replaceNode(node: RuleNode, text: string): TextEdit {
  return { start: node.startIndex, end: node.endIndex, text };
}

export function insertBefore(node: RuleNode, text: string): TextEdit {
  return { start: node.startIndex, end: node.startIndex, text };
}

/** Applies edits that do not overlap; everything else keeps its place and its formatting. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let result = "";
  let position = 0;
  for (const edit of sorted) {
    invariant(edit.start >= position && edit.end >= edit.start, "edits of one rewrite do not overlap");
    result += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + text.slice(position);
}

/** The tree with the kernel's own file edited. */
export function editedTree(input: RuleInput, edits: readonly TextEdit[]): RuleInput["tree"] {
  return { ...input.tree, [input.file]: applyEdits(input.tree[input.file] ?? "", edits) };
}

/** The white space that the node's line begins with. */
export function indentOf(source: string, node: RuleNode): string {
  const start = source.lastIndexOf("\n", node.startIndex - 1) + 1;
  return /^[ \t]*/.exec(source.slice(start, node.startIndex))?.[0] ?? "";
}
