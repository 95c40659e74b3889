import { at } from "../../base/known";
import { invariant } from "../../base/assert";
import type { SyntaxNode } from "../../language/tree";
import type { RuleInput } from "./rule";

/** A replacement of the text between two offsets (UTF-16 code units); equal offsets insert. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function replaceNode(node: SyntaxNode, text: string): TextEdit {
  return { start: node.startIndex, end: node.endIndex, text };
}

export function insertBefore(node: SyntaxNode, text: string): TextEdit {
  return { start: node.startIndex, end: node.startIndex, text };
}

/** The literal's digits replaced; its suffix and parentheses stay. */
export function replaceNumber(node: SyntaxNode, value: number): TextEdit {
  const match = /\d+/.exec(node.text);
  invariant(match !== null, "a literal has digits");
  const start = node.startIndex + match.index;
  return { start, end: start + match[0].length, text: String(value) };
}

/** Applies edits that do not overlap; everything else keeps its place and its formatting. */
function applyEdits(text: string, edits: readonly TextEdit[]): string {
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

/** Text of a range of the source with the edits in it applied. */
export function editedText(
  source: string,
  range: { readonly start: number; readonly end: number },
  edits: readonly TextEdit[],
): string {
  const moved = edits.map((edit) => ({
    ...edit,
    start: edit.start - range.start,
    end: edit.end - range.start,
  }));
  return applyEdits(source.slice(range.start, range.end), moved);
}

/** The tree with the kernel's own file edited. */
export function editedTree(input: RuleInput, edits: readonly TextEdit[]): RuleInput["tree"] {
  const source = input.tree[input.file];
  invariant(source !== undefined, `the tree holds ${input.file}`);
  return { ...input.tree, [input.file]: applyEdits(source, edits) };
}

/** The white space that the node's line begins with. */
export function indentOf(source: string, node: Pick<SyntaxNode, "startIndex">): string {
  const start = source.lastIndexOf("\n", node.startIndex - 1) + 1;
  return at(source.slice(start, node.startIndex).split(/[^ \t]/), 0);
}

/** Edits that move the lines that begin in a range to the left, by as many columns as they have blanks. */
export function outdented(
  source: string,
  { start, end }: { readonly start: number; readonly end: number },
  columns: number,
): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (let at = source.indexOf("\n", start); at >= 0 && at < end; at = source.indexOf("\n", at + 1)) {
    const blanks = /^[ \t]*/.exec(source.slice(at + 1))?.[0].length ?? 0;
    edits.push({ start: at + 1, end: at + 1 + Math.min(blanks, columns), text: "" });
  }
  return edits;
}

/** A name that the text does not contain yet: what is wanted (`A.rows` as `ARows`), or that with a number. */
export function freshName(source: string, wanted: string): string {
  const wish = wanted.replace(/\W+(\w)/g, (_, first: string) => first.toUpperCase());
  const taken = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(source);
  if (!taken(wish)) return wish;
  let number = 2;
  while (taken(`${wish}${number}`)) number += 1;
  return `${wish}${number}`;
}
