import {
  compact,
  fieldText,
  isInside,
  operands,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { not, type RuleHold } from "../../../rule";
import { isCallOf, keyword, languageCalls, positional, type TritonView } from "../../kernel";
import { isSteady } from "../dealt-turns";
import type { Carried } from "./in-parts";

/** A sum of exponentials, or of what is weighted by them, relative to the greatest score so far. */
interface Weighted extends Carried {
  /** How the factor is laid over the block: `[:, None]`, or nothing. */
  readonly laid: string;
}

/** What a loop carries that goes over scores with their greatest one and sums of their exponentials. */
export interface RunningSoftmax {
  readonly greatest: Carried;
  readonly sums: readonly Weighted[];
  /** `tl.exp` or `tl.exp2`, as the kernel calls it. */
  readonly exponential: string;
  /** `k_ptrs += STEP`, the same in each turn. */
  readonly steps: readonly SyntaxNode[];
}

interface Reading {
  readonly view: TritonView;
  readonly loop: SyntaxNode;
  readonly body: SyntaxNode;
}

/** The greatest score by its name, and the name that it has with the scores of a turn. */
interface Greatest {
  readonly name: string;
  readonly next: string;
}

/** Reads what a loop carries as a running softmax; a guard's answer where it carries more, or none. */
export function runningSoftmax(view: TritonView, loop: SyntaxNode): RunningSoftmax | RuleHold {
  const body = loop.childForFieldName("body");
  if (body === null) return not("unreadable", "the loop has no body", loop);
  const reading = { view, loop, body };
  const names = carriedNames(reading);
  const [greatest, ...more] = names.flatMap((name) => greatestIn(reading, name) ?? []);
  if (greatest === undefined || more.length > 0)
    return not("no-pattern", "the loop carries no greatest score with sums of exponentials", loop);
  const steps: SyntaxNode[] = [];
  const sums: Weighted[] = [];
  let exponential: string | undefined;
  for (const name of names.filter((each) => each !== greatest.name)) {
    const acts = actsOn(reading, name);
    if (acts.length > 0 && acts.every((act) => isSteady(view, loop, act))) {
      steps.push(...acts);
      continue;
    }
    const weighted = weightedSum(reading, { name, acts, greatest });
    if (weighted === undefined)
      return not("dependence", `${name} is carried from turn to turn`, acts[0] ?? loop);
    const sides = sidesOf(reading, name);
    if (sides === undefined) return not("unreadable", `the shape of ${name} is not seen`, loop);
    exponential = weighted.exponential;
    sums.push({ name, sides, laid: weighted.laid });
  }
  const sides = sidesOf(reading, greatest.name);
  if (sides === undefined || exponential === undefined || !beginsLowest(reading, greatest.name))
    return not("no-rewrite", `${greatest.name} does not begin below all scores`, loop);
  return { greatest: { name: greatest.name, sides }, sums, exponential, steps };
}

/** Names that the loop gives a value, and that stand outside of it, too. */
function carriedNames({ view, loop, body }: Reading): readonly string[] {
  const given = body
    .descendantsOfType(["assignment", "augmented_assignment"])
    .flatMap((act) => act.childForFieldName("left")?.descendantsOfType("identifier") ?? [])
    .map(({ text }) => text);
  return [...new Set(given)].filter((name) => usesOf(view.body, name).some((use) => !isInside(use, loop)));
}

/** Acts of the loop on a name; none where one of them is part of something else. */
function actsOn({ body }: Reading, name: string): readonly SyntaxNode[] {
  const acts = body
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((act) => usesOf(act.childForFieldName("left") ?? act, name).length > 0);
  return acts.every((act) => isPlain(body, act)) ? acts : [];
}

function isPlain(body: SyntaxNode, act: SyntaxNode): boolean {
  return act.parent?.parent?.id === body.id && act.childForFieldName("left")?.type === "identifier";
}

/** `m_new = tl.maximum(m, …)` with `m = m_new` as the only act on `m`. */
function greatestIn(reading: Reading, name: string): Greatest | undefined {
  const [act, ...more] = actsOn(reading, name);
  const next = act?.type === "assignment" ? act.childForFieldName("right") : null;
  if (next?.type !== "identifier" || more.length > 0) return undefined;
  const [made, ...others] = actsOn(reading, next.text);
  const value = made?.type === "assignment" ? made.childForFieldName("right") : null;
  if (!value || others.length > 0 || !isCallOf(reading.view, value, "maximum")) return undefined;
  const compared = positional(value).map(compact);
  return compared.includes(name) ? { name, next: next.text } : undefined;
}

interface Asked {
  readonly name: string;
  readonly acts: readonly SyntaxNode[];
  readonly greatest: Greatest;
}

interface Factor {
  readonly laid: string;
  readonly exponential: string;
}

/** How a sum follows the greatest score: one factor in each turn, and what is added behind it. */
function weightedSum(reading: Reading, { name, acts, greatest }: Asked): Factor | undefined {
  const done = acts.map((act) => actIn(reading, act, { name, greatest }));
  const factors = done.flatMap((each) => each?.factor ?? []);
  const first = done.findIndex((each) => each?.factor !== undefined);
  const grows = done.findIndex((each) => each?.added === true);
  const known = done.every((each) => each !== undefined) && factors.length === 1;
  return known && first <= grows ? factors[0] : undefined;
}

/** What one act does to a sum; undefined where it is something else. */
function actIn(reading: Reading, act: SyntaxNode, asked: Omit<Asked, "acts">): Given | undefined {
  const right = act.childForFieldName("right");
  if (right === null) return undefined;
  if (act.type === "assignment") return given(reading, right, asked);
  const operator = fieldText(act, "operator");
  if (operator === "+=")
    return usesOf(right, asked.name).length === 0 ? { factor: undefined, added: true } : undefined;
  const factor = operator === "*=" ? factorIn(reading, right, asked.greatest) : undefined;
  return factor && { factor, added: false };
}

interface Given {
  readonly factor: Factor | undefined;
  readonly added: boolean;
}

/** `l * alpha + tl.sum(p)`, `acc * alpha[:, None]`, `tl.dot(p, v, acc)`. */
function given(
  reading: Reading,
  value: SyntaxNode,
  { name, greatest }: Omit<Asked, "acts">,
): Given | undefined {
  if (isCallOf(reading.view, value, "dot")) {
    const into = keyword(value, "acc") ?? positional(value)[2];
    const others = partsOf(value.childForFieldName("arguments")).filter(
      (part) => !into || !isInside(into, part),
    );
    const own = into && ownTerm(reading, into, { name, greatest });
    return own && others.every((part) => usesOf(part, name).length === 0)
      ? { factor: own.factor, added: true }
      : undefined;
  }
  const terms = operands(value, "+");
  const [term, ...more] = terms.filter((each) => usesOf(each, name).length > 0);
  const own = term && more.length === 0 ? ownTerm(reading, term, { name, greatest }) : undefined;
  return own && { factor: own.factor, added: terms.length > 1 };
}

/** The sum itself, or the sum by the factor. */
function ownTerm(
  reading: Reading,
  term: SyntaxNode,
  { name, greatest }: Omit<Asked, "acts">,
): { readonly factor: Factor | undefined } | undefined {
  const inner = unwrapped(term);
  if (inner.text === name) return { factor: undefined };
  const [one, other, ...more] = operands(inner, "*");
  if (one === undefined || other === undefined || more.length > 0) return undefined;
  const by = one.text === name ? other : one;
  const factor = [one, other].some(({ text }) => text === name) ? factorIn(reading, by, greatest) : undefined;
  return factor && { factor };
}

/** `tl.exp(m - m_new)`, by a name and laid over a block: `alpha[:, None]`. */
function factorIn(reading: Reading, node: SyntaxNode, { name, next }: Greatest): Factor | undefined {
  const inner = unwrapped(node);
  const base = inner.type === "subscript" ? inner.childForFieldName("value") : inner;
  if (base === null) return undefined;
  const laid = inner.text.slice(base.endIndex - inner.startIndex);
  const [act, ...more] = base.type === "identifier" ? actsOn(reading, base.text) : [];
  const value = base.type === "identifier" ? act?.childForFieldName("right") : base;
  if (value?.type !== "call" || more.length > 0 || act?.type === "augmented_assignment") return undefined;
  const callee = compact(value.childForFieldName("function"));
  const [of] = positional(value);
  return /(?:^|\.)exp2?$/.test(callee) && compact(of) === `${name}-${next}`
    ? { laid, exponential: callee }
    : undefined;
}

/** What a name is given in front of the loop. */
function beginningOf({ view, loop }: Reading, name: string): SyntaxNode | undefined {
  const acts = view.body
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((act) => !isInside(act, loop) && act.startIndex < loop.startIndex)
    .filter((act) => usesOf(act.childForFieldName("left") ?? act, name).length > 0);
  const [act, ...more] = acts;
  return act?.type === "assignment" && act.childForFieldName("left")?.text === name && more.length === 0
    ? (act.childForFieldName("right") ?? undefined)
    : undefined;
}

/** The sides of the block that a name begins as, in single precision. */
function sidesOf(reading: Reading, name: string): readonly string[] | undefined {
  const value = beginningOf(reading, name);
  if (value === undefined || /float16|bfloat16|float64/.test(value.text)) return undefined;
  const [made, ...more] = languageCalls(reading.view, ["zeros", "full"], value);
  if (made === undefined) return languageCalls(reading.view, ["load"], value).length === 0 ? [] : undefined;
  const [shape] = positional(made);
  const sides = partsOf(shape).map((side) => compact(side));
  const known = sides.length > 0 && sides.length < 3 && sides.every((side) => /^\w+$/.test(side));
  return shape && /^(?:list|tuple)$/.test(shape.type) && more.length === 0 && known ? sides : undefined;
}

/** True for minus infinity, and for numbers that no score is below. */
function beginsLowest(reading: Reading, name: string): boolean {
  const text = compact(beginningOf(reading, name));
  return /-(?:float\(["']inf["']\)|\w+\.inf\b)|["']-inf["']|-\d(?:\.\d*)?e\+?\d{2}/i.test(text);
}
