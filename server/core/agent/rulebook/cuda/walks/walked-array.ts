import type { CudaAccess } from "../../../../language/cuda/body/accesses";
import { constantOf, type Form } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { enclosing, fieldText, isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";
import { formIn, type KernelView, scalarBytes } from "../kernel";
import { elementTypeOf } from "../points/point-space";
import { structureLayout } from "../structures/structure-layout";
import { isSameFactor, type Shared } from "./same-for-all";

/** An access of a walk as a place in the elements of its turn. */
interface WalkUse {
  readonly access: CudaAccess;
  /** The place behind the turn's first element: products of inner loops' variables, and a constant. */
  readonly place: Form;
}

/** An array of which each turn of a walk touches some neighbouring elements in the thread's own row. */
export interface WalkedArray {
  readonly parameter: string;
  readonly type: string;
  readonly bytes: number;
  /** Elements of a turn. */
  readonly each: number;
  /** Where the row begins, with the point's number in it. */
  readonly row: Form;
  readonly uses: readonly WalkUse[];
  readonly loaded: boolean;
  readonly stored: boolean;
}

interface Found extends WalkUse {
  readonly each: number;
  readonly row: Form;
  readonly least: number;
  readonly most: number;
}

/**
 * Arrays whose elements lie in rows of the threads. One that is not touched from end to end in each turn
 * stays where it is: its row may be shorter than the walk.
 */
export function walkedArrays(
  shared: Shared,
  counted: CountedLoop,
  inside: readonly CudaAccess[],
): readonly WalkedArray[] | RuleHold {
  const found = inside.flatMap((access) => foundIn(shared, counted, access) ?? []);
  const parameters = [...new Set(found.map(({ access }) => access.parameter))];
  const arrays: WalkedArray[] = [];
  let partly: RuleHold | undefined;
  for (const parameter of parameters) {
    const own = found.filter(({ access }) => access.parameter === parameter);
    const [first] = own;
    const type = elementTypeOf(shared.view, parameter);
    const bytes = type === undefined ? undefined : bytesOf(shared.view, type);
    if (first === undefined || type === undefined || bytes === undefined) continue;
    const uses = own.filter(({ row, each }) => each === first.each && textOf(row) === textOf(first.row));
    const array = arrayOf(counted, uses, { parameter, type, bytes });
    if (array !== undefined) arrays.push(array);
    else
      partly ??= not(
        "dependence",
        `not all of a turn's elements of ${parameter} are touched`,
        first.access.node,
      );
  }
  return arrays.length === 0 && partly !== undefined ? partly : arrays;
}

function bytesOf(view: KernelView, type: string): number | undefined {
  const layout = structureLayout(view, type);
  return scalarBytes(view, type) ?? (layout?.isMade === true ? undefined : layout?.bytes);
}

function textOf(form: Form): string {
  return [...form]
    .map(([key, times]) => `${times}*${key}`)
    .sort()
    .join("+");
}

function arrayOf(
  { body }: CountedLoop,
  found: readonly Found[],
  named: Pick<WalkedArray, "parameter" | "type" | "bytes">,
): WalkedArray | undefined {
  const [first] = found;
  if (first === undefined) return undefined;
  const { each, row } = first;
  const least = Math.min(...found.map((use) => use.least));
  const most = Math.max(...found.map((use) => use.most));
  const sure = found.filter(({ access }) => isAlways(access.node, body));
  const touched =
    Math.min(...sure.map((use) => use.least)) === least && Math.max(...sure.map((use) => use.most)) === most;
  if (most - least >= each || !touched) return undefined;
  const stores = found.filter(({ access }) => access.stores);
  const filled = new Set(
    stores.flatMap((use) => (isAlways(use.access.node, body) && use.least === use.most ? [use.least] : [])),
  );
  const reads = found.filter((use) => use.access.loads && !isStoredBefore(use, stores, body));
  const loaded = reads.length > 0 || (stores.length > 0 && filled.size < each);
  const uses = found.map(({ access, place }) => ({ access, place: moved(place, -least) }));
  return { ...named, each, row: moved(row, least), uses, loaded, stored: stores.length > 0 };
}

/** True for an element that the same turn has stored for sure before it is read. */
function isStoredBefore(use: Found, stores: readonly Found[], body: SyntaxNode): boolean {
  return stores.some(({ access, least, most }) => {
    const statement = enclosing(access.node, "expression_statement");
    const isSame = least === most && use.least === least && use.most === least;
    const isPlain = !access.loads && isAlways(access.node, body) && statement?.parent?.id === body.id;
    return isSame && isPlain && statement.endIndex <= use.access.node.startIndex;
  });
}

function moved(form: Form, by: number): Form {
  const constant = (form.get("") ?? 0) + by;
  const others = [...form].filter(([key]) => key !== "");
  return new Map(constant === 0 ? others : [...others, ["", constant]]);
}

/** The index of an access taken apart: the thread's row, the turn, and the place in the turn. */
function foundIn(shared: Shared, counted: CountedLoop, access: CudaAccess): Found | undefined {
  const { space, view } = shared;
  const { indexNode } = access;
  if (indexNode === undefined || access.base !== access.parameter) return undefined;
  const point = space.axes[0].name;
  const row = new Map<string, number>();
  const place = new Map<string, number>();
  let [each, least, most] = [0, 0, 0];
  let isRow = false;
  for (const [key, times] of space.form(indexNode)) {
    const factors = key.split("*");
    if (key === "") {
      place.set("", times);
      [least, most] = [least + times, most + times];
      continue;
    }
    if (key === counted.variable) {
      each = times;
      continue;
    }
    if (factors.includes(point)) {
      const others = factors.filter((factor) => factor !== point);
      if (others.length !== factors.length - 1 || !areTheSame(shared, others)) return undefined;
      isRow = true;
      row.set(key, times);
      continue;
    }
    const range = rangeOf(view, key, access.node, counted);
    if (range === undefined) {
      if (!areTheSame(shared, factors)) return undefined;
      row.set(key, times);
      continue;
    }
    place.set(key, times);
    least += Math.min(times * range.first, times * range.last);
    most += Math.max(times * range.first, times * range.last);
  }
  return isRow && each >= 1 ? { access, row, place, each, least, most } : undefined;
}

function areTheSame(shared: Shared, factors: readonly string[]): boolean {
  return factors.every((factor) => isSameFactor(shared, factor));
}

/** Values of the variable of a loop between constants that stands inside the walk and around an access. */
function rangeOf(
  view: KernelView,
  name: string,
  node: SyntaxNode,
  { body }: CountedLoop,
): { readonly first: number; readonly last: number } | undefined {
  const loop = countedLoops(body).find((each) => each.variable === name && isInside(node, each.loop));
  if (loop === undefined || loop.step.operator !== "+" || loop.step.amount !== undefined) return undefined;
  const [first, end] = [constantOf(formIn(view, loop.start)), constantOf(formIn(view, loop.bound))];
  if (first === undefined || end === undefined || !["<", "<="].includes(loop.comparison)) return undefined;
  return { first, last: loop.comparison === "<" ? end - 1 : end };
}

/** True for an access that every turn comes to. */
function isAlways(node: SyntaxNode, body: SyntaxNode): boolean {
  const maybe = [
    "if_statement",
    "conditional_expression",
    "while_statement",
    "do_statement",
    "switch_statement",
  ];
  const goesOn = body
    .descendantsOfType("continue_statement")
    .some(
      (leave) => enclosing(leave, "for_statement", "while_statement", "do_statement")?.id === body.parent?.id,
    );
  if (goesOn) return false;
  for (let outer = node.parent; outer !== null && isInside(outer, body); outer = outer.parent) {
    if (maybe.includes(outer.type) || /^(&&|\|\|)$/.test(fieldText(outer, "operator"))) return false;
  }
  return true;
}
