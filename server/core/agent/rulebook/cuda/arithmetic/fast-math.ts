import { termOf } from "../../../../timing/bound";
import { known } from "../../../../base/known";
import { enclosing, fieldText, isInside, lineOf, partsOf, unwrapped } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { floatConstant, floatsIn, isFloat } from "./float-values";
import { isBoundedPhase } from "./bounded-phase";
import { ownHelpers } from "./single-precision";

/**
 * Functions that the GPU has an instruction for, near enough to that of the library wherever it is finite.
 * Logarithms are not among them, nor sines of any argument: theirs are off for some.
 */
const fast: Readonly<Record<string, string>> = {
  expf: "__expf",
  "std::exp": "__expf",
  exp10f: "__exp10f",
};

/** The same where the argument is seen to lie within a turn. */
const fastInTurn: Readonly<Record<string, string>> = { sinf: "__sinf", cosf: "__cosf" };

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
    .filter((node) => fieldText(node, "operator") === "/" && isFloat(node, floats) && !isExact(view, node));
  const calls = place.descendantsOfType("call_expression").filter((call) => {
    const name = fieldText(call, "function");
    if (fastInTurn[name] === undefined) return fast[name] !== undefined;
    return place.id === view.body.id && isBoundedPhase(view, call);
  });
  return [...divisions, ...calls];
}

/** A division that the compiler does, or turns into a product: by a power of two. */
function isExact(view: KernelView, node: SyntaxNode): boolean {
  const right = node.childForFieldName("right");
  if (right === null || node.descendantsOfType("identifier").length === 0) return true;
  const value = divisorOf(view, right);
  return value === 0 || (value !== undefined && Math.log2(Math.abs(value)) % 1 === 0);
}

/** The number that a float is divided by, where the source states it. */
function divisorOf(view: KernelView, right: SyntaxNode): number | undefined {
  const inner = unwrapped(right);
  const whole = inner.type === "number_literal" && /^\d+$/.test(inner.text) ? Number(inner.text) : undefined;
  return whole ?? floatConstant(view, inner);
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
    const name = fieldText(node, "function");
    return `${known(fast[name] ?? fastInTurn[name], "the fast name of a function")}(${given.join(", ")})`;
  }
  const divisor = node.childForFieldName("right");
  const value = divisor === null ? undefined : divisorOf(view, divisor);
  const divided = node.childForFieldName("left");
  if (divided !== null && divisor !== null && value !== undefined)
    return `(${part(divided)} * (1.0f / ${divisor.text}))`;
  const sides = [node.childForFieldName("left"), node.childForFieldName("right")];
  return `__fdividef(${sides.flatMap((side) => (side === null ? [] : part(unwrapped(side)))).join(", ")})`;
}
