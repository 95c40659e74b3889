import { countedLoops } from "../../../../language/cuda/body/loops";
import { compact, fieldText, operands, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { KernelView } from "../kernel";

/** Names of the body, with the expression over parameters that they stay below. */
type Ends = ReadonlyMap<string, string>;

const deepest = 12;

/**
 * What an expression is at most, as an expression of 64 bits over the parameters; undefined where nothing
 * says it. Numbers are taken not to be negative.
 */
export function greatest(view: KernelView, node: SyntaxNode, ends: Ends, depth = 0): string | undefined {
  const inner = unwrapped(node);
  if (depth > deepest) return undefined;
  const next = (part: SyntaxNode | null): string | undefined =>
    part === null ? undefined : greatest(view, part, ends, depth + 1);
  const kinds: Readonly<Record<string, () => string | undefined>> = {
    number_literal: () => inner.text,
    cast_expression: () => next(inner.childForFieldName("value")),
    identifier: () => ofName(view, inner, ends, depth),
    field_expression: () => ofMember(view, inner),
    binary_expression: () => ofPair(view, inner, next),
  };
  return kinds[inner.type]?.();
}

function ofPair(
  view: KernelView,
  pair: SyntaxNode,
  next: (part: SyntaxNode | null) => string | undefined,
): string | undefined {
  const [left, right] = [pair.childForFieldName("left"), pair.childForFieldName("right")];
  switch (fieldText(pair, "operator")) {
    case "+":
      return joined(next(left), "+", next(right));
    case "*":
      return next(dividendOf(view, pair)) ?? joined(next(left), "*", next(right));
    case "%":
      return next(right) ?? next(left);
    case "-":
    case "/":
    case ">>":
      return next(left);
    default:
      return undefined;
  }
}

function joined(left: string | undefined, operator: string, right: string | undefined): string | undefined {
  return left === undefined || right === undefined ? undefined : `(${left} ${operator} ${right})`;
}

function ofName(view: KernelView, name: SyntaxNode, ends: Ends, depth: number): string | undefined {
  const { kernel, scope, body } = view;
  const end = ends.get(name.text);
  if (end !== undefined) return wideOf(end);
  if (kernel.facts.parameters.some((each) => each.name === name.text && !each.pointer))
    return wideOf(name.text);
  const meaning = scope.meaning(name.text);
  if (typeof meaning === "object") return greatest(view, meaning, ends, depth + 1);
  if (meaning !== undefined) return /^\d+$/.test(meaning) ? meaning : undefined;
  const loop = countedLoops(body).find(({ variable }) => variable === name.text);
  return loop?.step.operator === "+" ? greatest(view, loop.bound, ends, depth + 1) : undefined;
}

/** `extent.x` of a structure that the kernel is handed. */
function ofMember({ kernel }: KernelView, member: SyntaxNode): string | undefined {
  const [object] = compact(member).split(".");
  const isGiven = kernel.facts.parameters.some(({ name, pointer }) => name === object && !pointer);
  return isGiven && !member.text.includes("->") ? wideOf(compact(member)) : undefined;
}

function wideOf(text: string): string {
  return `static_cast<unsigned long long>(${text})`;
}

/** `i` of `(i / columns) * columns`, and of `(i / columns) * (columns / 2)`: the product is no greater. */
function dividendOf(view: KernelView, product: SyntaxNode): SyntaxNode | null {
  const [first, second, ...more] = operands(product, "*").map((factor) => valueOf(view, factor));
  if (first === undefined || second === undefined || more.length > 0) return null;
  for (const [quotient, factor] of [
    [first, second],
    [second, first],
  ] as const) {
    const isQuotient = fieldText(quotient, "operator") === "/";
    const part = fieldText(factor, "operator") === "/" ? factor.childForFieldName("left") : factor;
    const divisor = quotient.childForFieldName("right");
    if (isQuotient && part !== null && divisor !== null && sameText(part, divisor))
      return quotient.childForFieldName("left");
  }
  return null;
}

function sameText(a: SyntaxNode, b: SyntaxNode): boolean {
  return compact(unwrapped(a)) === compact(unwrapped(b));
}

/** What a name always stands for, where that is an expression of the body. */
function valueOf({ scope }: KernelView, node: SyntaxNode): SyntaxNode {
  const inner = unwrapped(node);
  const meaning = inner.type === "identifier" ? scope.meaning(inner.text) : undefined;
  return typeof meaning === "object" ? unwrapped(meaning) : inner;
}
