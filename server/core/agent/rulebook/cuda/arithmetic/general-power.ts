import { isPure } from "../../../../language/cuda/body/scope";
import { compact, enclosing, isInside, lineOf, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { floatConstant, floatsIn, kindOf } from "./float-values";
import { ownHelpers } from "./single-precision";

/** `powf(x, y)` of two values that are known at run time. */
interface Power {
  readonly call: SyntaxNode;
  readonly base: SyntaxNode;
  readonly exponent: SyntaxNode;
}

/**
 * Takes a power of a positive number by its binary logarithm, for which the GPU has instructions; any other
 * number goes the long way as before.
 */
export const generalPower = defineRule("cuda-general-power", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const powers = [view.body, ...ownHelpers(view)].flatMap((place) => powersIn(view, place));
  const [first] = [...powers].sort((one, other) => instructionsAt(input, other) - instructionsAt(input, one));
  if (first === undefined)
    return not("no-pattern", "no power of single precision has a plain base and exponent", view.line);
  const instructions = instructionsAt(input, first);
  if (instructions === 0) return not("no-evidence", "the power was not reached", first.call);
  const ideal = Math.round(instructions * threshold(entry, "share"));
  const saved = shareSaved(instructions - ideal, input.counters.totals.instructions);
  const outermost = powers.filter(
    ({ call }) => !powers.some((other) => other.call.id !== call.id && isInside(call, other.call)),
  );
  const power = compact(first.call);
  return {
    kind: "proposal",
    tree: editedTree(
      input,
      outermost.map((each) => replaceNode(each.call, written(each))),
    ),
    hypothesis: fillSentence(entry.hypothesis, { power }),
    evidence: evidenceFor(
      entry,
      {
        ...{ file: input.file, line: lineOf(first.call), counter: "instructions" },
        ...{ value: instructions, ideal },
      },
      { power },
    ),
    gain: gainOn(input, ["issue", "fp32", "special", "integer"], saved),
  };
});

function instructionsAt(input: RuleInput, { call }: Power): number {
  const statement = enclosing(call, "expression_statement", "declaration", "return_statement") ?? call;
  return countsOf(input, statement).instructions;
}

function powersIn(view: KernelView, place: SyntaxNode): readonly Power[] {
  const floats = floatsIn(view, place);
  return place.descendantsOfType("call_expression").flatMap((call) => {
    const name = compact(call.childForFieldName("function")).replace(/^(?:std)?::/, "");
    const [base, exponent, ...others] = partsOf(call.childForFieldName("arguments"));
    if (base === undefined || exponent === undefined || others.length > 0) return [];
    const single = kindOf(base, floats) === "float" && kindOf(exponent, floats) === "float";
    if (name !== "powf" && !(name === "pow" && single)) return [];
    // What is left for other bases has been taken apart before.
    const before = call.parent?.type === "conditional_expression" && /\bexp2f\b/.test(call.parent.text);
    if (before) return [];
    // A whole number as exponent, or a constant base, has a shorter way of its own.
    const isConstant = floatConstant(view, base) !== undefined || isWhole(view, exponent);
    return isConstant || !isPlain(base) || !isPlain(exponent) ? [] : [{ call, base, exponent }];
  });
}

/** Functions of one value alone, which may be asked for it again. */
const plainFunction = /^(?:::|std::)?(?:f?(?:abs|max|min)f?|(?:sqrt|rsqrt|exp2?|log2?|floor|ceil)f|__\w+f)$/;

/** True for an expression that has no effect, functions of floats included. */
function isPlain(node: SyntaxNode): boolean {
  const calls = node.descendantsOfType("call_expression");
  const isKnown = calls.every((call) => plainFunction.test(compact(call.childForFieldName("function"))));
  const acts = node.descendantsOfType(["update_expression", "assignment_expression"]);
  return isPure(node) || (isKnown && acts.length === 0);
}

/** True for an exponent that is a whole number, or half of one. */
function isWhole(view: KernelView, exponent: SyntaxNode): boolean {
  const inner = unwrapped(exponent);
  const value = floatConstant(view, inner) ?? (/^-?\d+$/.test(inner.text) ? Number(inner.text) : undefined);
  return value !== undefined && Number.isInteger(2 * value) && Math.abs(value) <= 8;
}

function written({ call, base, exponent }: Power): string {
  return `(${factorOf(base)} > 0.0f ? exp2f(${factorOf(exponent)} * log2f(${base.text})) : ${call.text})`;
}

function factorOf({ text }: SyntaxNode): string {
  return /^[\w.[\]]+$/.test(text) ? text : `(${text})`;
}
