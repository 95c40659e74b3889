import { collapse, compact, operands, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isCallOf, onlyAssignment, positional, type TritonView } from "../kernel";
import { isZero } from "./zeros";

/** An axis of a tile of two dimensions. */
export type TileAxis = 0 | 1;

/** A term of a sum or of a condition, by the axes of the tile that it differs along. */
export interface TilePart {
  readonly axes: ReadonlySet<TileAxis>;
  /** With the subscripts that put it along an axis taken off: a block of one dimension, or a scalar. */
  readonly flat: string;
}

interface TileSum {
  readonly parts: readonly TilePart[];
  /** True where something only gives it the shape of the tile: `+ tl.zeros(…)`, `tl.broadcast_to(…)`. */
  readonly isSpread: boolean;
}

const slices: Readonly<Record<string, TileAxis>> = { "[:,None]": 0, "[None,:]": 1 };
const deepest = 6;

/** The terms of a tile, through its names; undefined where one of them cannot be taken apart. */
export function tileSum(
  view: TritonView,
  node: SyntaxNode,
  operator: "+" | "&",
  depth = 0,
): TileSum | undefined {
  if (depth > deepest) return undefined;
  const whole = withoutSpread(view, node);
  const sums = [{ parts: [], isSpread: whole.isSpread }, ...operands(whole.node, operator).map(termOf)];
  return sums.every((sum) => sum !== undefined)
    ? { parts: sums.flatMap(({ parts }) => parts), isSpread: sums.some(({ isSpread }) => isSpread) }
    : undefined;

  function termOf(operand: SyntaxNode): TileSum | undefined {
    const { node: term, isSpread } = withoutSpread(view, operand);
    if (isZero(view, term, depth)) return { parts: [], isSpread: true };
    const axes = axesOf(view, term, depth);
    if (axes === undefined) return undefined;
    const value = axes.size > 0 ? valueOf(view, term) : undefined;
    if (value === undefined)
      return holdsTile(view, term) ? undefined : { parts: [{ axes, flat: flatText(term) }], isSpread };
    const inner = tileSum(view, value, operator, depth + 1);
    return inner && { ...inner, isSpread: inner.isSpread || isSpread };
  }
}

/** The axes that an expression differs along; undefined where its subscripts do not say it. */
export function axesOf(view: TritonView, node: SyntaxNode, depth = 0): ReadonlySet<TileAxis> | undefined {
  if (depth > deepest) return undefined;
  const axis = axisOf(node);
  if (axis !== undefined) return new Set([axis]);
  if (node.type === "identifier") return axesOfName(view, node, depth);
  if (isCallOf(view, node, "arange")) return undefined;
  const found = heldIn(node).map((part) => axesOf(view, part, depth));
  return found.every((axes) => axes !== undefined) ? new Set(found.flatMap((axes) => [...axes])) : undefined;
}

function axesOfName(view: TritonView, name: SyntaxNode, depth: number): ReadonlySet<TileAxis> | undefined {
  const value = valueOf(view, name);
  if (value !== undefined) return axesOf(view, value, depth + 1);
  return isAssigned(view, name.text) ? undefined : new Set();
}

/** Parts of an expression that its elements are made of: not the names of members and of keywords. */
function heldIn(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === "keyword_argument") return partsOf(node).slice(1);
  if (node.type !== "attribute") return partsOf(node);
  const held = node.childForFieldName("object");
  return held === null || held.type === "identifier" ? [] : [held];
}

function axisOf(node: SyntaxNode): TileAxis | undefined {
  if (node.type !== "subscript") return undefined;
  return slices[compact(node).slice(compact(node.childForFieldName("value")).length)];
}

/** What a name stands for; undefined for anything else, and for what is given more than once. */
function valueOf(view: TritonView, node: SyntaxNode): SyntaxNode | undefined {
  if (node.type !== "identifier") return undefined;
  return onlyAssignment(view.body, node.text)?.childForFieldName("right") ?? undefined;
}

function isAssigned({ body }: TritonView, name: string): boolean {
  return body
    .descendantsOfType(["assignment", "augmented_assignment"])
    .some((act) => act.childForFieldName("left")?.text === name);
}

/** True where a name in it, outside of subscripts, is a tile: its text cannot be made flat. */
function holdsTile(view: TritonView, node: SyntaxNode): boolean {
  if (axisOf(node) !== undefined) return false;
  if (node.type === "identifier") return axesOf(view, node)?.size !== 0;
  return partsOf(node).some((part) => holdsTile(view, part));
}

function flatText(node: SyntaxNode): string {
  return collapse(node.text).replace(/\[\s*(?:None\s*,\s*:|:\s*,\s*None)\s*\]/g, "");
}

/** What `tl.broadcast_to(x, …)` gives its shape to. */
function withoutSpread(
  view: TritonView,
  node: SyntaxNode,
): { readonly node: SyntaxNode; readonly isSpread: boolean } {
  const inner = unwrapped(node);
  const [value] = isCallOf(view, inner, "broadcast_to") ? positional(inner) : [];
  return value === undefined ? { node: inner, isSpread: false } : { node: unwrapped(value), isSpread: true };
}
