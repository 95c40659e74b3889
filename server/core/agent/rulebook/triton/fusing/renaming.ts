import type { SyntaxNode } from "../../../../language/tree";

/** `x` in `tl.x`, and in `f(x=1)`: no name of a variable. */
export function isMemberName(use: SyntaxNode): boolean {
  const { parent } = use;
  const member = parent?.type === "attribute" && parent.childForFieldName("attribute")?.id === use.id;
  const keyword = parent?.type === "keyword_argument" && parent.childForFieldName("name")?.id === use.id;
  return member || keyword;
}
