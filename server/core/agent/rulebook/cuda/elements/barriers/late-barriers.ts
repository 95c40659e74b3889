import { cudaAccesses } from "../../../../../language/cuda/body/accesses";
import { changes } from "../../../../../language/cuda/body/scope";
import { calledFunctions, mentionIn, warpLevelUse } from "../../../../../language/cuda/body/threads";
import { compact, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import type { KernelView } from "../../kernel";

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
function lastStore({ body }: KernelView): number | undefined {
  const ends = sharedStores(body).map((act) => endOfStatement(act, body));
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** What may store to shared memory: assignments, atomics, and calls that are handed an array of it. */
export function sharedStores(body: SyntaxNode): readonly SyntaxNode[] {
  const names = sharedNames(body);
  const touches = (node: SyntaxNode): boolean => [...names].some((name) => usesOf(node, name).length > 0);
  const stores = changes(body).flatMap(({ act, target }) => (touches(target) ? [act] : []));
  const handed = body
    .descendantsOfType("argument_list")
    .filter((list) =>
      list.descendantsOfType("identifier").some((name) => names.has(name.text) && isWhole(name)),
    );
  const atomics = body
    .descendantsOfType("call_expression")
    .filter((call) => /^atomic/.test(compact(call.childForFieldName("function"))) && touches(call));
  return [...stores, ...handed, ...atomics];
}

/** True for a name that stands for more than one element or member: a function may store through it. */
function isWhole({ parent }: SyntaxNode): boolean {
  return parent?.type !== "subscript_expression" && parent?.type !== "field_expression";
}

/** The end of the statement of the body itself that a node stands in. */
function endOfStatement(node: SyntaxNode, body: SyntaxNode): number {
  let outer = node;
  while (outer.parent !== null && outer.parent.id !== body.id) outer = outer.parent;
  return outer.endIndex;
}

/** Shared variables, and pointers and references that are made of them. */
function sharedNames(body: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  for (let before = -1; before !== names.size;) {
    before = names.size;
    for (const declaration of body.descendantsOfType("declaration")) {
      const shared = declaration.children.some(({ text }) => text === "__shared__");
      for (const declarator of declaration.childrenForFieldName("declarator")) {
        const [name] = declarator.descendantsOfType("identifier");
        const value = declarator.childForFieldName("value");
        const points = /pointer|reference/.test(declarator.childForFieldName("declarator")?.type ?? "");
        const made = points && value !== null && [...names].some((each) => usesOf(value, each).length > 0);
        if (name !== undefined && (shared || made)) names.add(name.text);
      }
    }
  }
  return names;
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
