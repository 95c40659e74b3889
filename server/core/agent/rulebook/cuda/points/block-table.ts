import { arraysOf } from "../../../../language/cuda/body/arrays";
import { changes, localValues } from "../../../../language/cuda/body/scope";
import { warpLevelUse } from "../../../../language/cuda/body/threads";
import { compact, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { threadsCooperate } from "../elements/element-work";
import type { KernelView } from "../kernel";
import type { RuleHold } from "../../rule";

/** What each block keeps in shared memory: filled before the work of a point begins, and only read there. */
interface BlockTable {
  /** The barrier behind which the work begins; undefined where the block keeps nothing. */
  readonly barrier: SyntaxNode | undefined;
}

/**
 * The shared memory of a kernel as a table that is the same in every block; a guard's answer where the
 * threads of a block work together in another way.
 */
export function blockTable(view: KernelView): BlockTable | RuleHold {
  const held = threadsCooperate(view, { sums: true });
  if (held === undefined) return { barrier: undefined };
  const barrier = lastBarrier(view);
  return barrier !== undefined && isTable(view, barrier) ? { barrier } : held;
}

/** The last barrier, where all of them are statements of the kernel's own block. */
function lastBarrier({ body }: KernelView): SyntaxNode | undefined {
  const own = partsOf(body).filter((node) => compact(node) === "__syncthreads();");
  const all = body
    .descendantsOfType("call_expression")
    .filter((call) => /^__sync/.test(compact(call.childForFieldName("function"))));
  return all.length === own.length ? own.at(-1) : undefined;
}

function isTable(view: KernelView, barrier: SyntaxNode): boolean {
  const { body, model, kernel } = view;
  if (warpLevelUse(model, kernel) !== undefined || /\batomic\w*\s*\(/.test(body.text)) return false;
  const tables = new Set(arraysOf(body).flatMap(({ name, storage }) => (storage === "local" ? [] : [name])));
  const before = partsOf(body).filter(({ startIndex }) => startIndex < barrier.startIndex);
  const stored = changes(body).filter(({ target }) =>
    target.descendantsOfType("identifier").some(({ text }, place) => place === 0 && tables.has(text)),
  );
  const filled = stored.every(({ act }) => act.startIndex < barrier.startIndex);
  const fills = before.filter((node) => stored.some(({ act }) => isInside(act, node)));
  return tables.size > 0 && filled && !fills.some(readsBlock(body)) && !leaves(before);
}

function leaves(before: readonly SyntaxNode[]): boolean {
  return before.some((node) => node.descendantsOfType("return_statement").length > 0);
}

/** Tells whether a statement reads the block's number, or something that is made of it. */
function readsBlock(body: SyntaxNode): (node: SyntaxNode) => boolean {
  const made = new Set(["blockIdx"]);
  const reads = (node: SyntaxNode): boolean =>
    node.descendantsOfType("identifier").some(({ text }) => made.has(text));
  for (const { name, value } of localValues(body)) if (reads(value)) made.add(name);
  return reads;
}
