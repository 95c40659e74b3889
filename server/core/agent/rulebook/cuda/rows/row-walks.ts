import { cudaAccesses, type CudaAccess } from "../../../../language/cuda/body/accesses";
import { formFrom, formText, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { changes, isAssigned, isPure } from "../../../../language/cuda/body/scope";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import { compact, enclosing, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import { formIn, type KernelView } from "../kernel";

/** One walk of a block over a row: `for (int c = threadIdx.x; c < columns; c += blockDim.x)`. */
export interface RowWalk {
  readonly loop: CountedLoop;
  /** The reads `array[c]` or `array[start + c]` in it. */
  readonly reads: readonly SyntaxNode[];
  /** The left sides of `array[start + c] = value;` in it, by which each thread changes its own elements. */
  readonly stores: readonly SyntaxNode[];
}

/** Walks with the same bounds over one array. */
export interface RowWalks {
  readonly array: string;
  /** The element of the first walk, as written. */
  readonly element: string;
  /** True where the first walk stores each element before it reads it, if it reads it at all. */
  readonly isMade: boolean;
  /** As written in the source. */
  readonly elementType: string;
  readonly end: SyntaxNode;
  readonly walks: readonly [RowWalk, ...RowWalk[]];
}

/**
 * Arrays that are walked at least twice in the same way, are not written in between, but for each thread's
 * own elements, and whose start is the same for the whole block. `threads` is the block's size. A guard's
 * answer for each row that is no such.
 */
export function rowWalks(view: KernelView, threads: number): readonly (RowWalks | RuleHold)[] {
  const loops = countedLoops(view.body).filter((loop) => isWalk(view, loop, threads));
  const groups = new Map<string, CountedLoop[]>();
  for (const loop of loops) {
    const end = formText(formIn(view, loop.bound));
    groups.set(end, [...(groups.get(end) ?? []), loop]);
  }
  const repeated = [...groups.values()].filter((group) => group.length > 1);
  if (repeated.length === 0)
    return [not("no-pattern", "the threads of a block do not walk over a row twice", view.line)];
  return repeated.flatMap((group) => walksOf(view, group));
}

function isWalk(view: KernelView, loop: CountedLoop, threads: number): boolean {
  const { start, step, comparison } = loop;
  if (comparison !== "<" || step.operator !== "+" || step.amount === undefined) return false;
  const stride = formIn(view, step.amount);
  const byBlock =
    sameForm(stride, formFrom({ "blockDim.x": 1 })) || sameForm(stride, formFrom({ "": threads }));
  return byBlock && sameForm(formIn(view, start), formFrom({ "threadIdx.x": 1 }));
}

function walksOf(view: KernelView, group: readonly CountedLoop[]): readonly (RowWalks | RuleHold)[] {
  const [first] = group;
  if (first === undefined) return [];
  const held = group.flatMap((loop) => notSteady(view, loop) ?? [])[0];
  if (held !== undefined) return [held];
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const global = [...accesses, ...atomics];
  const touched = group.flatMap((loop) => touchesIn(view, global, loop));
  const read = new Set(touched.flatMap(({ key, stores }) => (stores ? [] : [key])));
  const starts = new Map(touched.flatMap(({ key, base }) => (read.has(key) ? [[key, base] as const] : [])));
  const rows = [...starts].map(([key, name]) => rowOf(view, group, { key, name, global }));
  const found = rows.filter((row) => !isNot(row));
  return rows.length === 0
    ? [not("no-pattern", "the walks read no array at the loop's variable", first.loop)]
    : [...found, ...rows.filter(isNot)];
}

/** A guard's answer unless each thread of the block walks the whole loop with an unchanged end. */
function notSteady(view: KernelView, { loop, body, bound, variable }: CountedLoop): RuleHold | undefined {
  const around = enclosing(loop, "for_statement", "while_statement", "if_statement", "do_statement");
  if (around !== undefined) return not("no-pattern", "the walk stands inside a loop or a condition", loop);
  if (isAssigned(body, variable)) return not("dependence", `${variable} is changed inside the loop`, loop);
  const changing = bound.descendantsOfType("identifier").find(({ text }) => isAssigned(view.body, text));
  return changing !== undefined || !isPure(bound)
    ? not("dependence", `the end ${compact(bound)} may change from walk to walk`, bound)
    : undefined;
}

interface RowTouch {
  readonly node: SyntaxNode;
  readonly index: SyntaxNode;
  readonly base: string;
  readonly loads: boolean;
  readonly stores: boolean;
  /** The array and where the row starts in it: the same for all that touches one row. */
  readonly key: string;
}

function touchesIn(
  view: KernelView,
  global: readonly CudaAccess[],
  { body, variable }: CountedLoop,
): readonly RowTouch[] {
  return global.flatMap(({ node, indexNode, base, loads, stores }) => {
    if (indexNode === undefined || !isInside(node, body)) return [];
    const { [variable]: step, ...start } = Object.fromEntries(formIn(view, indexNode));
    const own = Object.keys(start).some((key) => new RegExp(`\\b(?:${variable}|threadIdx)\\b`).test(key));
    if (step !== 1 || own) return [];
    const key = `${base}+${formText(formFrom(start))}`;
    return [{ node, index: indexNode, base, key, loads, stores }];
  });
}

interface Row {
  readonly key: string;
  readonly name: string;
  readonly global: readonly CudaAccess[];
}

function rowOf(
  view: KernelView,
  group: readonly CountedLoop[],
  { key, name, global }: Row,
): RowWalks | RuleHold {
  const found = group
    .map((loop) => ({ loop, own: touchesIn(view, global, loop).filter((each) => each.key === key) }))
    .filter(({ own }) => own.length > 0);
  const walks = found.map(({ loop, own }) => ({
    loop,
    reads: own.flatMap(({ node, stores }) => (stores ? [] : [node])),
    stores: own.flatMap(({ node, stores }) => (stores ? [node] : [])),
  }));
  const [first, ...others] = walks;
  const last = others.findLast(({ reads }) => reads.length > 0);
  const touch = found[0]?.own[0];
  if (first === undefined || last === undefined || touch === undefined)
    return not("no-pattern", `${name} is walked only once`, touch?.node ?? view.line);
  const held = sameRow(view, touch, first.loop);
  if (held !== undefined) return held;
  const elementType = elementTypeOf(view, name);
  if (elementType === undefined) return not("type", `the type of ${name} is not written out`, touch.node);
  const own = found.flatMap((each) => each.own.filter(({ stores }) => stores));
  const loose = own.find(({ node, loads }) => loads || storeOf(node, walks) === undefined);
  if (loose !== undefined)
    return not("dependence", `${compact(loose.node)} is not stored by each turn of its walk`, loose.node);
  const write = writeBetween(
    global.filter(({ node }) => !own.some((each) => each.node.id === node.id)),
    { first: first.loop.loop, last: last.loop.loop },
  );
  if (write !== undefined)
    return not(
      "aliasing",
      `${compact(write)} is written before the last walk and may be part of ${name}`,
      write,
    );
  const isMade = isMadeFirst(first);
  return {
    ...{ array: name, element: touch.node.text, elementType, isMade },
    ...{ end: first.loop.bound, walks: [first, ...others] },
  };
}

/** The statement `element = value;` of a walk's body itself; undefined for a store under a condition. */
function storeOf(node: SyntaxNode, walks: readonly RowWalk[]): SyntaxNode | undefined {
  const statement = node.parent?.parent;
  const plain = node.parent?.type === "assignment_expression" && statement?.type === "expression_statement";
  const walk = walks.find(({ stores }) => stores.some(({ id }) => id === node.id));
  const outermost = statementsOf(walk?.loop.body).some(({ id }) => id === statement?.id);
  return plain && outermost ? statement : undefined;
}

/** True where every turn of a walk stores its element before it reads it. */
function isMadeFirst(walk: RowWalk): boolean {
  const [store] = walk.stores;
  if (walk.loop.body.descendantsOfType("continue_statement").length > 0) return false;
  const end = store === undefined ? undefined : storeOf(store, [walk])?.endIndex;
  return end !== undefined && walk.reads.every(({ startIndex }) => startIndex >= end);
}

/** A guard's answer unless the row starts at the same place for all threads, and in every walk. */
function sameRow(
  view: KernelView,
  { node, index, base }: RowTouch,
  first: CountedLoop,
): RuleHold | undefined {
  const names = index.descendantsOfType("identifier").filter(({ text }) => text !== first.variable);
  const moved = changes(view.body).find(
    ({ act, target }) =>
      (target.text === base && act.startIndex > first.loop.startIndex) ||
      names.some(({ text }) => text === target.text),
  );
  if (moved !== undefined) return not("aliasing", `${moved.target.text} is moved in between`, node);
  const varies = (["x", "y", "z"] as const).map((axis) => variesWithThread(view.model, view.body, axis));
  const uses = [...usesOf(first.body, base).slice(0, 1), ...names];
  return uses.some((use) => varies.some((differs) => differs(use)))
    ? not("no-pattern", `each thread has a ${base} of its own`, node)
    : undefined;
}

/** Element type of a pointer parameter or local. */
function elementTypeOf(view: KernelView, name: string): string | undefined {
  const parameter = view.kernel.facts.parameters.find((each) => each.name === name);
  const declared = view.body
    .descendantsOfType("declaration")
    .find((node) =>
      node
        .descendantsOfType("pointer_declarator")
        .some((pointer) => pointer.descendantsOfType("identifier").at(-1)?.text === name),
    );
  const type = parameter?.type ?? declared?.childForFieldName("type")?.text;
  const plain = type
    ?.replace(/\b(const|volatile|__restrict__|__restrict|restrict)\b|[*&]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return plain === "" ? undefined : plain;
}

/**
 * A global element that is stored between the start of the first walk and the start of the last: it might be
 * part of the row.
 */
function writeBetween(
  global: readonly CudaAccess[],
  { first, last }: { readonly first: SyntaxNode; readonly last: SyntaxNode },
): SyntaxNode | undefined {
  return global.find(
    ({ node, stores }) => stores && node.startIndex >= first.startIndex && node.startIndex < last.startIndex,
  )?.node;
}
