import { isPure } from "../../../../language/cuda/body/scope";
import { compact, enclosing, fieldText, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not } from "../../rule";
import { defineRule, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { powerCalls, rewrittenPowers } from "./power-calls";
import { ownHelpers } from "./single-precision";

/** `powf(base, 2)`, with its exponent. */
interface Power {
  readonly call: SyntaxNode;
  readonly base: SyntaxNode;
  readonly exponent: number;
}

/** Multiplies instead of calling the general power function for a small whole exponent. */
export const expandPower = defineRule("cuda-expand-power", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const most = threshold(entry, "exponentMost");
  return rewrittenPowers(input, entry, {
    powers: powersOf(view).filter(({ base, exponent }) => written(base, exponent, most) !== undefined),
    written: ({ call, base, exponent }) => written(base, exponent, most) ?? call.text,
    none: () =>
      not("no-pattern", "no power has a small whole number, or half of one, as its exponent", view.line),
  });
});

/** Powers of the kernel and of the functions that it calls. */
function powersOf(view: KernelView): readonly Power[] {
  return [view.body, ...ownHelpers(view)].flatMap(powerCalls).flatMap(({ call, base, exponent }) => {
    const value = valueOf(view, unwrapped(exponent));
    return value === undefined ? [] : [{ call, base, exponent: value }];
  });
}

/** `2`, `2.0f`, `-0.5f`, `static_cast<float>(2)`, or a constant of the file. */
function valueOf(view: KernelView, exponent: SyntaxNode): number | undefined {
  const text = compact(exponent).replace(/^(?:static_cast<\w+>|\w+)\((.*)\)$/, "$1");
  const known = /^\w+$/.test(text) && !/^\d/.test(text) ? view.model.constants.get(text)?.text : undefined;
  const number = Number((known ?? text).replace(/(\d\.?|\.)f$/i, "$1"));
  return Number.isFinite(number) && (known ?? text) !== "" ? number : view.scope.value(exponent);
}

/** The power without the general function; undefined where that is no shorter. */
function written(base: SyntaxNode, exponent: number, most: number): string | undefined {
  const size = Math.abs(exponent);
  const single = isSingle(base);
  const needsSingle = exponent < 0 || size % 1 !== 0;
  if (size > most || (size * 2) % 1 !== 0 || size === 0 || (needsSingle && !single)) return undefined;
  // What takes long, or changes something, is done once.
  const text = isPure(base) ? base.text : "base";
  const product = factors(text, Math.floor(size), size % 1 !== 0);
  const value = exponent < 0 ? `1.0f / (${product})` : product;
  return isPure(base) ? `(${value})` : `[](auto base) { return ${value}; }(${base.text})`;
}

/** True in a call of the function for floats. */
function isSingle(base: SyntaxNode): boolean {
  return /^(?:std::|::)?(?:powf|__powf)$/.test(fieldText(enclosing(base, "call_expression"), "function"));
}

/** So many factors, and the square root where half of one is left. */
function factors(base: string, count: number, root: boolean): string {
  const factor = /^[\w.[\]]+$/.test(base) ? base : `(${base})`;
  const all = Array.from({ length: count }, () => factor);
  return [...all, ...(root ? [`sqrtf(${base})`] : [])].join(" * ");
}
