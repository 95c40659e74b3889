import type { SyntaxNode } from "../../../../../language/tree";

/** A statement that launches by a macro or a function of the file, with what it says written out. */
export interface LaunchUse {
  readonly node: SyntaxNode;
  /** On one line. */
  readonly text: string;
}

/** A kernel in parentheses in front of its launch, which it needs behind a macro alone. */
const wrappedKernel = /(?:\(\s*)+([A-Za-z_][\w:]*(?:<[^()]*>)?)\s*(?:\)\s*)+<<</g;

/** The launch of a kernel that stands in parentheses, without them. */
export function kernelBare(text: string): string {
  return text.replace(wrappedKernel, "$1<<<");
}

/** True for statements that stand beside others, not alone as a branch or a loop's body. */
export function standsAmongOthers({ parent }: SyntaxNode): boolean {
  return parent?.type === "compound_statement";
}
