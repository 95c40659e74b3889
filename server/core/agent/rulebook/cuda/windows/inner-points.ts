import { constantOf } from "../../../../language/cuda/body/forms";
import { countedLoops } from "../../../../language/cuda/body/loops";
import { isPure } from "../../../../language/cuda/body/scope";
import { fieldText, isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { formIn, type KernelView } from "../kernel";
import { factorText } from "../points/numbering";
import type { PointSpace } from "../points/point-space";
import { alongAxis, boundText, clampedBy, isOutside, membersIn, type Place, reachIn } from "./reach";

/** A condition on all points of a range: `FIRST - 3 >= 0` or `LAST + 3 < width`. */
export interface RangeCondition {
  readonly axis: 0 | 1;
  readonly end: "first" | "last";
  /** What follows the number of the first or the last point. */
  readonly text: string;
}

/** What the work is for points far from the borders. */
export interface InnerPoints {
  readonly conditions: readonly RangeCondition[];
  /** Conditions and limits of the work as what they are there. */
  readonly edits: readonly TextEdit[];
  /** Conditions of the point that say something there too. */
  readonly guards: readonly string[];
}

/** From this on a constant is taken for the end of an axis, below it for its start. */
const endsFrom = 16;

/**
 * Conditions and limits of a point's work that say nothing where all that it reaches lies inside; and where
 * that is so.
 */
export function innerPoints(view: KernelView, space: PointSpace): InnerPoints {
  const place = reachIn(view, space);
  const conditions: RangeCondition[] = [];
  const edits: { readonly node: SyntaxNode; readonly text: string }[] = [];
  const nodes = space.statements.flatMap((node) =>
    node.descendantsOfType(["binary_expression", "call_expression"]),
  );
  for (const node of nodes) {
    const known = comparison(view, place, node) ?? limit(view, place, node);
    if (known === undefined) continue;
    conditions.push(...known.conditions);
    edits.push({ node, text: known.text });
  }
  const guards = space.conditions.flatMap(({ node, holds }) => {
    const known = comparison(view, place, node);
    if (known?.text === String(holds)) conditions.push(...known.conditions);
    return known?.text === String(holds) ? [] : [holds ? `(${node.text})` : `!(${node.text})`];
  });
  const outermost = edits.filter(
    ({ node }) => !edits.some((other) => other.node.id !== node.id && isInside(node, other.node)),
  );
  return { conditions, guards, edits: outermost.map(({ node, text }) => replaceNode(node, text)) };
}

interface Known {
  readonly conditions: readonly RangeCondition[];
  readonly text: string;
}

type PlaceOf = (node: SyntaxNode) => Place | undefined;

const mirrored: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };

function comparison(view: KernelView, place: PlaceOf, node: SyntaxNode): Known | undefined {
  const operator = fieldText(node, "operator");
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  const turned = mirrored[operator];
  if (node.type !== "binary_expression" || turned === undefined || left === null || right === null)
    return undefined;
  if (isFixed(view, right)) return compared(view, { place: place(left), operator, limit: right });
  return isFixed(view, left)
    ? compared(view, { place: place(right), operator: turned, limit: left })
    : undefined;
}

function isFixed(view: KernelView, node: SyntaxNode): boolean {
  const names = node.descendantsOfType("identifier");
  const members = membersIn(view, node).map(({ id }) => id);
  const reads = node
    .descendantsOfType(["subscript_expression", "pointer_expression", "field_expression"])
    .filter(({ id }) => !members.includes(id));
  return isPure(node) && reads.length === 0 && names.every(({ text }) => isOutside(view, text));
}

function compared(
  view: KernelView,
  {
    place,
    operator,
    limit,
  }: { readonly place: Place | undefined; readonly operator: string; readonly limit: SyntaxNode },
): Known | undefined {
  const along = alongAxis(place);
  if (along === undefined) return undefined;
  const { axis, reach } = along;
  const constant = constantOf(formIn(view, limit));
  const start = constant !== undefined && constant < endsFrom;
  const holds = operator.startsWith(start ? ">" : "<");
  const least = { axis, end: "first", text: `${boundText(reach.low)} >= 0` } as const;
  if (start) {
    // `x >= 1` holds, or `x < 1` does not, from 1 on; `x > 1` and `x <= 1` from 2 on.
    const open = operator === ">" || operator === "<=";
    const text = `${boundText(reach.low)} ${open ? ">" : ">="} ${factorText(limit)}`;
    return { conditions: [least, { axis, end: "first", text }], text: String(holds) };
  }
  const closed = operator === "<=" || operator === ">";
  const text = `${boundText(reach.high)} ${closed ? "<=" : "<"} ${factorText(limit)}`;
  return { conditions: [least, { axis, end: "last", text }], text: String(holds) };
}

/** `min(x, width - 1)` where x is less, `max(x, 0)` where it is more. */
function limit(view: KernelView, place: PlaceOf, node: SyntaxNode): Known | undefined {
  const clamped = clampedBy(view, node);
  const along = clamped && alongAxis(place(clamped.value));
  if (clamped === undefined || along === undefined) return undefined;
  const { axis, reach } = along;
  const inner = limit(view, place, clamped.value);
  const [end, bound, operator] =
    clamped.side === "least" ? (["first", reach.low, ">="] as const) : (["last", reach.high, "<="] as const);
  const text = `${boundText(bound)} ${operator} ${factorText(clamped.limit)}`;
  return {
    conditions: [
      ...(inner?.conditions ?? []),
      { axis, end: "first", text: `${boundText(reach.low)} >= 0` },
      { axis, end, text },
    ],
    text: inner?.text ?? `(${clamped.value.text})`,
  };
}

/** Loops of at most so many turns are unrolled. */
export const turnsMost = 32;

/** Short loops of constant length that say nothing of being unrolled, each at the start of its line. */
export function unrolled(view: KernelView, space: PointSpace): readonly TextEdit[] {
  return countedLoops(view.body).flatMap(({ loop, start, bound }) => {
    const [low, high] = [constantOf(formIn(view, start)), constantOf(formIn(view, bound))];
    const short = low !== undefined && high !== undefined && high - low <= turnsMost;
    const inWork = space.statements.some((statement) => isInside(loop, statement));
    const told = /^#\s*pragma\b/.test(loop.previousNamedSibling?.text ?? "");
    const indent = indentOf(view.source, loop);
    const opens = loop.startPosition.column === indent.length;
    return short && inWork && !told && opens ? [insertBefore(loop, `#pragma unroll\n${indent}`)] : [];
  });
}
