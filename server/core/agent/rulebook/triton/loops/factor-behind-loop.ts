import {
  compact,
  enclosing,
  fieldText,
  lineOf,
  operands,
  partsOf,
  unwrapped,
  usesOf,
} from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { isCallOf, positional, statementOf, tritonKernel, type TritonView } from "../kernel";
import { isKept, namesOf } from "./steady";

/** A sum over the turns of a loop, in which each turn multiplies with what no turn changes. */
interface Scaled {
  readonly loop: SyntaxNode;
  readonly sum: string;
  /** The product `rest * factor`, as it stands in a turn. */
  readonly product: SyntaxNode;
  readonly rest: SyntaxNode;
  readonly factor: SyntaxNode;
  /** The factor as it fits the sum. */
  readonly behind: string;
}

/**
 * Multiplies a sum once behind its loop with a factor that no turn changes, such as the scales of a quantized
 * operand's rows or columns.
 */
export const factorBehindLoop = defineRule("triton-factor-behind-loop", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const found = scaledSums(view);
  if (found.length === 0)
    return not("no-pattern", "no sum is multiplied in each turn with what no turn changes", view.line);
  return found.map((scaled) => (isNot(scaled) ? scaled : answer(input, entry, { view, scaled })));
});

interface Found {
  readonly view: TritonView;
  readonly scaled: Scaled;
}

function answer(input: RuleInput, entry: RuleEntry, { view, scaled }: Found): RuleAnswer {
  const { product, factor, sum } = scaled;
  const { instructions } = countsOf(input, statementOf(product));
  const saved = Math.round(instructions * threshold(entry, "saved"));
  const share = shareSaved(saved, input.counters.totals.instructions);
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", "the multiplication is a small part of all", product);
  const blanks = { factor: compact(factor), sum };
  const facts = { file: input.file, line: lineOf(product), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, movedBehind(view, scaled)),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(entry, { ...facts, value: instructions, ideal: instructions - saved }, blanks),
    gain: gainOn(input, ["issue", "fp32", "latency"], share),
  };
}

function movedBehind(
  { source }: TritonView,
  { loop, sum, product, rest, behind }: Scaled,
): readonly TextEdit[] {
  const indent = indentOf(source, loop);
  const whole = product.type === "augmented_assignment" ? statementOf(product) : product;
  return [
    whole.type === "expression_statement" ? taken(source, whole) : replaceNode(whole, narrowed(whole, rest)),
    { start: loop.endIndex, end: loop.endIndex, text: `\n${indent}${sum} = ${sum} * ${behind}` },
  ];
}

/** A statement with its line. */
function taken(source: string, { startIndex, endIndex }: SyntaxNode): TextEdit {
  return { start: source.lastIndexOf("\n", startIndex), end: endIndex, text: "" };
}

/** What is left of a product; a conversion that only the product needed goes with it. */
function narrowed(product: SyntaxNode, rest: SyntaxNode): string {
  const inner = unwrapped(rest);
  const outer = product.parent?.type === "parenthesized_expression" ? product.parent.parent : product.parent;
  const again = outer?.type === "attribute" && fieldText(outer, "attribute") === "to";
  const object = again && isConversion(inner) ? inner.childForFieldName("function") : null;
  return object?.childForFieldName("object")?.text ?? rest.text;
}

function isConversion(node: SyntaxNode): boolean {
  const function_ = node.childForFieldName("function");
  return (
    node.type === "call" && function_?.type === "attribute" && fieldText(function_, "attribute") === "to"
  );
}

function scaledSums(view: TritonView): readonly (Scaled | RuleHold)[] {
  const acts = view.body.descendantsOfType(["assignment", "augmented_assignment"]);
  return acts.flatMap((act) => {
    const loop = enclosing(act, "for_statement", "while_statement");
    const sum = act.childForFieldName("left");
    const statement = act.parent;
    if (loop === undefined || sum?.type !== "identifier" || statement === null) return [];
    if (statement.parent?.id !== loop.childForFieldName("body")?.id) return [];
    const term = addedTerm(act, sum.text);
    const found =
      term === undefined ? undefined : factorIn(view, { loop, node: term, sides: "same", acts: [act] }, 0);
    if (found === undefined) return [];
    return heldBack(view, { loop, sum: sum.text }, found) ?? { loop, sum: sum.text, ...found };
  });
}

/** `e` of `sum += e`, `sum = sum + e`, `sum = tl.dot(a, b, sum)` and `sum = tl.dot(a, b, acc=sum)`. */
function addedTerm(act: SyntaxNode, sum: string): SyntaxNode | undefined {
  const right = act.childForFieldName("right");
  if (right === null) return undefined;
  const operator = fieldText(act, "operator");
  if (act.type === "augmented_assignment")
    return operator === "+=" && usesOf(right, sum).length === 0 ? right : undefined;
  const sides = operands(right, "+");
  const others = sides.filter((side) => compact(side) !== sum);
  const [only] = others;
  if (sides.length === 2 && others.length === 1 && only && usesOf(only, sum).length === 0) return only;
  return right.type === "call" && usesOf(right, sum).length === 1 ? right : undefined;
}

interface Place {
  readonly loop: SyntaxNode;
  readonly node: SyntaxNode;
  /** Where the rows and columns of a factor come to lie in the sum. */
  readonly sides: "same" | "rows" | "columns" | "turned-rows" | "turned-columns";
  /** The statements from the sum back to the one that uses the node, which is the last of them. */
  readonly acts: readonly SyntaxNode[];
}

type Factor = Pick<Scaled, "product" | "rest" | "factor" | "behind"> & {
  readonly acts: readonly SyntaxNode[];
};

/** A factor that no turn changes, behind names, conversions and products of matrices. */
function factorIn(view: TritonView, place: Place, depth: number): Factor | undefined {
  const { loop, acts, sides } = place;
  const node = unwrapped(place.node);
  if (depth > 8) return undefined;
  const inside = (next: SyntaxNode | null | undefined, other: Partial<Place> = {}): Factor | undefined =>
    next ? factorIn(view, { ...place, ...other, node: next }, depth + 1) : undefined;
  if (node.type === "identifier") {
    const given = lastGiven(loop, node.text, acts);
    if (given === undefined) return undefined;
    const further = { ...place, acts: [...acts, given] };
    if (given.type === "augmented_assignment") return scaledBy(view, { ...further, node: given });
    return inside(given.childForFieldName("right"), further);
  }
  if (node.type === "binary_operator") return scaledBy(view, { ...place, node });
  if (isConversion(node)) return inside(node.childForFieldName("function")?.childForFieldName("object"));
  if (node.type !== "call") return undefined;
  const [first, second] = positional(node);
  if (isCallOf(view, node, "trans"))
    return inside(first, {
      sides: sides.startsWith("turned-") ? side(sides.slice(7)) : side(`turned-${sides}`),
    });
  if (!isCallOf(view, node, "dot") || sides !== "same") return undefined;
  return inside(first, { sides: "rows" }) ?? inside(second, { sides: "columns" });
}

function side(text: string): Place["sides"] {
  return text as Place["sides"];
}

/** `rest * factor`, `rest *= factor`. */
function scaledBy(view: TritonView, { loop, node, sides, acts }: Place): Factor | undefined {
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  const operator = fieldText(node, "operator");
  if (left === null || right === null || !["*", "*="].includes(operator)) return undefined;
  const either: readonly (readonly [SyntaxNode, SyntaxNode])[] = [
    [left, right],
    [right, left],
  ];
  const ways = operator === "*" ? either : either.slice(0, 1);
  for (const [rest, factor] of ways) {
    if (!namesOf(factor).every((name) => isKept(view, loop, name, 0) && !isLocal(loop, name))) continue;
    if (
      factor.descendantsOfType("call").length > 0 ||
      namesOf(rest).every((name) => isKept(view, loop, name, 0))
    )
      continue;
    const behind = fitted(view, factor, sides);
    if (behind !== undefined) return { product: node, rest, factor, behind, acts };
  }
  return undefined;
}

/** True for a name that the loop gives a value. */
function isLocal(loop: SyntaxNode, name: string): boolean {
  return loop
    .descendantsOfType(["assignment", "augmented_assignment"])
    .some((act) => usesOf(act.childForFieldName("left") ?? act, name).length > 0);
}

/** The factor of an operand as one of the product; undefined where it differs along the axis of the sum. */
function fitted(view: TritonView, factor: SyntaxNode, sides: Place["sides"]): string | undefined {
  const inner = unwrapped(factor);
  if (sides === "same") return factor.text;
  const scalar = inner.type === "identifier" && isScalar(view, inner.text);
  if (scalar || ["float", "integer"].includes(inner.type)) return factor.text;
  const value = inner.childForFieldName("value");
  if (inner.type !== "subscript" || value?.type !== "identifier") return undefined;
  const index = inner.text.slice(value.text.length).replace(/\s/g, "");
  const along = { "[:,None]": "rows", "[None,:]": "columns" }[index];
  const turned = sides.startsWith("turned-");
  const wanted = turned ? { rows: "columns", columns: "rows" }[sides.slice(7)] : sides;
  if (along === undefined || along !== wanted) return undefined;
  return `${value.text}${sides.endsWith("rows") ? "[:, None]" : "[None, :]"}`;
}

/** A parameter that is a number. */
function isScalar(view: TritonView, name: string): boolean {
  const parameter = view.parameters.find((each) => each.name === name);
  return parameter !== undefined && !parameter.pointer;
}

/** The last statement of a turn that gives a name its value before the acts that use it. */
function lastGiven(loop: SyntaxNode, name: string, acts: readonly SyntaxNode[]): SyntaxNode | undefined {
  const end = acts.at(-1)?.startIndex ?? loop.startIndex;
  const given = partsOf(loop.childForFieldName("body"))
    .flatMap((statement) => partsOf(statement)[0] ?? [])
    .filter(({ type }) => type === "assignment" || type === "augmented_assignment")
    .filter((each) => each.endIndex <= end && fieldText(each, "left") === name);
  return given.at(-1);
}

/** Why a factor has to stay in the loop. */
function heldBack(
  view: TritonView,
  { loop, sum }: Pick<Scaled, "loop" | "sum">,
  { acts, factor }: Factor,
): RuleHold | undefined {
  const first = acts.at(-1)?.startIndex ?? loop.startIndex;
  for (const act of acts) {
    const name = fieldText(act, "left");
    const from = name === sum ? loop.startIndex : first;
    const uses = usesOf(loop, name).filter(({ startIndex }) => startIndex >= from);
    const known = acts.flatMap((each) => usesOf(each, name)).length;
    // The statement of the sum comes first, and each but the last uses what the next one gives.
    const given = acts.filter((each) => fieldText(each, "left") === name).length;
    const read = acts
      .slice(0, -1)
      .reduce((count, each) => count + usesOf(each.childForFieldName("right") ?? each, name).length, 0);
    if (uses.length !== known || read > given)
      return not("dependence", `${name} is used for more than the sum in the loop`, act);
  }
  const before = view.body
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((each) => fieldText(each, "left") === sum && each.endIndex <= loop.startIndex);
  const start = before.at(-1)?.childForFieldName("right");
  const zero = start && (/^0(?:\.0*)?$/.test(start.text) || isCallOf(view, start, "zeros"));
  return zero ? undefined : not("dependence", `${sum} does not begin at zero`, before.at(-1) ?? factor);
}
