import { isPure } from "../../../../language/cuda/body/scope";
import {
  compact,
  enclosing,
  fieldText,
  isInside,
  lineOf,
  partsOf,
  unwrapped,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
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
  const powers = powersOf(view).filter(({ base, exponent }) => written(base, exponent, most) !== undefined);
  const [first] = [...powers].sort((one, other) => instructionsAt(input, other) - instructionsAt(input, one));
  if (first === undefined)
    return not("no-pattern", "no power has a small whole number, or half of one, as its exponent", view.line);
  const instructions = instructionsAt(input, first);
  if (instructions === 0) return not("no-evidence", "the power was not reached", first.call);
  const ideal = Math.round(instructions * threshold(entry, "share"));
  const facts = {
    ...{ file: input.file, line: lineOf(first.call), counter: "instructions" as const },
    ...{ value: instructions, ideal },
  };
  const saved = shareSaved(instructions - ideal, input.counters.totals.instructions);
  return {
    kind: "proposal",
    tree: editedTree(
      input,
      powers
        .filter((power) => !isNested(power, powers))
        .map(({ call, base, exponent }) => replaceNode(call, written(base, exponent, most) ?? call.text)),
    ),
    hypothesis: fillSentence(entry.hypothesis, { power: compact(first.call) }),
    evidence: evidenceFor(entry, facts, { power: compact(first.call) }),
    gain: gainOn(input, ["issue", "fp32", "special"], saved),
  };
});

function instructionsAt(input: RuleInput, { call }: Power): number {
  const statement =
    enclosing(call, "expression_statement", "declaration", "return_statement", "for_statement") ?? call;
  return countsOf(input, statement).instructions;
}

/** Powers of the kernel and of the functions that it calls. */
function powersOf(view: KernelView): readonly Power[] {
  const places = [view.body, ...ownHelpers(view)];
  return places
    .flatMap((place) => place.descendantsOfType("call_expression"))
    .flatMap((call) => {
      const name = compact(call.childForFieldName("function")).replace(/^(std)?::/, "");
      const [base, exponent] = partsOf(call.childForFieldName("arguments"));
      if (!/^(powf?|__powf)$/.test(name) || base === undefined || exponent === undefined) return [];
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

function isNested({ call }: Power, all: readonly Power[]): boolean {
  return all.some((other) => other.call.id !== call.id && isInside(call, other.call));
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
