import { coefficient, constantOf } from "../../../../language/cuda/body/forms";
import { comparisonOf, type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { changes, isAssigned, isPure, localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, isInside, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { formIn, type KernelView } from "../kernel";
import type { PointSpace } from "../points/point-space";

/** A number of the source: a constant and further terms, `2 + (radius) - (start)`. */
interface Bound {
  readonly constant: number;
  readonly terms: readonly string[];
}

/** How far from the point's own numbers something may lie. */
export interface Reach {
  /** How often the two numbers of the point are in it. */
  readonly across: number;
  readonly down: number;
  readonly low: Bound;
  readonly high: Bound;
}

/**
 * What an expression is for a point: for each factor ("" is 1, "+ (width)" the pitch of rows) what is
 * multiplied with it.
 */
export type Place = ReadonlyMap<string, Reach>;

const none: Bound = { constant: 0, terms: [] };

function fixed(bound: Bound): Place {
  return new Map([["", { across: 0, down: 0, low: bound, high: bound }]]);
}

function number(constant: number): Place {
  return fixed({ constant, terms: [] });
}

/** Something that is the same for all points, as text. */
function named(text: string): Place {
  return fixed({ constant: 0, terms: [`+ (${text})`] });
}

/** Reads expressions of a point's work by how far they reach from the point; undefined for any others. */
export function reachIn(view: KernelView, space: PointSpace): (node: SyntaxNode) => Place | undefined {
  const loops = countedLoops(view.body);
  const [across, down] = space.axes;
  const own = (steps: Partial<Reach>): Place =>
    new Map([["", { across: 0, down: 0, low: none, high: none, ...steps }]]);
  const ofName = (node: SyntaxNode): Place | undefined => {
    const name = node.text;
    if (name === across.name) return own({ across: 1 });
    if (name === down.name) return own({ down: 1 });
    const [loop, ...others] = loops.filter(({ variable }) => variable === name);
    if (loop !== undefined) return others.length === 0 ? loopPlace(view, of, loop) : undefined;
    const meaning = view.scope.meaning(name);
    const value = view.scope.value(node);
    if (value !== undefined) return number(value);
    if (meaning !== undefined && typeof meaning !== "string") return of(meaning);
    return isOutside(view, name) ? named(name) : undefined;
  };
  const ofClamped = (node: SyntaxNode, value: SyntaxNode): Place | undefined => {
    const place = of(value);
    const rewritten = space.statements.some((statement) => isInside(node, statement));
    return rewritten && alongAxis(place) !== undefined ? place : undefined;
  };
  const ofOperation = (node: SyntaxNode): Place | undefined => {
    const argument = node.type === "unary_expression" ? node.childForFieldName("argument") : null;
    if (argument !== null && node.text.startsWith("-")) return combined(of(argument), number(-1), "*");
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    const operator = fieldText(node, "operator");
    const affine = node.type === "binary_expression" && /^[-+*]$/.test(operator);
    return affine && left !== null && right !== null ? combined(of(left), of(right), operator) : undefined;
  };
  const of = (node: SyntaxNode): Place | undefined => {
    const inner = unwrapped(node);
    if (inner.type === "identifier") return ofName(inner);
    const clamped = clampedBy(view, inner);
    if (clamped !== undefined) return ofClamped(inner, clamped.value);
    const value = inner.type === "cast_expression" ? inner.childForFieldName("value") : null;
    return value === null ? (ofOperation(inner) ?? sameForAll(view, inner)) : of(value);
  };
  return of;
}

/** An expression of which all points have the same value. */
function sameForAll(view: KernelView, node: SyntaxNode): Place | undefined {
  const layer = /\bblockIdx\s*\.\s*z\b/g;
  const outside = node
    .descendantsOfType("identifier")
    .every(({ text, parent }) => isOutside(view, text) || compact(parent) === "blockIdx.z");
  const members = membersIn(view, node);
  const plain = members.reduce((text, { text: member }) => text.replace(member, "member"), node.text);
  if (!outside || !isPure(node) || /[[*.]/.test(plain.replace(layer, "layer"))) return undefined;
  const value = view.scope.value(node);
  return value === undefined ? named(node.text) : number(value);
}

/** Members of structures that the kernel takes by value and leaves as they are: `image.width`. */
export function membersIn({ kernel, body }: KernelView, node: SyntaxNode): readonly SyntaxNode[] {
  const taken = new Set(kernel.facts.parameters.flatMap(({ name, pointer }) => (pointer ? [] : name)));
  const changed = changes(body).map(({ target }) => compact(target));
  return node
    .descendantsOfType("field_expression")
    .filter((each) => taken.has(fieldText(each, "argument")) && fieldText(each, "operator") === ".")
    .filter((each) => !changed.includes(compact(each)));
}

/** The axis along which an expression follows the point, and how far it reaches from it. */
export function alongAxis(
  place: Place | undefined,
): { readonly axis: 0 | 1; readonly reach: Reach } | undefined {
  const reach = onlyPart(place);
  if (reach === undefined) return undefined;
  if (reach.across === 1 && reach.down === 0) return { axis: 0, reach };
  return reach.down === 1 && reach.across === 0 ? { axis: 1, reach } : undefined;
}

/** The values of a loop's variable: between two numbers, or around the point. */
function loopPlace(
  view: KernelView,
  of: (node: SyntaxNode) => Place | undefined,
  { start, bound, comparison, step }: CountedLoop,
): Place | undefined {
  const byOne =
    step.operator === "+" && (step.amount === undefined || constantOf(formIn(view, step.amount)) === 1);
  const [from, to] = [onlyPart(of(start)), onlyPart(of(bound))];
  if (!byOne || (comparison !== "<" && comparison !== "<=")) return undefined;
  if (from === undefined || from.across !== to?.across || from.down !== to.down) return undefined;
  const high = { ...to.high, constant: to.high.constant - (comparison === "<" ? 1 : 0) };
  return new Map([["", { ...from, high }]]);
}

function onlyPart(place: Place | undefined): Reach | undefined {
  return place?.size === 1 ? place.get("") : undefined;
}

/** True for a name that means the same anywhere in the kernel: a parameter, or one of the file. */
export function isOutside(view: KernelView, name: string): boolean {
  const parameters = [...view.kernel.facts.parameters, ...view.kernel.facts.templateParameters];
  const known = parameters.some((each) => each.name === name) || view.model.constants.has(name);
  const hidden = localValues(view.body).some((local) => local.name === name);
  return known && !hidden && !isAssigned(view.body, name);
}

/** A value that is kept on one side of a limit. */
interface Clamp {
  readonly value: SyntaxNode;
  readonly limit: SyntaxNode;
  readonly side: "least" | "most";
}

/** `min(value, limit)`, `max(limit, value)` and their like, one side of which is the same for all points. */
export function clampedBy(view: KernelView, node: SyntaxNode): Clamp | undefined {
  if (node.type === "conditional_expression") return chosenBy(view, node);
  if (node.type !== "call_expression") return undefined;
  const name = /^(?:std::|::)?(min|max)$/.exec(compact(node.childForFieldName("function")))?.[1];
  const [first, second, ...more] = partsOf(node.childForFieldName("arguments"));
  if (name === undefined || first === undefined || second === undefined || more.length > 0) return undefined;
  const side = name === "max" ? "least" : "most";
  if (isLimit(view, second)) return { value: first, limit: second, side };
  return isLimit(view, first) ? { value: second, limit: first, side } : undefined;
}

/** An expression that is the same for all points. */
function isLimit(view: KernelView, part: SyntaxNode): boolean {
  return isPure(part) && part.descendantsOfType("identifier").every(({ text }) => isOutside(view, text));
}

/** `v < least ? least : v`, `v >= n ? n - 1 : v` and the like, the value first or last. */
function chosenBy(view: KernelView, node: SyntaxNode): Clamp | undefined {
  const condition = node.childForFieldName("condition");
  const [taken, kept] = [node.childForFieldName("consequence"), node.childForFieldName("alternative")];
  if (!condition || taken === null || kept === null) return undefined;
  const [first, second] = [unwrapped(taken), unwrapped(kept)];
  const limit = [first, second].find((side) => isLimit(view, side));
  const value = limit === first ? second : first;
  const compared =
    comparisonOf(condition, compact(value)) ?? comparisonOf(condition, compact(clampedValue(view, value)));
  if (limit === undefined || compared === undefined || !/^[<>]=?$/.test(compared.comparison))
    return undefined;
  const below = compared.comparison.startsWith("<");
  const side = below === (limit === first) ? "least" : "most";
  return isNextTo(view, compared.bound, limit) ? { value, limit, side } : undefined;
}

/** What a value is before it is kept on the other side of another limit: `v` of `v > last ? last : v`. */
function clampedValue(view: KernelView, value: SyntaxNode): SyntaxNode {
  const clamp = clampedBy(view, value);
  return clamp === undefined ? value : clampedValue(view, unwrapped(clamp.value));
}

/** True for a bound that is the limit, or one beside it. */
function isNextTo(view: KernelView, bound: SyntaxNode, limit: SyntaxNode): boolean {
  const [one, other] = [formIn(view, bound), formIn(view, limit)];
  const keys = [...new Set([...one.keys(), ...other.keys()])].filter((key) => key !== "");
  const apart = coefficient(one, "") - coefficient(other, "");
  return keys.every((key) => one.get(key) === other.get(key)) && Math.abs(apart) <= 1;
}

function combined(left: Place | undefined, right: Place | undefined, operator: string): Place | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (operator === "*") return product(left, right);
  const sign = operator === "+" ? 1 : -1;
  const parts = new Map(left);
  for (const [key, part] of right) {
    const before = parts.get(key) ?? { across: 0, down: 0, low: none, high: none };
    const [low, high] = sign === 1 ? [part.low, part.high] : [part.high, part.low];
    parts.set(key, {
      across: before.across + sign * part.across,
      down: before.down + sign * part.down,
      low: added(before.low, low, sign),
      high: added(before.high, high, sign),
    });
  }
  return parts;
}

function added(one: Bound, other: Bound, sign: 1 | -1): Bound {
  const turned = sign === 1 ? other.terms : other.terms.map(negated);
  return { constant: one.constant + sign * other.constant, terms: [...one.terms, ...turned] };
}

function negated(term: string): string {
  return term.startsWith("+") ? term.replace("+", "-") : term.replace("-", "+");
}

/** What a place is where it is the same for all points and all turns of loops. */
function sameOf(place: Place): Bound | undefined {
  const [[key, part] = ["", undefined], ...others] = [...place];
  if (part === undefined || others.length > 0 || key !== "") return undefined;
  const still = part.across === 0 && part.down === 0;
  return still && boundText(part.low) === boundText(part.high) ? part.low : undefined;
}

function product(left: Place, right: Place): Place | undefined {
  const [a, b] = [sameOf(left), sameOf(right)];
  if (a !== undefined && a.terms.length === 0) return scaled(right, a.constant);
  if (b !== undefined && b.terms.length === 0) return scaled(left, b.constant);
  if (a !== undefined && b !== undefined) return named(`(0${boundText(a)}) * (0${boundText(b)})`);
  if (a !== undefined) return rowsOf(right, boundText(a));
  return b === undefined ? undefined : rowsOf(left, boundText(b));
}

function scaled(place: Place, times: number): Place | undefined {
  const entries: [string, Reach][] = [];
  for (const [key, { across, down, low, high }] of place) {
    if (low.terms.length + high.terms.length > 0 && Math.abs(times) !== 1) return undefined;
    const [least, most] = times < 0 ? [high, low] : [low, high];
    const turned = (bound: Bound): Bound =>
      times === -1 ? added(none, bound, -1) : { ...bound, constant: bound.constant * times };
    const rows = times > 1 && (across !== 0 || down !== 0);
    if (rows && key !== "") return undefined;
    const reach = { across: across * times, down: down * times, low: turned(least), high: turned(most) };
    entries.push(rows ? [String(times), { across, down, low, high }] : [key, reach]);
  }
  return new Map(entries);
}

/** What is multiplied with something that is the same for all points: rows of that pitch, or layers. */
function rowsOf(place: Place, pitch: string): Place {
  return new Map([...place].map(([key, part]) => [key === "" ? pitch : `${key} * (0${pitch})`, part]));
}

/** A bound as the text that follows a first number: ` + 3 - (radius)`. */
export function boundText({ constant, terms }: Bound): string {
  const plainly = constant === 0 ? "" : ` ${constant < 0 ? "-" : "+"} ${Math.abs(constant)}`;
  return `${plainly}${terms.map((term) => ` ${term}`).join("")}`;
}
