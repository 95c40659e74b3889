import { changes, isPure, localValues } from "../../../../language/cuda/body/scope";
import { compact, fieldText, operands, partsOf, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";
import { localTypes } from "../spelling/calls/objects";

/** What a term of a sum is multiplied with, or divided by. */
export interface Factor {
  readonly node: SyntaxNode;
  readonly text: string;
  readonly divides: boolean;
  /** True where no turn of the loop changes it. */
  readonly steady: boolean;
  /** The whole product that it stands in: the term itself, or the value of a local that it is made of. */
  readonly whole: SyntaxNode;
}

/** `e` of `sum += e`, `sum -= e` and `sum = sum + e`. */
export function addedTerm(act: SyntaxNode, sum: string): SyntaxNode | undefined {
  const right = act.childForFieldName("right");
  if (act.type !== "assignment_expression" || right === null) return undefined;
  const operator = fieldText(act, "operator");
  if (operator === "+=" || operator === "-=") return usesOf(right, sum).length === 0 ? right : undefined;
  const sides = operator === "=" ? operands(right, "+") : [];
  const [only, ...others] = sides.filter((side) => compact(side) !== sum);
  return sides.length === 2 && others.length === 0 && only && usesOf(only, sum).length === 0
    ? only
    : undefined;
}

/**
 * The factors of a term, those of locals that are made for it alone included; none where it may divide whole
 * numbers.
 */
export function factorsOf(view: KernelView, loop: SyntaxNode, term: SyntaxNode): readonly Factor[] {
  const factors = allFactors(loop, term);
  return factors.some(({ divides, node }) => divides && !isFloat(view, node)) ? [] : factors;
}

/** True for numbers that are known to be floats. */
function isFloat(view: KernelView, node: SyntaxNode): boolean {
  if (node.type === "number_literal")
    return /^[\d.]+(?:[eE][+-]?\d+)?[fF]?$/.test(node.text) && /[.eEfF]/.test(node.text);
  if (node.type === "cast_expression")
    return /^(?:float|double)$/.test(compact(node.childForFieldName("type")));
  if (node.type === "call_expression")
    return /^(?:static_cast<(?:float|double)>|float|double|\w+f)$/.test(fieldText(node, "function"));
  if (node.type === "subscript_expression") {
    const own = view.kernel.facts.parameters.find(({ name }) => name === fieldText(node, "argument"));
    return /\b(?:float|double)\b/.test(own?.type ?? "");
  }
  if (node.type === "binary_expression")
    return ["left", "right"].some((side) => {
      const part = node.childForFieldName(side);
      return part !== null && isFloat(view, unwrapped(part));
    });
  return /^(?:float|double)$/.test(localTypes(view).get(node.text) ?? "");
}

function allFactors(loop: SyntaxNode, term: SyntaxNode): readonly Factor[] {
  const changed = changedIn(loop);
  const read = (node: SyntaxNode, divides: boolean, whole: SyntaxNode): readonly Factor[] => {
    const { kind, sides } = madeOf(node);
    if (kind !== "whole")
      return sides.flatMap((side, place) =>
        read(side, kind.startsWith("quotient") && place > 0 ? !divides : divides, whole),
      );
    const value = divides ? undefined : ownProduct(loop, node);
    if (value !== undefined) return read(value, divides, value);
    return [{ node, text: asFactor(node), divides, steady: isSteady(node, changed), whole }];
  };
  return read(term, false, term);
}

/** The value of a local float that a turn makes for one use alone, where it is a product. */
function ownProduct(loop: SyntaxNode, node: SyntaxNode): SyntaxNode | undefined {
  if (node.type !== "identifier") return undefined;
  const [local, ...again] = localValues(loop).filter(({ name }) => name === node.text);
  if (local === undefined || again.length > 0 || usesOf(loop, local.name).length !== 2) return undefined;
  const isOfFloats = /^(?:float|double|auto)$/.test(fieldText(local.declaration, "type"));
  return isOfFloats && /^(?:product|quotient)/.test(madeOf(unwrapped(local.value)).kind)
    ? local.value
    : undefined;
}

interface Made {
  readonly kind: "whole" | "group" | "negative" | "product" | "quotient" | "quotient-call";
  readonly sides: readonly SyntaxNode[];
}

/** How products are made: `a * b`, `a / b`, `__fdividef(a, b)`, `-a`, `(a)`. */
function madeOf(node: SyntaxNode): Made {
  const sides = ["left", "right", "argument"].flatMap((field) => node.childForFieldName(field) ?? []);
  const operator = fieldText(node, "operator");
  if (node.type === "parenthesized_expression") return { kind: "group", sides: [unwrapped(node)] };
  if (node.type === "unary_expression" && operator === "-") return { kind: "negative", sides };
  if (node.type === "call_expression" && fieldText(node, "function") === "__fdividef")
    return { kind: "quotient-call", sides: partsOf(node.childForFieldName("arguments")) };
  if (node.type !== "binary_expression" || !["*", "/"].includes(operator))
    return { kind: "whole", sides: [] };
  return { kind: operator === "*" ? "product" : "quotient", sides };
}

/** An expression as it may stand behind `*` or `/`. */
function asFactor(node: SyntaxNode): string {
  return /^(?:binary|conditional)_expression$/.test(node.type) ? `(${node.text})` : compact(node);
}

/** Names that a loop declares or changes. */
function changedIn(loop: SyntaxNode): ReadonlySet<string> {
  const declared = loop
    .descendantsOfType("declaration")
    .flatMap((each) => each.childrenForFieldName("declarator"));
  const targets = changes(loop).map(({ target }) => target);
  return new Set(
    [...declared, ...targets].flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []),
  );
}

/** True where a factor means the same in all turns, and is a number that a compiler keeps in a register. */
function isSteady(node: SyntaxNode, changed: ReadonlySet<string>): boolean {
  const names = node.descendantsOfType("identifier").map(({ text }) => text);
  return isPure(node) && !names.some((name) => changed.has(name));
}

/** A product without some of its factors; undefined where none is left. */
export function withoutFactors(node: SyntaxNode, gone: ReadonlySet<number>): string | undefined {
  if (gone.has(node.id)) return undefined;
  const { kind, sides } = madeOf(node);
  const texts = sides.map((side) => withoutFactors(side, gone));
  if (texts.every((text, place) => text === sides[place]?.text)) return node.text;
  return joined[kind](texts, node);
}

type Joined = (texts: readonly (string | undefined)[], node: SyntaxNode) => string | undefined;

/** What is left of a product of each kind. */
const joined: Readonly<Record<Made["kind"], Joined>> = {
  whole: (_, node) => node.text,
  group: ([inner]) => inner && `(${inner})`,
  negative: ([inner]) => `-${inner ?? "1.0f"}`,
  product: ([left, right]) => (left && right ? `${left} * ${right}` : (left ?? right)),
  quotient: ([above, below]) => (below === undefined ? above : `${above ?? "1.0f"} / ${below}`),
  "quotient-call": ([above, below]) =>
    below === undefined ? above : `__fdividef(${above ?? "1.0f"}, ${below})`,
};
