import { fieldText, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not } from "../../rule";
import { defineRule } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { floatConstant, floatsIn, kindOf } from "./float-values";
import { powerCalls, rewrittenPowers } from "./power-calls";
import { ownHelpers } from "./single-precision";

/** `powf(10.0f, x)`, with the binary logarithm of its base. */
interface ConstantPower {
  readonly call: SyntaxNode;
  readonly exponent: SyntaxNode;
  readonly logarithm: number;
}

/** Takes a power of a constant, `powf(10.0f, x)`, as a power of two, which the GPU has an instruction for. */
export const constantBase = defineRule("cuda-constant-base", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const powers = [view.body, ...ownHelpers(view)].flatMap((place) => powersIn(view, place));
  return rewrittenPowers(input, entry, {
    powers,
    written: (power) => written(view, power),
    none: () => not("no-pattern", "no power has a constant of single precision as its base", view.line),
  });
});

/** Powers of a constant in one function. */
function powersIn(view: KernelView, place: SyntaxNode): readonly ConstantPower[] {
  const floats = floatsIn(view, place);
  return powerCalls(place).flatMap(({ call, name, base, exponent }) => {
    // `pow` of two floats is one of single precision, too.
    if (name !== "powf" && (name !== "pow" || kindOf(exponent, floats) !== "float")) return [];
    const value = floatConstant(view, base) ?? (name === "powf" ? literal(base) : undefined);
    const isUsual = value !== undefined && value > 0 && value !== 1 && Number.isFinite(value);
    return isUsual ? [{ call, exponent, logarithm: Math.log2(value) }] : [];
  });
}

/** A number of another type that becomes a float as it is passed. */
function literal(node: SyntaxNode): number | undefined {
  const inner = unwrapped(node);
  const value = inner.type === "number_literal" ? Number(inner.text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** The power as one of two; a constant that the exponent is multiplied or divided by at its end goes in. */
function written(view: KernelView, { exponent, logarithm }: ConstantPower): string {
  let rest = unwrapped(exponent);
  let factor = logarithm;
  for (;;) {
    const [operator, left, right] = [
      fieldText(rest, "operator"),
      rest.childForFieldName("left"),
      rest.childForFieldName("right"),
    ];
    const value =
      left !== null && right !== null && /^[*/]$/.test(operator) ? floatConstant(view, right) : undefined;
    if (left === null || value === undefined || value === 0) break;
    factor = operator === "*" ? factor * value : factor / value;
    rest = unwrapped(left);
  }
  const shown = /^[\w.[\]]+$/.test(rest.text) ? rest.text : `(${rest.text})`;
  return factor === 1 ? `exp2f(${rest.text})` : `exp2f(${floatText(factor)} * ${shown})`;
}

/** A number as a literal of single precision. */
function floatText(value: number): string {
  const text = String(Number(value.toPrecision(9)));
  return `${/[.e]/.test(text) ? text : `${text}.0`}f`;
}
