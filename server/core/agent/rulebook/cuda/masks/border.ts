import { type Form, formOf } from "../../../../language/cuda/body/forms";
import { compact, fieldText, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { estimatedValue } from "../kernel";
import { type Limit, type LimitedLoop, plus } from "./limits";

const place = /(?:threadIdx|blockIdx)\.[xyz]/;

/** A loop of no more turns than this has a mask for what hangs over the end. */
const fewTurns = 64;

/**
 * True for a mask that only cuts what hangs over an edge: few threads of a launch have it, so that hardly a
 * turn is saved. Such are masks of short loops, of a place that moves away from the end, and of loops that
 * are no longer where there are more rows.
 */
export function isBorder(loop: LimitedLoop, { side, form }: Limit): boolean {
  const { view, counted } = loop;
  const turns = estimatedValue(view, counted.bound);
  if (turns !== undefined && turns <= fewTurns) return true;
  const full = expanded(loop, form);
  const places = [...full].filter(([key]) => place.test(key));
  if (places.length === 0) return false;
  if (places.some(([, times]) => times < 0)) {
    const distance = plus(formOf(counted.bound, view.scope), full, -1);
    return side === "lower" || [...distance.keys()].some((key) => key !== "" && !place.test(key));
  }
  const ends = rowEnds(loop);
  const own = reachedNames(loop, counted.bound);
  return ends.length > 0 && !ends.some((name) => own.has(name));
}

/** A sum with its locals followed. */
function expanded({ view }: LimitedLoop, form: Form): Form {
  let full: Form = new Map();
  for (const [key, times] of form) {
    const meaning = view.scope.meaning(key);
    const followed = typeof meaning === "object" ? formOf(meaning, view.scope) : new Map([[key, 1]]);
    full = plus(full, followed, times);
  }
  return full;
}

/** What places of threads are compared with outside of the loop's own masks: the numbers of rows. */
function rowEnds({ view, counted }: LimitedLoop): readonly string[] {
  const comparisons = view.body
    .descendantsOfType("binary_expression")
    .filter((node) => /^[<>]=?$/.test(fieldText(node, "operator")))
    .filter((node) => usesOf(node, counted.variable).length === 0);
  return comparisons.flatMap((node) => {
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    if (left === null || right === null) return [];
    const [one, other] = [left, right].map((side) => hasPlace(view, side));
    if (one === other) return [];
    return namesOf(one === true ? right : left);
  });
}

function hasPlace({ scope }: LimitedLoop["view"], node: SyntaxNode): boolean {
  return [...formOf(node, scope).keys()].some((key) => place.test(key));
}

function namesOf(node: SyntaxNode): readonly string[] {
  return node.descendantsOfType("identifier").map(({ text }) => text);
}

/** The names of an expression and of the locals in it. */
function reachedNames({ view }: LimitedLoop, node: SyntaxNode): ReadonlySet<string> {
  const reached = new Set([...namesOf(node), compact(unwrapped(node))]);
  for (const name of reached) {
    const meaning = view.scope.meaning(name);
    if (typeof meaning === "object") for (const each of namesOf(meaning)) reached.add(each);
  }
  return reached;
}
