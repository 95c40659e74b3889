import { cudaAccesses } from "../../../../../language/cuda/body/accesses";
import {
  calledFunctions,
  mentionIn,
  variesWithThread,
  warpLevelUse,
} from "../../../../../language/cuda/body/threads";
import { enclosing, isInside, partsOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { indentOf, insertBefore, type TextEdit } from "../../../edits";
import type { KernelView } from "../../kernel";
import { callsShare, isBarrier } from "./late-barriers";
import { sharedStores } from "./shared-stores";

const LOOPS = ["for_statement", "while_statement", "do_statement"];

/** What waits for copies that run beside the threads: they count as stores. */
const waits = /\basm\b|\b__asm\w*|\w*(?:pipeline|async|arrive|wait)\w*/;

/** Barriers that each turn of a loop waits at. */
interface TurnBarriers {
  readonly barriers: readonly SyntaxNode[];
  /** Barriers in front of the loop and behind it, where none stands there yet. */
  readonly instead: readonly TextEdit[];
}

/**
 * The barriers of loops whose turns only read shared memory: what was stored in front of the loop is there
 * once all threads have come to it, and stays until all have left it. What threads tell each other through
 * global memory is for the caller to ask.
 */
export function turnBarriers(view: KernelView): TurnBarriers {
  const { body, model, kernel } = view;
  const none = { barriers: [], instead: [] };
  if (warpLevelUse(model, kernel) !== undefined) return none;
  const stores = sharedStores(view);
  // Without any store in the kernel itself its shared memory is not seen to be filled here.
  if (stores.length === 0) return none;
  const found: SyntaxNode[] = [];
  const instead: TextEdit[] = [];
  for (const loop of body.descendantsOfType(LOOPS)) {
    const inside = loop.descendantsOfType("expression_statement").filter(isBarrier);
    const counted = inside.length === 0 || found.some((barrier) => isInside(barrier, loop));
    if (counted || !onlyReads(view, loop, stores)) continue;
    const walls = wallsOf(view, loop, stores);
    if (walls === undefined) continue;
    found.push(...inside);
    instead.push(...walls);
  }
  return { barriers: found, instead };
}

/** True for a loop in which no thread leaves anything for another one, and which none leaves midway. */
function onlyReads(view: KernelView, loop: SyntaxNode, stores: readonly SyntaxNode[]): boolean {
  const { model, kernel } = view;
  const leaves = loop.descendantsOfType(["return_statement", "goto_statement"]);
  if (leaves.length > 0 || mentionIn(loop, waits) !== undefined) return false;
  const { atomics } = cudaAccesses(kernel);
  if ([...stores, ...atomics.map(({ node }) => node)].some((node) => isInside(node, loop))) return false;
  const changing = calledFunctions(model, kernel, [loop]).some((definition) =>
    definition
      .descendantsOfType("parameter_declaration")
      .some((parameter) => /&/.test(parameter.text) && !/\bconst\b/.test(parameter.text)),
  );
  return !changing && !callsShare(view, [loop]);
}

/** What has to stand around the loop in place of its barriers; undefined where no barrier may stand there. */
function wallsOf(
  { body, model, source }: KernelView,
  loop: SyntaxNode,
  stores: readonly SyntaxNode[],
): readonly TextEdit[] | undefined {
  const block = loop.parent;
  if (block?.type !== "compound_statement") return undefined;
  const statements = partsOf(block);
  const stored = (statement: SyntaxNode): boolean => stores.some((store) => isInside(store, statement));
  const tells = (statement: SyntaxNode): boolean => isBarrier(statement) || stored(statement);
  const before = statements.filter(({ endIndex }) => endIndex <= loop.startIndex).findLast(tells);
  const after = statements.filter(({ startIndex }) => startIndex >= loop.endIndex).find(tells);
  const walled = [before, after].map((statement) => statement !== undefined && isBarrier(statement));
  const last = block.id === body.id && after === undefined;
  const [front, behind] = [walled[0] === true, walled[1] === true || last];
  if (front && behind) return [];
  // A barrier is for all threads of the block: none may pass the loop by.
  const chosen = conditionsAround(loop, body).some((condition) =>
    (["x", "y", "z"] as const).some((axis) => variesWithThread(model, body, axis)(condition)),
  );
  if (chosen) return undefined;
  const barrier = "__syncthreads();";
  const indent = indentOf(source, loop);
  const pragma = loop.previousNamedSibling;
  const start = pragma !== null && /^#\s*pragma/.test(pragma.text) ? pragma : loop;
  const own = indentOf(source, start);
  return [
    ...(front ? [] : [insertBefore(start, `${indent.slice(own.length)}${barrier}\n${own}`)]),
    ...(behind ? [] : [{ start: loop.endIndex, end: loop.endIndex, text: `\n${indent}${barrier}` }]),
  ];
}

/** The conditions of branches and loops that a statement stands in. */
function conditionsAround(statement: SyntaxNode, body: SyntaxNode): readonly SyntaxNode[] {
  const conditions: SyntaxNode[] = [];
  const types = ["if_statement", "switch_statement", ...LOOPS];
  for (
    let outer = enclosing(statement, ...types);
    outer !== undefined && isInside(outer, body);
    outer = enclosing(outer, ...types)
  )
    conditions.push(outer.childForFieldName("condition") ?? outer);
  return conditions;
}
