import { compact, fieldText, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { methodCall } from "../../triton/views/copied-view";

const sizes = new Set([
  "shape",
  "size",
  "stride",
  "numel",
  "dtype",
  "device",
  "ndim",
  "dim",
  "element_size",
  "data_ptr",
  "is_cuda",
]);

/** Names that stand for tensors: those that a kernel is handed, and what torch makes of them. */
export function tensorsIn(body: SyntaxNode, passed: readonly string[]): ReadonlySet<string> {
  const tensors = new Set(passed);
  const acts = body.descendantsOfType("assignment");
  for (let before = -1; before !== tensors.size;) {
    before = tensors.size;
    for (const act of acts) {
      const [left, right] = [act.childForFieldName("left"), act.childForFieldName("right")];
      if (left?.type !== "identifier" || right === null) continue;
      const made = /^torch\.(?:empty|zeros|ones|full|rand|arange|tensor)/.test(compact(right));
      if (made || isTensor(right, tensors)) tensors.add(left.text);
      // What a tensor is made of by methods is one as well.
      const call = methodCall(right);
      if (tensors.has(left.text) && call?.object.type === "identifier" && !sizes.has(call.method))
        for (const use of usesOf(call.object, call.object.text)) tensors.add(use.text);
    }
  }
  tensors.delete("torch");
  tensors.delete("F");
  return tensors;
}

/** True for an expression whose value is a tensor, as far as its names tell. */
export function isTensor(node: SyntaxNode, tensors: ReadonlySet<string>): boolean {
  if (node.type === "identifier") return tensors.has(node.text);
  if (node.type === "attribute") return isTensorOfObject(node, tensors);
  if (node.type === "call") return isTensorOfCall(node, tensors);
  if (node.type === "subscript")
    return isTensor(node.childForFieldName("value") ?? node, tensors) && !/shape|stride|size/.test(node.text);
  const isSum = /^(?:binary_operator|parenthesized_expression|unary_operator)$/.test(node.type);
  return isSum && partsOf(node).some((part) => isTensor(part, tensors));
}

const ofModule = /^(?:weight|bias|scale|gamma|beta)$/;

function isTensorOfObject(node: SyntaxNode, tensors: ReadonlySet<string>): boolean {
  const name = fieldText(node, "attribute");
  const object = node.childForFieldName("object");
  if (sizes.has(name) || object === null) return false;
  return object.text === "self" ? ofModule.test(name) : isTensor(object, tensors);
}

function isTensorOfCall(node: SyntaxNode, tensors: ReadonlySet<string>): boolean {
  const callee = node.childForFieldName("function");
  if (sizes.has(fieldText(callee, "attribute"))) return false;
  if (callee?.type === "attribute" && isTensor(callee, tensors)) return true;
  const given = partsOf(node.childForFieldName("arguments"));
  return /^(?:torch|F)\./.test(compact(callee)) && given.some((part) => isTensor(part, tensors));
}
