import { subscriptIndex } from "../../../../language/cuda/body/arrays";
import type { SyntaxNode } from "../../../../language/tree";
import { formIn, type KernelView } from "../kernel";

/** So many elements, or structures, are neighbouring lanes apart at most where they lie near each other. */
const nearest = 16;

/**
 * True where all elements that a statement touches are numbered by threadIdx.x times a small number: lanes
 * lie as near each other as their structures let them, and no other axis brings them nearer. What a
 * reference or a pointer of the body stands for (`Cell& c = cells[i]`) counts with the statement.
 */
export function hasNearLanes(view: KernelView, statement: SyntaxNode): boolean {
  const names = new Set(statement.descendantsOfType("identifier").map(({ text }) => text));
  const bound = view.body.descendantsOfType("init_declarator").filter((node) => {
    const declared = node.childForFieldName("declarator");
    const refers = ["reference_declarator", "pointer_declarator"].includes(declared?.type ?? "");
    return refers && names.has(declared?.descendantsOfType("identifier")[0]?.text ?? "");
  });
  const strides = [statement, ...bound]
    .flatMap((node) => node.descendantsOfType("subscript_expression"))
    .flatMap((node) => {
      const index = subscriptIndex(node);
      const form = index === undefined ? [] : [...formIn(view, index)];
      return form.filter(([key]) => key.split("*").includes("threadIdx.x"));
    });
  return (
    strides.length > 0 && strides.every(([key, times]) => key === "threadIdx.x" && Math.abs(times) <= nearest)
  );
}
