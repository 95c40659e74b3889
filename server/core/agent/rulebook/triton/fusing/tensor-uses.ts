import { enclosing, compact, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";

/** Where a tensor is named, be it a name or a member such as `self.scratch`. */
export function usesOfTensor(scope: SyntaxNode, tensor: string): readonly SyntaxNode[] {
  return tensor.includes(".")
    ? scope.descendantsOfType("attribute").filter((node) => compact(node) === tensor)
    : usesOf(scope, tensor);
}

/**
 * True for a member that objects hand on to others: it is named in the file otherwise than where it is made,
 * and in these statements.
 */
export function isShared(root: SyntaxNode, tensor: string, statements: readonly SyntaxNode[]): boolean {
  const member = tensor.split(".").at(-1);
  if (!tensor.includes(".") || member === undefined) return false;
  const uses = root
    .descendantsOfType("attribute")
    .filter((node) => node.childForFieldName("attribute")?.text === member);
  const made = uses.filter(isMade);
  return (
    made.length !== 1 ||
    uses.some(
      (use) => !made.includes(use) && !isModel(use) && !statements.some((each) => isInside(use, each)),
    )
  );
}

/** `self.scratch = torch.empty(…)`: what begins as zeros may be a state that the next call goes on from. */
function isMade({ parent, id }: SyntaxNode): boolean {
  const own = parent?.type === "assignment" && parent.childForFieldName("left")?.id === id;
  const value = own ? compact(parent.childForFieldName("right")?.childForFieldName("function")) : "";
  return /\.(?:new_)?empty(?:_like)?$/.test(value);
}

/** In `torch.empty_like(self.scratch)`. */
function isModel(use: SyntaxNode): boolean {
  const call = enclosing(use, "call");
  return (
    call !== undefined && /\.(?:empty|zeros|ones)_like$/.test(compact(call.childForFieldName("function")))
  );
}

/** True for a use of a tensor that reads its elements, or that nobody can tell. */
export function isRead(use: SyntaxNode): boolean {
  const { parent } = use;
  if (parent?.type === "assignment" && parent.childForFieldName("left")?.id === use.id) return false;
  if (parent?.type === "pattern_list") return false;
  if (parent?.type === "attribute")
    return !/^(shape|stride|numel|size|dtype|device|ndim|new_empty|new_zeros|element_size)$/.test(
      parent.childForFieldName("attribute")?.text ?? "",
    );
  const call = parent?.type === "argument_list" ? parent.parent : undefined;
  return !/\.(empty|zeros|ones)_like$/.test(compact(call?.childForFieldName("function")));
}
