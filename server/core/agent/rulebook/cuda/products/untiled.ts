import { constantOf, type Form, formFrom, formText, sameForm } from "../../../../language/cuda/body/forms";
import { comparisonOf } from "../../../../language/cuda/body/loops";
import { isPure, localValues } from "../../../../language/cuda/body/scope";
import {
  compact,
  fieldText,
  isInside,
  lineOf,
  operands,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, replaceNode, type TextEdit } from "../../edits";
import { isNot, type RuleInput } from "../../rule";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { factorOf } from "../launch/grid-edit";
import { taken } from "../spelling/spelling";
import { type TileElement, tileElement } from "./tile-element";
import { isName, type TileLoop, tileLoop } from "./tile-loop";

/**
 * The kernel without its tiles: one loop over the whole sum, whose operands come from global memory. It means
 * the same, so that other tiles may be put around it. What was counted for the tiles belongs to that loop.
 * Undefined where the kernel stages no product.
 */
export function untiled(input: RuleInput): (RuleInput & { readonly side: number }) | undefined {
  const view = cudaKernel(input);
  if (isNot(view)) return undefined;
  const block = blockShape(input, view);
  const tiles = isNot(block) ? undefined : tileLoop(view, block);
  const edits = tiles && plainLoop(view, tiles);
  if (tiles === undefined || edits === undefined) return undefined;
  const { loop } = tiles.outer;
  const [first, last] = [lineOf(loop), loop.endPosition.row + 1];
  const lines = input.counters.lines.map((entry) =>
    entry.file === input.file && entry.line > first && entry.line <= last ? { ...entry, line: first } : entry,
  );
  return {
    ...input,
    side: tiles.side,
    tree: editedTree(input, edits),
    counters: { ...input.counters, lines },
  };
}

/** What stands for a turn of both loops together. */
interface Turn {
  readonly name: string;
  /** How many there are, where nothing else says it. */
  readonly all: string;
  /** The turn as a form of the outer loop's variable and the thread's number along an axis. */
  form(axis: "x" | "y"): Form;
  /** The form of an expression, the block's extents as numbers. */
  of(node: SyntaxNode): Form;
}

function plainLoop(view: KernelView, tiles: TileLoop): readonly TextEdit[] | undefined {
  const { outer, inner } = tiles;
  const turn = turnOf(view, tiles);
  const end = endOf(view, tiles);
  if (turn === undefined || end === undefined) return undefined;
  const loads = globalLoads(view, tiles, { turn, guards: end.guards });
  if (loads === undefined || usesOf(inner.body, outer.variable).length > 0) return undefined;
  const range = { start: inner.body.startIndex, end: inner.body.endIndex };
  const body = editedText(view.source, range, loads.edits);
  if (new RegExp(`\\b${inner.variable}\\b`).test(body)) return undefined;
  const head = `for (int ${turn.name} = 0; ${turn.name} < ${loads.limit ?? turn.all}; ++${turn.name})`;
  const work = `${head} ${body} ${end.after.map(({ text }) => text).join(" ")}`;
  const guarded = end.condition === undefined ? work : `if (${end.condition}) { ${work} }`;
  const text = [...end.named.map((node) => node.text), guarded].join(" ");
  const last = (end.last ?? outer.loop).endIndex;
  const breaks = view.source.slice(outer.loop.startIndex, last).replace(/[^\n]/g, "");
  // Those in the loop go with it.
  const outside = tiles.tiles.filter(({ declaration }) => !isInside(declaration, outer.loop));
  const declarations = new Map(outside.map(({ declaration }) => [declaration.id, declaration]));
  // All of it stands on one line, to which its counters belong.
  const line = text.replace(/\/\/[^\n]*|^\s*#.*$/gm, "").replace(/\s*\n\s*/g, " ");
  return [
    ...[...declarations.values()].map(taken),
    { start: outer.loop.startIndex, end: last, text: `${line}${breaks}` },
  ];
}

/** How the loop over tiles counts: tile by tile, or by the first turn of each. */
function turnOf(view: KernelView, { outer, side }: TileLoop): Turn | undefined {
  const { step, comparison, start, bound, variable } = outer;
  const amount = step.amount && constantOf(withSide(formIn(view, step.amount), side));
  const each = step.amount === undefined ? 1 : amount;
  const up = step.operator === "+" && comparison === "<" && (each === 1 || each === side);
  if (!up || view.scope.value(start) !== 0 || !isPure(bound)) return undefined;
  return {
    name: freshName(view.source, "turn"),
    all: each === 1 ? `${factorOf(bound.text)} * ${side}` : bound.text,
    form: (axis) => formFrom({ [variable]: each === 1 ? side : 1, [`threadIdx.${axis}`]: 1 }),
    of: (node) => withSide(formIn(view, node), side),
  };
}

/** A form with the side of the tiles for the block's extents, which are the same. */
function withSide(form: Form, side: number): Form {
  const terms = new Map<string, number>();
  for (const [key, factor] of form) {
    const factors = key.split("*");
    const others = factors.filter((each) => !/^blockDim\.[xy]$/.test(each));
    const name = others.join("*");
    terms.set(name, (terms.get(name) ?? 0) + factor * side ** (factors.length - others.length));
  }
  return terms;
}

interface GlobalLoads {
  readonly edits: readonly TextEdit[];
  /** The end of the sum, where a condition on a load says it. */
  readonly limit: string | undefined;
}

/** What is read from the tiles as the loads by which they were filled. */
function globalLoads(
  view: KernelView,
  { stores, inner, outer }: TileLoop,
  { turn, guards }: { readonly turn: Turn; readonly guards: readonly string[] },
): GlobalLoads | undefined {
  const edits: TextEdit[] = [];
  const ends = new Set<string>();
  for (const { tile, target, value } of stores) {
    const element = tileElement(view, value);
    if (element === undefined) return undefined;
    for (const use of tile.accesses.filter(({ node }) => isInside(node, inner.body))) {
      const lane = laneOf(view, target.indices, { used: use.indices, inner: inner.variable });
      const how = lane && { ...lane, turn, outer: outer.variable };
      const text = how && rewritten(view, element.load, how);
      const limits = how && limitsOf(view, element, { how, guards });
      if (text === undefined || limits === undefined) return undefined;
      for (const limit of limits) ends.add(limit);
      const { load, whole } = element;
      const range = { start: whole.startIndex, end: whole.endIndex };
      edits.push(replaceNode(use.node, editedText(view.source, range, [replaceNode(load, text)])));
    }
  }
  const [limit] = ends;
  return ends.size > 1 ? undefined : { edits, limit };
}

/** The ends of the sum that conditions say; undefined where one is neither that nor one on the output. */
function limitsOf(
  view: KernelView,
  { conditions }: TileElement,
  { how, guards }: { readonly how: Rewriting; readonly guards: readonly string[] },
): readonly string[] | undefined {
  const limits: string[] = [];
  for (const part of conditions.flatMap((each) => partsOfCondition(view, each))) {
    const limit = limitOf(view, part, how);
    const guard = limit ?? rewritten(view, unwrapped(part), how)?.replace(/\s+/g, "");
    if (limit !== undefined) limits.push(limit);
    else if (!guards.includes(guard ?? "") && !guards.includes(comparedForms(view, part, how) ?? ""))
      return undefined;
  }
  return limits;
}

/** The parts of a condition that all have to hold; a name of one is followed to what it stands for. */
function partsOfCondition(view: KernelView, condition: SyntaxNode): readonly SyntaxNode[] {
  const inner = unwrapped(condition);
  const meaning = inner.type === "identifier" ? view.scope.meaning(inner.text) : undefined;
  const parts = operands(typeof meaning === "object" ? meaning : inner, "&&");
  return parts.length > 1 ? parts.flatMap((part) => partsOfCondition(view, part)) : parts;
}

/** `a < b` by the forms of both sides; if turned with the thread's number along the other axis. */
function comparedForms(view: KernelView, node: SyntaxNode, how?: Rewriting): string | undefined {
  const inner = unwrapped(node);
  const [left, right] = [inner.childForFieldName("left"), inner.childForFieldName("right")];
  if (fieldText(inner, "operator") !== "<" || !left || !right) return undefined;
  const text = `${formText(formIn(view, left))}<${formText(formIn(view, right))}`;
  if (how?.isTurned !== true) return text;
  const [other, own] = how.axis === "x" ? ["y", "x"] : ["x", "y"];
  return text.includes(`threadIdx.${own}`)
    ? undefined
    : text.replaceAll(`threadIdx.${other}`, `threadIdx.${own}`);
}

/** What follows the loop over tiles. */
interface End {
  /** Declarations in front of all else that only name values. */
  readonly named: readonly SyntaxNode[];
  readonly condition: string | undefined;
  /** Parts of the condition, without blanks. */
  readonly guards: readonly string[];
  readonly after: readonly SyntaxNode[];
  readonly last: SyntaxNode | undefined;
}

/** The statements behind the loop: under one condition all together, or under none. */
function endOf(view: KernelView, { outer }: TileLoop): End | undefined {
  const all = partsOf(view.body);
  const behind = all.slice(all.findIndex(({ id }) => id === outer.loop.id) + 1);
  const place = behind.findIndex((node) => !isName(node));
  const [named, after] = [behind.slice(0, Math.max(0, place)), behind.slice(Math.max(0, place))];
  const [guard, ...more] = after;
  if (guard?.type !== "if_statement")
    return after.some(({ type }) => type === "if_statement")
      ? undefined
      : { named, condition: undefined, guards: [], after, last: after.at(-1) };
  const condition = guard.childForFieldName("condition")?.childForFieldName("value");
  const consequence = guard.childForFieldName("consequence");
  if (condition && /^\{?return;\}?$/.test(compact(consequence)) && more.length > 0)
    return behindExit(view, condition, { named, after: more });
  if (more.length > 0 || guard.childForFieldName("alternative") !== null) return undefined;
  if (!condition || consequence === null) return undefined;
  return {
    named,
    condition: condition.text,
    guards: guardsIn(view, operands(condition, "&&")),
    after: [consequence],
    last: guard,
  };
}

/** `if (!(row < rows && column < columns)) return;` and what follows it, as one condition around that. */
function behindExit(
  view: KernelView,
  condition: SyntaxNode,
  { named, after }: Pick<End, "named" | "after">,
): End | undefined {
  if (after.some(({ type }) => type === "if_statement")) return undefined;
  const inner = unwrapped(condition);
  const argument = inner.type === "unary_expression" ? inner.childForFieldName("argument") : null;
  const last = after.at(-1);
  if (argument !== null && inner.text.startsWith("!")) {
    const guards = guardsIn(view, operands(argument, "&&"));
    return { named, condition: unwrapped(argument).text, guards, after, last };
  }
  const parts = operands(inner, "||").map((part) => compact(unwrapped(part)));
  const below = /^([^<>=]+)>=([^<>=]+)$/;
  if (!parts.every((part) => below.test(part))) return undefined;
  const guards = parts.map((part) => part.replace(below, "$1<$2"));
  return { named, condition: guards.join(" && "), guards, after, last };
}

/** Parts of a condition as text without blanks, and as the forms of what they compare. */
function guardsIn(view: KernelView, parts: readonly SyntaxNode[]): readonly string[] {
  return parts.flatMap((part) => [compact(unwrapped(part)), comparedForms(view, part) ?? []].flat());
}

interface Lane {
  /** The axis of the threads whose elements the turns of the inner loop walk over. */
  readonly axis: "x" | "y";
  /** True where the thread's number along the other axis stands for that along this one. */
  readonly isTurned: boolean;
}

/** Whose element a thread reads in a turn; undefined where it is none that a thread has stored for it. */
function laneOf(
  view: KernelView,
  stored: readonly SyntaxNode[],
  { used, inner }: { readonly used: readonly SyntaxNode[]; readonly inner: string },
): Lane | undefined {
  const axisOf = (node: SyntaxNode | undefined): "x" | "y" | undefined =>
    node &&
    (["x", "y"] as const).find((each) =>
      sameForm(formIn(view, node), formFrom({ [`threadIdx.${each}`]: 1 })),
    );
  const place = used.findIndex((node) => compact(node) === inner);
  const other = place === 0 ? 1 : 0;
  const [axis, own, read] = [axisOf(stored[place]), axisOf(stored[other]), axisOf(used[other])];
  if (place < 0 || axis === undefined || own === undefined || read === undefined || own === axis)
    return undefined;
  return { axis, isTurned: read !== own };
}

interface Rewriting extends Lane {
  readonly turn: Turn;
  /** The outer loop's variable. */
  readonly outer: string;
}

/** `turn < K` as `K`; undefined for any other condition. */
function limitOf(view: KernelView, part: SyntaxNode, { axis, turn }: Rewriting): string | undefined {
  const inner = unwrapped(part);
  const left = inner.childForFieldName("left");
  const compared = left === null ? undefined : comparisonOf(inner, compact(unwrapped(left)));
  if (left === null || compared?.comparison !== "<" || !isPure(compared.bound)) return undefined;
  return sameForm(turn.of(left), turn.form(axis)) ? compared.bound.text : undefined;
}

/** An expression with the turn in place of the tile and the thread in it; undefined where others are left. */
function rewritten(view: KernelView, node: SyntaxNode, how: Rewriting): string | undefined {
  const { axis, turn, outer } = how;
  if (sameForm(turn.of(node), turn.form(axis))) return turn.name;
  if (!reads(view, node, how)) return node.text;
  const turned = how.isTurned ? turnedName(view, node, how) : undefined;
  if (turned !== undefined) return turned;
  const inner = unwrapped(node);
  if (inner.type === "identifier") {
    const meaning = inner.text === outer ? undefined : view.scope.meaning(inner.text);
    const text = typeof meaning === "object" ? rewritten(view, meaning, how) : undefined;
    return text === undefined ? undefined : `(${text})`;
  }
  const sum = summed(view, inner, how) ?? named(view, inner, how);
  if (sum !== undefined) return sum;
  const text = byParts(view, inner, how);
  return text === undefined || inner.id === node.id ? text : `(${text})`;
}

/** An expression of which each part is rewritten. */
function byParts(view: KernelView, node: SyntaxNode, how: Rewriting): string | undefined {
  const children = node.namedChildren.filter(({ type }) => type !== "comment");
  if (children.length === 0 || node.type === "field_expression") return undefined;
  const edits: TextEdit[] = [];
  for (const child of children) {
    const text = rewritten(view, child, how);
    if (text === undefined) return undefined;
    edits.push(replaceNode(child, text));
  }
  return editedText(view.source, { start: node.startIndex, end: node.endIndex }, edits);
}

/** The local that an expression is where the thread's other number stands for this one. */
function turnedName(view: KernelView, node: SyntaxNode, { axis }: Rewriting): string | undefined {
  const other = `threadIdx.${axis === "x" ? "y" : "x"}`;
  const form = formIn(view, node);
  if (form.get(other) !== 1 || form.has(`threadIdx.${axis}`)) return undefined;
  const wanted = new Map([...form, [`threadIdx.${axis}`, 1] as const].filter(([key]) => key !== other));
  return localValues(view.body).find(({ value }) => sameForm(formIn(view, value), wanted))?.name;
}

/** `rest + tile * SIDE + thread` as `rest + turn`. */
function summed(view: KernelView, node: SyntaxNode, how: Rewriting): string | undefined {
  const { axis, turn, outer } = how;
  const terms = operands(node, "+");
  const scale = turn.form(axis).get(outer) ?? 1;
  const tile = terms.find((term) => sameForm(turn.of(term), formFrom({ [outer]: scale })));
  const lane = terms.find((term) => sameForm(formIn(view, term), formFrom({ [`threadIdx.${axis}`]: 1 })));
  if (terms.length < 3 || tile === undefined || lane === undefined) return undefined;
  const others = terms.filter((term) => term !== tile && term !== lane);
  const texts = others.map((term) => rewritten(view, term, how));
  return texts.some((text) => text === undefined) ? undefined : `${texts.join(" + ")} + ${turn.name}`;
}

/** `s * rows + i0 + tx` as what `s * rows` becomes, and the local that the other terms are. */
function named(view: KernelView, node: SyntaxNode, how: Rewriting): string | undefined {
  const terms = operands(node, "+");
  const own = { ...how, isTurned: false };
  if (terms.length < 3) return undefined;
  const fixed = terms.filter((term) => !reads(view, term, own));
  const moving = terms.filter((term) => !fixed.includes(term));
  const [other, axis] = how.axis === "x" ? ["threadIdx.y", "threadIdx.x"] : ["threadIdx.x", "threadIdx.y"];
  const wanted = new Map<string, number>();
  for (const term of fixed)
    for (const [key, factor] of formIn(view, term)) {
      const place = how.isTurned && key === other ? axis : key;
      wanted.set(place, (wanted.get(place) ?? 0) + factor);
    }
  const local = localValues(view.body).find(({ value }) => sameForm(formIn(view, value), wanted));
  if (fixed.length < 2 || moving.length === 0 || local === undefined) return undefined;
  const texts = moving.map((term) => rewritten(view, term, how));
  return texts.includes(undefined) ? undefined : `${texts.join(" + ")} + ${local.name}`;
}

/** True where an expression depends on the tile, or on a number of the thread that is another one then. */
function reads(view: KernelView, node: SyntaxNode, { axis, outer, isTurned }: Rewriting): boolean {
  const numbers = isTurned ? ["threadIdx.x", "threadIdx.y"] : [`threadIdx.${axis}`];
  const open: SyntaxNode[] = [node];
  const seen = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of next.descendantsOfType("identifier")) {
      if (name.text === outer || numbers.includes(compact(name.parent))) return true;
      const meaning = seen.has(name.text) ? undefined : view.scope.meaning(name.text);
      seen.add(name.text);
      if (typeof meaning === "object") open.push(meaning);
    }
  }
  return false;
}
