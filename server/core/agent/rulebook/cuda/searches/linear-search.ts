import { isPure } from "../../../../language/cuda/body/scope";
import {
  collapse,
  compact,
  isInside,
  operands,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { loopTypes } from "../../diagnosis/places";
import { countBelowLast, type ElementComparison, equalSides, sidesOf } from "./ruled-out";

/** A loop that goes through an array, element by element, up to the first one beyond a value. */
export interface LinearSearch {
  readonly loop: SyntaxNode;
  /** The variable that counts. */
  readonly index: string;
  /** What a `for` begins with; undefined where the variable has its value before. */
  readonly start: SyntaxNode | undefined;
  /** The comparison of an element, and whether the loop goes on or ends where it holds. */
  readonly comparison: SyntaxNode;
  readonly ends: boolean;
  readonly element: SyntaxNode;
  /** What it looks for, where that is an element equal to a value and not the first one beyond it. */
  readonly equalTo: SyntaxNode | undefined;
  /** What keeps the variable within the array, in the loop or before it; undefined where nothing does. */
  readonly bound: IndexBound | undefined;
  /** What is done with the place that was found, where the loop itself does it. */
  readonly found: readonly SyntaxNode[];
}

interface IndexBound {
  /** The loop's own condition, or what stands in front of it, for which arrays are sorted. */
  readonly by: "loop" | "value";
  /** The condition as text. */
  readonly isWithin: string;
  /** The least value of the variable that does not hold. */
  readonly end: string;
}

/** The searches of a part of a kernel, outer ones first. */
export function linearSearches(part: SyntaxNode): readonly LinearSearch[] {
  return part.descendantsOfType([...loopTypes]).flatMap((loop) => searchOf(loop) ?? []);
}

/** Names of arrays that say where the rows of others begin, or that add up. */
const summed = /sorted|^cu_|cumul|cumsum|prefix|indptr|row_?(?:ptr|start|offset)s?$/i;

/** Whether comments of a source or the array's name say that an array ascends. */
export function saysSorted(source: string, array: string): boolean {
  const comments = [...source.matchAll(/\/\/[^\n]*|\/\*[^]*?\*\//g)].map(([text]) => text).join("\n");
  const isSaid = /\b(?:sorted|ascend\w*|increas\w*|monoton\w*|in order)\b/i.test(comments);
  const isSum = comments
    .split("\n")
    .some((line) => /\b(?:prefix sums?|cumulative|running sums?)\b/i.test(line) && line.includes(array));
  return isSaid || isSum || addsUp(array);
}

/** Whether an array's name says that it ascends. */
export function addsUp(array: string): boolean {
  return summed.test(array.replace(/unsorted/gi, ""));
}

function searchOf(loop: SyntaxNode): LinearSearch | undefined {
  const index = indexOf(loop);
  const comparing = index === undefined ? undefined : comparingIn(loop, index);
  if (index === undefined || comparing === undefined) return undefined;
  const { comparison, element, ends, found } = comparing;
  const equalTo = found.length > 0 ? equalValue(comparison, element) : undefined;
  if (equalTo === undefined && !ascends(comparison, element, ends)) return undefined;
  const others = conditionsOf(loop).filter(({ id }) => id !== comparison.id);
  const bounds = others.map((each) => boundOf(each, index));
  if (bounds.length > 1 || bounds.includes(undefined)) return undefined;
  return {
    ...{ loop, index, comparison, element, equalTo, ends, found },
    bound: bounds[0] ?? (equalTo === undefined ? boundBefore(loop, index, comparing) : undefined),
    start: loop.childForFieldName("initializer") ?? undefined,
  };
}

/** The variable that a loop counts up in each turn. */
function indexOf(loop: SyntaxNode): string | undefined {
  if (loop.type === "do_statement") return undefined;
  const counted = loop.type === "for_statement" ? loop.childForFieldName("update") : onlyStatement(loop);
  return counted === null || counted === undefined ? undefined : countedUp(counted);
}

interface Comparing extends ElementComparison, Pick<LinearSearch, "found"> {}

/** The comparison of an element in the loop's condition, or in the body of a `for` that does nothing else. */
function comparingIn(loop: SyntaxNode, index: string): Comparing | undefined {
  const isFor = loop.type === "for_statement";
  const own = conditionsOf(loop).find((each) => elementIn(each, index) !== undefined);
  const inside = own === undefined && isFor ? endingCondition(loop) : undefined;
  const comparison = own ?? inside?.comparison;
  const element = comparison && elementIn(comparison, index);
  if (comparison === undefined || element === undefined) return undefined;
  if (inside !== undefined) return { ...inside, element, ends: true };
  const isAll = !isFor || isEmpty(loop.childForFieldName("body"));
  return isAll ? { comparison, element, ends: false, found: [] } : undefined;
}

/** The only statement of a loop's body; undefined where there are more or none. */
function onlyStatement(loop: SyntaxNode): SyntaxNode | undefined {
  const body = loop.childForFieldName("body");
  const [first, ...more] = body?.type === "compound_statement" ? partsOf(body) : [body];
  if (first?.type !== "expression_statement" || more.length > 0) return undefined;
  return partsOf(first)[0];
}

/** The variable of `++k`, `k++` or `k += 1`. */
function countedUp(node: SyntaxNode): string | undefined {
  const [, before, behind, added] = /^(?:\+\+(\w+)|(\w+)\+\+|(\w+)\+=1)$/.exec(compact(node)) ?? [];
  return before ?? behind ?? added;
}

function conditionsOf(loop: SyntaxNode): readonly SyntaxNode[] {
  const condition = loop.childForFieldName("condition");
  if (condition === null) return [];
  const whole = unwrapped(condition.childForFieldName("value") ?? condition);
  return operands(whole, "&&").map(unwrapped);
}

function isEmpty(body: SyntaxNode | null): boolean {
  return body !== null && /^(?:;|\{\s*\})$/.test(body.text.trim());
}

/** The condition under which a body that does nothing else leaves its loop, and what it does before. */
function endingCondition(
  loop: SyntaxNode,
): { readonly comparison: SyntaxNode; readonly found: readonly SyntaxNode[] } | undefined {
  const body = loop.childForFieldName("body");
  const [branch, ...more] = body?.type === "compound_statement" ? partsOf(body) : [body];
  if (branch?.type !== "if_statement" || more.length > 0) return undefined;
  if (branch.childForFieldName("alternative") !== null) return undefined;
  const condition = branch.childForFieldName("condition");
  const done = branch.childForFieldName("consequence");
  const statements = done?.type === "compound_statement" ? partsOf(done) : [done];
  const end = statements.at(-1);
  if (condition === null || end?.type !== "break_statement") return undefined;
  const found = statements.slice(0, -1).filter((each) => each !== null && each !== undefined);
  if (found.some(({ type }) => type !== "expression_statement")) return undefined;
  return { comparison: unwrapped(condition.childForFieldName("value") ?? condition), found };
}

/** The element that a comparison is about: its index counts, and the other side stays. */
function elementIn(comparison: SyntaxNode, index: string): SyntaxNode | undefined {
  const sides = sidesOf(comparison) ?? equalSides(comparison);
  if (sides === undefined || !isPure(comparison)) return undefined;
  const [side, ...more] = [sides.left, sides.right].filter((each) => usesOf(each, index).length > 0);
  if (side === undefined || more.length > 0) return undefined;
  const elements = side.descendantsOfType("subscript_expression");
  const [element] = elements;
  const isAlone = element !== undefined && elements.length === 1;
  return isAlone && usesOf(side, index).length === usesOf(element, index).length ? element : undefined;
}

/** The value that an element is to be equal to, compared as it stands. */
function equalValue(comparison: SyntaxNode, element: SyntaxNode): SyntaxNode | undefined {
  const sides = equalSides(comparison);
  if (sides === undefined) return undefined;
  const [own, other] = isInside(element, sides.left) ? [sides.left, sides.right] : [sides.right, sides.left];
  return unwrapped(own).id === element.id ? other : undefined;
}

/** Whether the loop ends at the first element beyond the value: it passes smaller ones. */
function ascends(comparison: SyntaxNode, element: SyntaxNode, ends: boolean): boolean {
  const sides = sidesOf(comparison);
  if (sides === undefined) return false;
  const isBelow = sides.operator.startsWith("<") === isInside(element, sides.left);
  return isBelow !== ends;
}

/** `k < n`, `k <= n` and `k + 1 < n`. */
function boundOf(condition: SyntaxNode, index: string): IndexBound | undefined {
  const sides = sidesOf(condition);
  if (sides === undefined || !sides.operator.startsWith("<")) return undefined;
  const { left, right, operator } = sides;
  const counted = new RegExp(String.raw`^${index}(?:\+(\d+))?$`).exec(compact(left));
  if (counted === null || usesOf(right, index).length > 0 || !isPure(right)) return undefined;
  const [, added = "0"] = counted;
  const offset = Number(added) - (operator === "<=" ? 1 : 0);
  const end = collapse(right.text);
  return { by: "loop", isWithin: condition.text, end: lessBy(end, offset) };
}

/** Where the value is known to lie below the last element, the search ends there at the latest. */
function boundBefore(loop: SyntaxNode, index: string, compared: ElementComparison): IndexBound | undefined {
  const count = countBelowLast(loop, compared);
  const place = compact(compared.element.childForFieldName("indices"));
  const counted = new RegExp(String.raw`^\[${index}(?:\+(\d+))?\]$`).exec(place);
  if (count === undefined || counted === null) return undefined;
  const end = lessBy(count, Number(counted[1] ?? "0") + 1);
  return { by: "value", isWithin: `${index} < ${end}`, end };
}

function lessBy(end: string, offset: number): string {
  const plain = /^\w+$/.test(end) ? end : `(${end})`;
  if (offset === 0) return plain;
  return `${plain} ${offset > 0 ? "-" : "+"} ${Math.abs(offset)}`;
}
