import { compact, lineOf, partsOf, usesOf } from "../../../../language/query";
import { parameterName } from "../../../../language/triton/names";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, issuedIn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { onlyAssignment, statementOf, tritonKernel, type TritonView } from "../kernel";
import { constexprOf } from "../spread/programs";

/** Names that are followed into each other at most. */
const DEPTH = 6;

/**
 * Sizes that indices are divided by become constants of the compiler, which divides by a multiplication and a
 * shift then.
 */
export const constantDivisors = defineRule("triton-constant-divisors", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const divisions = divisionsOf(view);
  const [first] = divisions;
  if (first === undefined)
    return not("no-pattern", "nothing is divided by a size that only the launch knows", view.line);
  const share = shareOf(input, divisions);
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", "divisions take a small part of the instructions", first.node);
  const gain = gainOn(input, ["issue", "integer", "latency"], share * threshold(entry, "saved"));
  const facts = { file: input.file, line: lineOf(first.node), counter: "instructions" as const };
  const value = Math.round(issuedIn(input.counters.totals) * share);
  const ideal = Math.ceil(value * (1 - threshold(entry, "saved")));
  const names = [...new Set(divisions.flatMap(({ divisors }) => divisors))];
  const evidence = evidenceFor(entry, { ...facts, value, ideal }, { names: names.join(", ") });
  const edits = constantEdits(view, names);
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, { names: names.join(", ") });
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

interface Division {
  readonly node: SyntaxNode;
  /** Parameters of the kernel that the divisor is made of. */
  readonly divisors: readonly string[];
}

/** `i // width`, `i % (width * height)`, `i //= width`. */
function divisionsOf(view: TritonView): readonly Division[] {
  return view.body.descendantsOfType(["binary_operator", "augmented_assignment"]).flatMap((node) => {
    const divides = /^(?:\/\/|%)=?$/.test(node.childForFieldName("operator")?.text ?? "");
    const divisor = divides ? node.childForFieldName("right") : null;
    const divisors = divisor === null ? [] : sizesIn(view, divisor, 0);
    return divisors.length === 0 ? [] : [{ node, divisors }];
  });
}

/** Parameters of the launch behind an expression; none where more than those and numbers is in it. */
function sizesIn(view: TritonView, node: SyntaxNode, depth: number): readonly string[] {
  const found: string[] = [];
  for (const { text } of node.descendantsOfType("identifier")) {
    const parameter = view.parameters.find(({ name }) => name === text);
    const value = onlyAssignment(view.body, text)?.childForFieldName("right");
    if (parameter !== undefined && !parameter.constexpr) {
      if (parameter.pointer) return [];
      found.push(text);
    } else if (value && depth < DEPTH) found.push(...sizesIn(view, value, depth + 1));
  }
  return node.descendantsOfType("call").length > 0 ? [] : found;
}

/** The share of the kernel's instructions that stands in statements that divide. */
function shareOf(input: RuleInput, divisions: readonly Division[]): number {
  const statements = new Map(divisions.map(({ node }) => [statementOf(node).id, statementOf(node)]));
  const rows = new Map([...statements.values()].map((node) => [lineOf(node), node]));
  const spent = [...rows.values()].reduce((sum, node) => sum + issuedIn(countsOf(input, node)), 0);
  return shareSaved(spent, issuedIn(input.counters.totals));
}

/** `width` → `width: tl.constexpr`. */
function constantEdits(view: TritonView, names: readonly string[]): readonly TextEdit[] | RuleHold {
  const parameters = partsOf(view.definition.childForFieldName("parameters"));
  const edits: TextEdit[] = [];
  for (const name of names) {
    const node = parameters.find((each) => parameterName(each) === name);
    if (node === undefined) return not("unreadable", `${name} is not seen among the parameters`, view.line);
    const held = noConstant(view, name);
    if (held !== undefined) return held;
    const value = node.childForFieldName("value")?.text;
    edits.push(replaceNode(node, `${name}: ${constexprOf(view)}${value === undefined ? "" : ` = ${value}`}`));
  }
  return edits;
}

/** A name that the kernel changes, or asks for a member of, is no constant. */
function noConstant({ body }: TritonView, name: string): RuleHold | undefined {
  const use = usesOf(body, name).find(({ parent, id }) => {
    const given = /assignment|for_statement/.test(parent?.type ?? "");
    const isLeft = given && parent?.childForFieldName("left")?.id === id;
    return isLeft || (parent?.type === "attribute" && compact(parent) !== `${name}.dtype`);
  });
  return use && not("dependence", `the kernel changes ${name}, or asks for a member of it`, use);
}
