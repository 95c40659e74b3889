import { cudaAccesses, type CudaAccess } from "../../../../language/cuda/body/accesses";
import { type Form, formFrom, formText, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops, statementsOf } from "../../../../language/cuda/body/loops";
import { changes, isAssigned, isPure } from "../../../../language/cuda/body/scope";
import { variesWithThread } from "../../../../language/cuda/body/threads";
import { compact, enclosing, isInside, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold } from "../../rule";
import { formIn, type KernelView } from "../kernel";

/**
 * Whose walks are asked for: those of a whole block over a row, `for (int c = threadIdx.x; c < columns; c +=
 * blockDim.x)`, or those of any threads, as in `for (int c = lane; c < columns; c += 32)`.
 */
export interface Walkers {
  readonly of: "block" | "threads";
  /** The block's size. */
  readonly sizes: readonly [number, number, number];
}

/** One walk over a row. */
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
  /** Elements between two turns of a walk. */
  readonly stride: number;
  readonly walks: readonly [RowWalk, ...RowWalk[]];
}

/**
 * Arrays that are walked at least twice in the same way, and are not written in between, but for each
 * thread's own elements. Where a block walks, the start of the row is the same for all of it. A guard's
 * answer for each row that is no such.
 */
export function rowWalks(view: KernelView, walkers: Walkers): readonly (RowWalks | RuleHold)[] {
  const groups = new Map<string, WalkLoop[]>();
  for (const loop of countedLoops(view.body)) {
    const stride = strideOf(view, loop, walkers);
    if (stride === undefined) continue;
    const key = groupKey(view, loop, walkers);
    groups.set(key, [...(groups.get(key) ?? []), { ...loop, stride }]);
  }
  const repeated = [...groups.values()].filter((group) => group.length > 1);
  if (repeated.length === 0)
    return [not("no-pattern", "the threads of a block do not walk over a row twice", view.line)];
  return repeated.flatMap((group) => walksOf(view, group, walkers));
}

interface WalkLoop extends CountedLoop {
  readonly stride: number;
}

/** Loops with the same key walk in the same way, and where threads do, in the same list of statements. */
function groupKey(view: KernelView, { loop, start, bound }: CountedLoop, { of }: Walkers): string {
  const end = formText(formIn(view, bound));
  return of === "block" ? end : [end, formText(formIn(view, start)), loop.parent?.id].join(";");
}

/** How far a turn goes on, in elements; undefined for loops that are no walks. */
function strideOf(
  view: KernelView,
  { start, step, comparison }: CountedLoop,
  { of, sizes }: Walkers,
): number | undefined {
  if (comparison !== "<" || step.operator !== "+") return undefined;
  if (step.amount === undefined) return of === "threads" ? 1 : undefined;
  const stride = formIn(view, step.amount);
  const [x, y, z] = sizes;
  const known = new Map([
    ["blockDim.x", x],
    ["blockDim.y", y],
    ["blockDim.z", z],
    ["blockDim.x*blockDim.y", x * y],
    ["warpSize", 32],
    ["", 1],
  ]);
  const [[key, times] = ["none", 0], ...others] = stride;
  const elements = others.length === 0 ? (known.get(key) ?? 0) * times : 0;
  if (elements < 1) return undefined;
  if (of === "threads") return isPure(start) && isPure(step.amount) ? elements : undefined;
  const byBlock = sameForm(stride, formFrom({ "blockDim.x": 1 })) || sameForm(stride, formFrom({ "": x }));
  return byBlock && sameForm(formIn(view, start), formFrom({ "threadIdx.x": 1 })) ? elements : undefined;
}

function walksOf(
  view: KernelView,
  group: readonly WalkLoop[],
  walkers: Walkers,
): readonly (RowWalks | RuleHold)[] {
  const [first] = group;
  if (first === undefined) return [];
  const held = group.flatMap((loop) => notSteady(view, loop, walkers) ?? [])[0];
  if (held !== undefined) return [held];
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const global = [...accesses, ...atomics];
  const touched = group.flatMap((loop) => touchesIn(view, global, { loop, walkers }));
  const read = new Set(touched.flatMap(({ key, stores }) => (stores ? [] : [key])));
  const starts = new Map(touched.flatMap(({ key, base }) => (read.has(key) ? [[key, base] as const] : [])));
  const rows = [...starts].map(([key, name]) => rowOf(view, group, { key, name, global, walkers }));
  const found = rows.filter((row) => !isNot(row));
  return rows.length === 0
    ? [not("no-pattern", "the walks read no array at the loop's variable", first.loop)]
    : [...found, ...rows.filter(isNot)];
}

/** A guard's answer unless each thread walks the whole loop with an unchanged end. */
function notSteady(view: KernelView, loop: WalkLoop, { of }: Walkers): RuleHold | undefined {
  const { body, bound, variable, start, step } = loop;
  const around = enclosing(loop.loop, "for_statement", "while_statement", "if_statement", "do_statement");
  if (around !== undefined && of === "block")
    return not("no-pattern", "the walk stands inside a loop or a condition", loop.loop);
  if (isAssigned(body, variable))
    return not("dependence", `${variable} is changed inside the loop`, loop.loop);
  const fixed = of === "block" ? [bound] : [bound, start, ...(step.amount ? [step.amount] : [])];
  const changing = fixed
    .flatMap((node) => node.descendantsOfType("identifier"))
    .find(({ text }) => isAssigned(view.body, text));
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
  { loop: { body, variable }, walkers }: { readonly loop: CountedLoop; readonly walkers: Walkers },
): readonly RowTouch[] {
  return global.flatMap(({ node, indexNode, base, loads, stores }) => {
    if (indexNode === undefined || !isPure(indexNode) || !isInside(node, body)) return [];
    const place = placeIn(formIn(view, indexNode), variable, walkers);
    return place === undefined
      ? []
      : [{ node, index: indexNode, base, key: `${base}+${place}`, loads, stores }];
  });
}

/** Where an element lies, whatever the loop's variable is called; undefined for those of no walk. */
function placeIn(form: Form, variable: string, { of }: Walkers): string | undefined {
  const { [variable]: step, ...start } = Object.fromEntries(form);
  const name = new RegExp(`\\b${variable}\\b`);
  if (of === "block") {
    const own = Object.keys(start).some((key) => name.test(key) || /\bthreadIdx\b/.test(key));
    return step === 1 && !own ? formText(formFrom(start)) : undefined;
  }
  if (![...form.keys()].some((key) => name.test(key))) return undefined;
  return formText(new Map([...form].map(([key, times]) => [key.replace(new RegExp(name, "g"), "@"), times])));
}

interface Row {
  readonly key: string;
  readonly name: string;
  readonly global: readonly CudaAccess[];
  readonly walkers: Walkers;
}

function rowOf(
  view: KernelView,
  group: readonly WalkLoop[],
  { key, name, global, walkers }: Row,
): RowWalks | RuleHold {
  const found = group
    .map((loop) => ({
      loop,
      own: touchesIn(view, global, { loop, walkers }).filter((each) => each.key === key),
    }))
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
  const span = { first: first.loop, last: last.loop };
  const held = moved(view, touch, { ...span, walkers }) ?? ownRow(view, touch, { first, walkers });
  if (held !== undefined) return held;
  const elementType = elementTypeOf(view, name);
  if (elementType === undefined) return not("type", `the type of ${name} is not written out`, touch.node);
  const own = found.flatMap((each) => each.own.filter(({ stores }) => stores));
  const loose = own.find(({ node, loads }) => loads || storeOf(node, walks) === undefined);
  if (loose !== undefined)
    return not("dependence", `${compact(loose.node)} is not stored by each turn of its walk`, loose.node);
  const write = writeBetween(
    global.filter(({ node }) => !own.some((each) => each.node.id === node.id)),
    span,
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
    ...{ end: first.loop.bound, stride: group[0]?.stride ?? 1, walks: [first, ...others] },
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

interface Span {
  readonly first: CountedLoop;
  readonly last: CountedLoop;
}

/** Names in an element other than the loop's variable. */
function namesIn({ index }: RowTouch, { variable }: CountedLoop): readonly SyntaxNode[] {
  return index.descendantsOfType("identifier").filter(({ text }) => text !== variable);
}

/** A guard's answer where the row starts elsewhere in a later walk. */
function moved(
  view: KernelView,
  touch: RowTouch,
  { first, last, walkers }: Span & { readonly walkers: Walkers },
): RuleHold | undefined {
  const names = new Set(namesIn(touch, first).map(({ text }) => text));
  const anywhere = walkers.of === "block";
  const isLater = ({ startIndex }: SyntaxNode): boolean => startIndex > first.loop.startIndex;
  const isBetween = (act: SyntaxNode): boolean => isLater(act) && act.startIndex < last.loop.endIndex;
  const found = changes(view.body).find(
    ({ act, target }) =>
      (target.text === touch.base && (anywhere ? isLater : isBetween)(act)) ||
      (names.has(objectOf(target)) && (anywhere || isBetween(act))),
  );
  return found && not("aliasing", `${found.target.text} is moved in between`, touch.node);
}

/** The variable that is changed, or of which an element is. */
function objectOf(target: SyntaxNode): string {
  return /^\w+/.exec(target.text)?.[0] ?? target.text;
}

/** A guard's answer unless the row starts at the same place for all threads of a block that walks. */
function ownRow(
  view: KernelView,
  touch: RowTouch,
  { first, walkers }: { readonly first: RowWalk; readonly walkers: Walkers },
): RuleHold | undefined {
  if (walkers.of === "threads") return undefined;
  const varies = (["x", "y", "z"] as const).map((axis) => variesWithThread(view.model, view.body, axis));
  const uses = [...usesOf(first.loop.body, touch.base).slice(0, 1), ...namesIn(touch, first.loop)];
  return uses.some((use) => varies.some((differs) => differs(use)))
    ? not("no-pattern", `each thread has a ${touch.base} of its own`, touch.node)
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
function writeBetween(global: readonly CudaAccess[], { first, last }: Span): SyntaxNode | undefined {
  return global.find(
    ({ node, stores }) =>
      stores && node.startIndex >= first.loop.startIndex && node.startIndex < last.loop.startIndex,
  )?.node;
}
