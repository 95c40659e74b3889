import type { CudaAccess } from "../../../../../language/cuda/body/accesses";
import { countedLoops } from "../../../../../language/cuda/body/loops";
import { variesWithThread } from "../../../../../language/cuda/body/threads";
import { isInside } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { formIn, type KernelView } from "../../kernel";

const AXES = ["x", "y", "z"] as const;

/**
 * True where a condition differs between threads of a block that have the same element: one of them may be
 * picked to change it, and the others must not store it.
 */
export function picksThreads(view: KernelView, condition: SyntaxNode, { indexNode }: CudaAccess): boolean {
  return AXES.some((axis) => {
    const varies = variesWithThread(view.model, view.body, axis);
    return varies(condition) && (indexNode === undefined || !varies(indexNode));
  });
}

/**
 * True where each thread is seen to have an element of its own along the axes that a condition differs
 * along: its index has the thread's number in it, or a loop's variable that starts from there.
 */
export function isOwnElement(
  view: KernelView,
  condition: SyntaxNode,
  { node, indexNode }: CudaAccess,
): boolean {
  if (indexNode === undefined) return false;
  const around = countedLoops(view.body).filter(({ body }) => isInside(node, body));
  const parts = new Set([...formIn(view, indexNode).keys()]);
  for (const { variable, start } of around.reverse())
    if (parts.has(variable)) for (const part of formIn(view, start).keys()) parts.add(part);
  return AXES.every(
    (axis) => !variesWithThread(view.model, view.body, axis)(condition) || parts.has(`threadIdx.${axis}`),
  );
}
