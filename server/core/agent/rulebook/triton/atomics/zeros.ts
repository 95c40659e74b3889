import { fieldText, operands } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isCallOf, onlyAssignment, positional, type TritonView } from "../kernel";

/** Names that are followed to what they stand for, one after the other. */
const deepest = 6;

/**
 * Zero in every lane: `tl.zeros(…)`, `offsets * 0`, or a name of one of them. `depth`: how many names were
 * followed already.
 */
export function isZero(view: TritonView, node: SyntaxNode, depth = 0): boolean {
  if (isCallOf(view, node, "zeros") || isCallOf(view, node, "zeros_like")) return true;
  if (isCallOf(view, node, "full") && positional(node)[1]?.text === "0") return true;
  if (operands(node, "*").some(({ type, text }) => type === "integer" && text === "0")) return true;
  const inner = node.type === "identifier" ? valueOf(view, node) : convertedBy(node);
  return inner !== undefined && depth < deepest && isZero(view, inner, depth + 1);
}

function valueOf({ body }: TritonView, { text }: SyntaxNode): SyntaxNode | undefined {
  return onlyAssignment(body, text)?.childForFieldName("right") ?? undefined;
}

/** `x` of `x.to(tl.int64)`. */
function convertedBy(node: SyntaxNode): SyntaxNode | undefined {
  const callee = node.type === "call" ? node.childForFieldName("function") : null;
  return fieldText(callee, "attribute") === "to"
    ? (callee?.childForFieldName("object") ?? undefined)
    : undefined;
}
