import { compact, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { methodCall } from "./copied-view";

/** The number of dimensions of a tensor, as far as the function's text says it. */
export function rankOf(scope: SyntaxNode, node: SyntaxNode): number | undefined {
  const call = methodCall(node);
  if (call !== undefined) return rankOfCall(scope, call);
  if (node.type === "attribute" && /\.(?:T|H)$/.test(node.text)) return 2;
  const value = node.childForFieldName(node.type === "subscript" ? "value" : "object");
  if (node.type === "attribute" && /\.mT$/.test(node.text)) return value ? rankOf(scope, value) : undefined;
  if (node.type === "subscript" && value) return rankOfPart(node);
  return unpackedRank(scope, node.text);
}

function rankOfCall(
  scope: SyntaxNode,
  { object, method, given }: NonNullable<ReturnType<typeof methodCall>>,
): number | undefined {
  if (method === "t") return 2;
  if (method === "expand_as") return given[0] && rankOf(scope, given[0]);
  if (/^(?:expand|permute|broadcast_to|view|reshape)$/.test(method)) {
    const [only] = given;
    const listed = given.length === 1 && /^(?:tuple|list)$/.test(only?.type ?? "") ? partsOf(only) : given;
    return listed.some((node) => !isNumber(node)) ? undefined : listed.length;
  }
  const keeps = /^(?:transpose|swapaxes|swapdims|movedim|moveaxis|narrow|contiguous|detach|clone)$/;
  return keeps.test(method) ? rankOf(scope, object) : undefined;
}

/** One size or one number of a dimension, and no shape as a whole. */
function isNumber(node: SyntaxNode): boolean {
  return !/splat|keyword/.test(node.type) && !/\.(?:shape|size\(\))$/.test(compact(node));
}

/** `x[:, None, 0]` has a dimension for each slice and each `None`. */
function rankOfPart(node: SyntaxNode): number | undefined {
  const parts = node.childrenForFieldName("subscript");
  if (parts.some(({ type }) => type === "ellipsis")) return undefined;
  return parts.filter(({ type }) => type === "slice" || type === "none").length;
}

/** `batch, rows, columns = x.shape` says how many dimensions `x` has. */
function unpackedRank(scope: SyntaxNode, name: string): number | undefined {
  const shapes = new Set([`${name}.shape`, `${name}.size()`]);
  for (const act of scope.descendantsOfType("assignment")) {
    const left = act.childForFieldName("left");
    if (left?.type === "pattern_list" && shapes.has(compact(act.childForFieldName("right"))))
      return left.namedChildren.length;
  }
  return undefined;
}
