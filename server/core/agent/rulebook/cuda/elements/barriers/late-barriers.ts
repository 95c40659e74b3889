import { cudaAccesses } from "../../../../../language/cuda/body/accesses";
import { calledFunctions, mentionIn, warpLevelUse } from "../../../../../language/cuda/body/threads";
import { compact, partsOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import type { KernelView } from "../../kernel";
import { sharedStores } from "./shared-stores";

/**
 * The barriers of a kernel that nothing is stored to shared memory behind: all of them where there is no
 * shared memory, else those behind the first one that all such stores stand in front of. What threads tell
 * each other through global memory is for the caller to ask.
 */
export function lateBarriers(view: KernelView): readonly SyntaxNode[] {
  const { body, model, kernel } = view;
  const barriers = body.descendantsOfType("expression_statement").filter(isBarrier);
  if (barriers.length === 0 || warpLevelUse(model, kernel) !== undefined) return [];
  if (cudaAccesses(kernel).atomics.some(({ node }) => node.parent?.type !== "expression_statement"))
    return [];
  const last = lastStore(view);
  if (last === undefined) return hidesShared(view, 0) ? [] : barriers;
  const wall = partsOf(body).find((node) => isBarrier(node) && node.startIndex >= last);
  if (wall === undefined || hidesShared(view, wall.endIndex)) return [];
  return barriers.filter(({ startIndex }) => startIndex > wall.startIndex);
}

/** True for `__syncthreads();` as a statement. */
export function isBarrier(statement: SyntaxNode): boolean {
  return compact(statement) === "__syncthreads();";
}

/** Where the last statement of the body ends that may store to shared memory; undefined where none does. */
function lastStore(view: KernelView): number | undefined {
  const ends = sharedStores(view).map((act) => endOfStatement(act, view.body));
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** The end of the statement of the body itself that a node stands in. */
function endOfStatement(node: SyntaxNode, body: SyntaxNode): number {
  let outer = node;
  while (outer.parent !== null && outer.parent.id !== body.id) outer = outer.parent;
  return outer.endIndex;
}

/** True where functions that are called behind a place have shared memory or barriers of their own. */
function hidesShared(view: KernelView, from: number): boolean {
  return callsShare(
    view,
    partsOf(view.body).filter(({ endIndex }) => endIndex > from),
  );
}

/** True where functions that statements call have shared memory or barriers of their own. */
export function callsShare({ model, kernel }: KernelView, statements: readonly SyntaxNode[]): boolean {
  const outside = model.root
    .descendantsOfType("declaration")
    .some(
      (node) =>
        node.parent?.type === "translation_unit" && node.children.some(({ text }) => text === "__shared__"),
    );
  return (
    outside ||
    calledFunctions(model, kernel, statements).some(
      (node) => mentionIn(node, /__shared__|__sync\w*|\batomic\w+/) !== undefined,
    )
  );
}
