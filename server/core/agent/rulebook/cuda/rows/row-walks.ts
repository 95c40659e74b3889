import { cudaAccesses, type CudaAccess } from "../../../../language/cuda/body/accesses";
import { formFrom, formText, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
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
}

/** Walks with the same bounds over one array. */
export interface RowWalks {
  readonly array: string;
  /** The element of the first walk, as written. */
  readonly element: string;
  /** As written in the source. */
  readonly elementType: string;
  readonly end: SyntaxNode;
  readonly walks: readonly [RowWalk, ...RowWalk[]];
}

/**
 * Arrays that are walked at least twice in the same way, are not written in between and whose start is the
 * same for the whole block. `threads` is the block's size. A guard's answer for each row that is no such.
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
  const starts = new Map(readsIn(view, global, first).map((read) => [read.key, read.base] as const));
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

interface RowRead {
  readonly node: SyntaxNode;
  readonly index: SyntaxNode;
  readonly base: string;
  /** The array and where the row starts in it: the same for reads of one row. */
  readonly key: string;
}

function readsIn(
  view: KernelView,
  global: readonly CudaAccess[],
  { body, variable }: CountedLoop,
): readonly RowRead[] {
  return global.flatMap(({ node, indexNode, base, loads, stores }) => {
    if (!loads || stores || indexNode === undefined || !isInside(node, body)) return [];
    const { [variable]: step, ...start } = Object.fromEntries(formIn(view, indexNode));
    const own = Object.keys(start).some((key) => new RegExp(`\\b(?:${variable}|threadIdx)\\b`).test(key));
    if (step !== 1 || own) return [];
    return [{ node, index: indexNode, base, key: `${base}+${formText(formFrom(start))}` }];
  });
}

function rowOf(
  view: KernelView,
  group: readonly CountedLoop[],
  {
    key,
    name,
    global,
  }: { readonly key: string; readonly name: string; readonly global: readonly CudaAccess[] },
): RowWalks | RuleHold {
  const found = group
    .map((loop) => ({ loop, own: readsIn(view, global, loop).filter((each) => each.key === key) }))
    .filter(({ own }) => own.length > 0);
  const walks = found.map(({ loop, own }) => ({ loop, reads: own.map(({ node }) => node) }));
  const [first, ...others] = walks;
  const last = others.at(-1);
  const read = found[0]?.own[0];
  if (first === undefined || last === undefined || read === undefined)
    return not("no-pattern", `${name} is walked only once`, read?.node ?? view.line);
  const held = sameRow(view, read, first.loop);
  if (held !== undefined) return held;
  const elementType = elementTypeOf(view, name);
  if (elementType === undefined) return not("type", `the type of ${name} is not written out`, read.node);
  const write = writeBetween(global, { first: first.loop.loop, last: last.loop.loop });
  return write === undefined
    ? { array: name, element: read.node.text, elementType, end: first.loop.bound, walks: [first, ...others] }
    : not("aliasing", `${compact(write)} is written before the last walk and may be part of ${name}`, write);
}

/** A guard's answer unless the row starts at the same place for all threads, and in every walk. */
function sameRow(view: KernelView, { node, index, base }: RowRead, first: CountedLoop): RuleHold | undefined {
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
