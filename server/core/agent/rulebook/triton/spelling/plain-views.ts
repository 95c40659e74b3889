import { compact, fieldText, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TritonModel } from "../../../../language/triton/model";
import { replaceNode, type TextEdit } from "../../edits";
import { onlyAssignment } from "../kernel";

/**
 * The edits by which launches are passed tensors in place of views of them that begin where they begin:
 * `h` for `h.view(-1, n)`. A kernel is handed an address alone, so that it means the same. Undefined where
 * there are none.
 */
export function viewsAsTensors({ launches }: TritonModel, kernel: string): readonly TextEdit[] | undefined {
  const host = launches.find(({ site }) => site.kernel === kernel)?.host;
  if (host === undefined) return undefined;
  const passed = launches
    .filter(({ call }) => isInside(call, host))
    .flatMap(({ positional, keywords }) => [...positional, ...keywords.values()]);
  const edits = passed.flatMap((node) => {
    const tensor = viewedTensor(host, node);
    return tensor === undefined ? [] : [replaceNode(node, tensor.text)];
  });
  return edits.length === 0 ? undefined : edits;
}

/** The name in `h.view(-1, n)`, or in `h.reshape(-1, n)` of what the function makes in one piece. */
function viewedTensor(host: SyntaxNode, node: SyntaxNode): SyntaxNode | undefined {
  const callee = node.type === "call" ? node.childForFieldName("function") : null;
  const owner = callee?.type === "attribute" ? callee.childForFieldName("object") : null;
  if (owner?.type !== "identifier") return undefined;
  const name = fieldText(callee, "attribute");
  const sizes = partsOf(node.childForFieldName("arguments"));
  // A view of another type has other elements.
  const isOther = sizes.some((size) => /\bdtype\b|^torch\./.test(size.text));
  if (name === "view" && sizes.length > 0 && !isOther) return owner;
  return /^(?:reshape|flatten|ravel|contiguous)$/.test(name) && isInOnePiece(host, owner.text)
    ? owner
    : undefined;
}

function isInOnePiece(host: SyntaxNode, name: string): boolean {
  const right = onlyAssignment(host, name)?.childForFieldName("right");
  const made = /^(?:torch\.(?:empty|zeros|ones|full)|\w+\.new_(?:empty|zeros|ones|full))$/;
  return right?.type === "call" && made.test(compact(right.childForFieldName("function")));
}
