import { termOf } from "../../../../timing/bound";
import { known } from "../../../../base/known";
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
import { editedText, editedTree, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { ownHelpers } from "./single-precision";

/**
 * Functions that the GPU has an instruction for, near enough to that of the library wherever it is finite.
 * Sines and logarithms are not among them: theirs are off for some arguments.
 */
const fast: Readonly<Record<string, string>> = {
  expf: "__expf",
  "std::exp": "__expf",
  exp10f: "__exp10f",
};

/** Terms of the bound that these instructions are part of. */
const pipes = ["fp32", "special", "issue"] as const;

/** Divides and takes exponentials of floats by the GPU's own instructions, a few last bits off. */
export const fastMath = defineRule("cuda-fast-math", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const places = [view.body, ...ownHelpers(view)];
  const found = places.flatMap((place) => slowIn(view, place));
  const [worst] = [...found].sort((a, b) => instructionsAt(input, b) - instructionsAt(input, a));
  if (worst === undefined)
    return not("no-pattern", "no float is divided, and none is an exponent", view.line);
  const value = [...new Map(found.map((node) => [lineOf(node), node])).values()].reduce(
    (sum, node) => sum + instructionsAt(input, node),
    0,
  );
  const part = value / Math.max(1, input.counters.totals.instructions);
  if (part < threshold(entry, "shareLeast"))
    return not("no-evidence", "divisions and exponentials take few instructions", worst);
  const busy = Math.max(...pipes.map((term) => termOf(input.bound, term)));
  if (busy < threshold(entry, "termLeast") * input.bound.nanoseconds)
    return not("no-evidence", "the kernel waits for memory, not for what it computes", worst);
  const facts = { file: input.file, line: lineOf(worst), counter: "instructions" as const };
  const saved = threshold(entry, "share");
  return {
    kind: "proposal",
    tree: editedTree(input, edits(view, found)),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, { ...facts, value, ideal: Math.round(value * (1 - saved)) }),
    gain: gainOn(input, pipes, Math.min(1, part) * saved),
  };
});

function instructionsAt(input: RuleInput, node: SyntaxNode): number {
  const statement = enclosing(node, "expression_statement", "declaration", "return_statement") ?? node;
  return countsOf(input, statement).instructions;
}

/** Divisions of floats and calls of slow functions, by another name where there is one. */
function slowIn(view: KernelView, place: SyntaxNode): readonly SyntaxNode[] {
  const floats = floatsIn(view, place);
  const divisions = place
    .descendantsOfType("binary_expression")
    .filter((node) => fieldText(node, "operator") === "/" && isFloat(node, floats) && !isConstant(node));
  const calls = place
    .descendantsOfType("call_expression")
    .filter((call) => fast[fieldText(call, "function")] !== undefined);
  return [...divisions, ...calls];
}

/** Names of floats, and of arrays of floats. */
function floatsIn({ kernel }: KernelView, place: SyntaxNode): ReadonlySet<string> {
  const own = kernel.facts.parameters
    .filter(({ type }) => /^(?:const )?float(?: const)?\s*[*&]?/.test(type) && !/double/.test(type))
    .map(({ name }) => name);
  const declared = place
    .descendantsOfType(["declaration", "parameter_declaration", "optional_parameter_declaration"])
    .filter((node) => fieldText(node, "type") === "float")
    .flatMap((node) => node.childrenForFieldName("declarator"))
    .flatMap((node) =>
      node.type === "identifier" ? node.text : (node.descendantsOfType("identifier")[0]?.text ?? []),
    );
  const other = new Set(
    place
      .descendantsOfType(["declaration", "parameter_declaration"])
      .filter((node) => fieldText(node, "type") !== "float")
      .flatMap((node) => node.childrenForFieldName("declarator"))
      .flatMap((node) => node.descendantsOfType("identifier")[0]?.text ?? []),
  );
  const isKernel = place.id === kernel.body.id;
  return new Set([...(isKernel ? own : []), ...declared].filter((name) => !other.has(name)));
}

const single =
  /^(?:(?:exp|log|sin|cos|sqrt|rsqrt|fabs|fmax|fmin|fma|pow|tanh|erf|log1p|expm1)f|__fdividef|__expf)$/;
const singleLiteral = /^(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?[fF]$/;
const doubleLiteral = /^(?:\d+\.\d*|\.\d+|\d+[eE][+-]?\d+)(?:[eE][+-]?\d+)?$/;

/** True where an expression is a float by one of its operands, and nothing in it may be a double. */
function isFloat(node: SyntaxNode, floats: ReadonlySet<string>): boolean {
  const sides = [node.childForFieldName("left"), node.childForFieldName("right")];
  const literals = node.descendantsOfType("number_literal");
  if (literals.some(({ text }) => doubleLiteral.test(text)) || /\bdouble\b/.test(node.text)) return false;
  const kinds = sides.map((side) => (side === null ? "other" : kindOf(side, floats)));
  return kinds.includes("float") && !kinds.includes("other");
}

type Kind = "float" | "whole" | "other";

/** What a value is: a float; a whole number, which becomes one beside a float; or something unknown. */
function kindOf(node: SyntaxNode, floats: ReadonlySet<string>): Kind {
  const inner = unwrapped(node);
  if (inner.type === "number_literal" && /^\d+$/.test(inner.text)) return "whole";
  if (inner.type === "unary_expression") return kindOf(inner.childForFieldName("argument") ?? inner, floats);
  if (inner.type !== "binary_expression") return isFloatByItself(inner, floats) ? "float" : "other";
  const kinds = [inner.childForFieldName("left"), inner.childForFieldName("right")].map((side) =>
    side === null ? "other" : kindOf(side, floats),
  );
  if (!/^[-+*/]$/.test(fieldText(inner, "operator")) || kinds.includes("other")) return "other";
  return kinds.includes("float") ? "float" : "whole";
}

/** True for literals, names, elements, casts and calls that are floats. */
function isFloatByItself(node: SyntaxNode, floats: ReadonlySet<string>): boolean {
  const callee = compact(node.childForFieldName("function"));
  const tests: Readonly<Record<string, () => boolean>> = {
    number_literal: () => singleLiteral.test(node.text),
    identifier: () => floats.has(node.text),
    subscript_expression: () => floats.has(fieldText(node, "argument")),
    cast_expression: () => fieldText(node, "type") === "float",
    call_expression: () => /^(?:static_cast<float>|float)$/.test(callee) || single.test(callee),
  };
  return tests[node.type]?.() === true;
}

/** A division that the compiler does, or turns into a product. */
function isConstant(node: SyntaxNode): boolean {
  const right = node.childForFieldName("right");
  return right === null || unwrapped(right).type === "number_literal";
}

function edits(view: KernelView, found: readonly SyntaxNode[]): readonly TextEdit[] {
  const outermost = found.filter(
    (node) => !found.some((other) => other.id !== node.id && isInside(node, other)),
  );
  return outermost.map((node) => replaceNode(node, written(view, node, found)));
}

/** A node with all that is slow in it written the other way. */
function written(view: KernelView, node: SyntaxNode, found: readonly SyntaxNode[]): string {
  const part = (inner: SyntaxNode): string => {
    if (found.some(({ id }) => id === inner.id)) return written(view, inner, found);
    const inside = found.filter((other) => other.id !== inner.id && isInside(other, inner));
    const greatest = inside.filter(
      (one) => !inside.some((other) => other.id !== one.id && isInside(one, other)),
    );
    return editedText(
      view.source,
      { start: inner.startIndex, end: inner.endIndex },
      greatest.map((each) => replaceNode(each, written(view, each, found))),
    );
  };
  if (node.type === "call_expression") {
    const given = partsOf(node.childForFieldName("arguments")).map(part);
    return `${known(fast[fieldText(node, "function")], "the fast name of a function")}(${given.join(", ")})`;
  }
  const sides = [node.childForFieldName("left"), node.childForFieldName("right")];
  return `__fdividef(${sides.flatMap((side) => (side === null ? [] : part(unwrapped(side)))).join(", ")})`;
}
