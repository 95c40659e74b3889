import { compact, operands, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isCallOf, positional, type TritonView } from "../kernel";

/** One operand of a product in a loop. */
export interface Side {
  /** The assignment of the operand in the loop. */
  readonly act: SyntaxNode;
  readonly name: string;
  readonly load: SyntaxNode;
}

export interface Outer {
  readonly loop: SyntaxNode;
  readonly variable: string;
  readonly end: SyntaxNode;
  /** What is added in each turn. */
  readonly add: SyntaxNode;
  readonly left: Side;
  readonly right: Side;
  /** Pointers that walk, with their step. */
  readonly walks: readonly Walk[];
}

/** `pointers += step`. */
interface Walk {
  readonly statement: SyntaxNode;
  readonly name: string;
  readonly step: SyntaxNode;
}

/** What a statement of the loop does. */
type Part =
  | { readonly kind: "side"; readonly side: Side }
  | { readonly kind: "product"; readonly add: SyntaxNode; readonly names: readonly [string, string] }
  | { readonly kind: "walk"; readonly walk: Walk };

/** `for k in range(K)`: two loads, and `acc += x[:, None] * w[None, :]`. */
export function outerIn(view: TritonView, loop: SyntaxNode): Outer | undefined {
  const variable = loop.childForFieldName("left");
  const end = endOf(loop);
  if (variable?.type !== "identifier" || end === undefined) return undefined;
  const statements = partsOf(loop.childForFieldName("body"));
  const parts = statements.flatMap((statement) => partOf(view, variable.text, statement) ?? []);
  const sides = parts.flatMap((part) => (part.kind === "side" ? part.side : []));
  const walks = parts.flatMap((part) => (part.kind === "walk" ? part.walk : []));
  const [product, ...more] = parts.flatMap((part) => (part.kind === "product" ? part : []));
  if (parts.length < statements.length || product === undefined || more.length > 0) return undefined;
  const [left, right] = product.names.map((name) => sides.find((side) => side.name === name));
  if (left === undefined || right === undefined || sides.length !== 2) return undefined;
  return { loop, variable: variable.text, end, add: product.add, left, right, walks };
}

/** The end of `range(K)` and of `range(0, K)`. */
function endOf(loop: SyntaxNode): SyntaxNode | undefined {
  const range = loop.childForFieldName("right");
  const given = range?.type === "call" ? positional(range) : [];
  const [first, second] = given;
  if (given.length === 1) return first;
  return given.length === 2 && first?.text === "0" ? second : undefined;
}

function partOf(view: TritonView, variable: string, statement: SyntaxNode): Part | undefined {
  const [act] = partsOf(statement);
  const [left, value] = [act?.childForFieldName("left"), act?.childForFieldName("right")];
  if (act === undefined || left?.type !== "identifier" || !value) return undefined;
  const name = left.text;
  const load = act.type === "assignment" ? loadIn(view, value) : undefined;
  if (load !== undefined) return { kind: "side", side: { act, name, load } };
  const names = outerNames(act, name, value);
  if (names !== undefined) return { kind: "product", add: value, names };
  const walked = act.type === "augmented_assignment" && act.childForFieldName("operator")?.text === "+=";
  const steady = usesOf(value, variable).length === 0;
  return walked && steady ? { kind: "walk", walk: { statement, name, step: value } } : undefined;
}

const widened = String.raw`(?:\.to\((?:\w+|triton\.language)\.float32\))?`;

/** The names in `acc += x[:, None] * w[None, :]`, whichever stands first. */
function outerNames(act: SyntaxNode, name: string, value: SyntaxNode): readonly [string, string] | undefined {
  const terms = act.type === "augmented_assignment" ? [value] : operands(value, "+");
  const others = terms.filter(({ text }) => text !== name);
  const [term] = others;
  const sums =
    act.type === "augmented_assignment"
      ? act.childForFieldName("operator")?.text === "+="
      : terms.length === 2;
  if (!sums || others.length !== 1 || term === undefined) return undefined;
  const factors = operands(term, "*").map(compact);
  const of = (subscript: string): string | undefined =>
    factors
      .map((factor) => new RegExp(`^\\(?(\\w+)${widened}${subscript}${widened}\\)?$`).exec(factor)?.[1])
      .find((found) => found !== undefined);
  const [left, right] = [of(String.raw`\[:,None\]`), of(String.raw`\[None,:\]`)];
  return factors.length === 2 && left !== undefined && right !== undefined ? [left, right] : undefined;
}

/** `tl.load(…)`, widened or not. */
function loadIn(view: TritonView, value: SyntaxNode): SyntaxNode | undefined {
  if (isCallOf(view, value, "load")) return value;
  const owner = value.childForFieldName("function")?.childForFieldName("object");
  const wide = new RegExp(`${widened.slice(0, -1)}$`).test(compact(value));
  return owner && wide && isCallOf(view, owner, "load") ? owner : undefined;
}
