import { collapse, enclosing, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { positional, statementOf, tritonKernel, type TritonView } from "../kernel";
import { libraryOf } from "../spread/dimension";

/** `libdevice.pow(x, 6.0)` → products, and square roots for halves. */
export const expandPowerTriton = defineRule("triton-expand-power", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const powers = view.body.descendantsOfType("call").flatMap((call) => powerOf(call) ?? []);
  const [first] = powers;
  if (first === undefined) return not("no-pattern", "the kernel raises nothing to a fixed power", view.line);
  const rows = new Map(powers.map(({ call }) => [lineOf(call), statementOf(call)]));
  const value = [...rows.values()].reduce((sum, node) => sum + countsOf(input, node).instructions, 0);
  const share = shareSaved(value, input.counters.totals.instructions);
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", "powers take a small part of the instructions", first.call);
  const gain = gainOn(input, ["issue", "fp32", "special", "latency"], share);
  const facts = { file: input.file, line: lineOf(first.call), counter: "instructions" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal: Math.ceil(value / 10) });
  const edits = powerEdits(view, powers);
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, {});
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

interface Power {
  readonly call: SyntaxNode;
  readonly base: SyntaxNode;
  /** Twice the exponent, a whole number. */
  readonly halves: number;
}

/** `pow(x, 2.0)` of whatever library, with an exponent of halves up to 16. */
function powerOf(call: SyntaxNode): Power | undefined {
  const callee = call.childForFieldName("function")?.text ?? "";
  const [base, exponent] = positional(call);
  if (!/(?:^|\.)(?:pow|fast_powf)$/.test(callee) || base === undefined || exponent === undefined)
    return undefined;
  const halves = /^-?[\d.]+$/.test(exponent.text) ? Number(exponent.text) * 2 : Number.NaN;
  const known = Number.isInteger(halves) && halves !== 0 && Math.abs(halves) <= 32;
  return known ? { call, base, halves } : undefined;
}

function powerEdits(view: TritonView, powers: readonly Power[]): readonly TextEdit[] | RuleHold {
  const edits: TextEdit[] = [];
  const names: string[] = [];
  for (const { call, base, halves } of powers) {
    if (powers.some((other) => other.call.id !== call.id && enclosing(other.call, "call")?.id === call.id))
      return not("no-rewrite", "a power is raised to a power", call);
    const statement = enclosing(call, "expression_statement");
    if (statement === undefined) return not("no-rewrite", "a power decides what is done", call);
    let name = base.text;
    if (base.type !== "identifier") {
      name = freshName(`${view.source} ${names.join(" ")}`, "base");
      names.push(name);
      const text = `${name} = ${collapse(base.text)}\n${indentOf(view.source, statement)}`;
      edits.push({ start: statement.startIndex, end: statement.startIndex, text });
    }
    edits.push(replaceNode(call, `(${powerText(name, halves, libraryOf(view))})`));
  }
  return edits;
}

function powerText(name: string, halves: number, library: string): string {
  const whole = Math.floor(Math.abs(halves) / 2);
  const root = Math.abs(halves) % 2 === 1 ? [`${library}sqrt(${name})`] : [];
  const product = [...(whole === 0 ? [] : [productText(name, whole)]), ...root].join(" * ");
  return halves < 0 ? `1.0 / (${product})` : product;
}

/** `(x * x) * (x * x)`: the compiler makes equal halves once. */
function productText(name: string, times: number): string {
  if (times === 1) return name;
  const half = Math.floor(times / 2);
  const square = `${inBrackets(name, half)} * ${inBrackets(name, half)}`;
  return times % 2 === 0 ? square : `${square} * ${name}`;
}

function inBrackets(name: string, times: number): string {
  return times === 1 ? name : `(${productText(name, times)})`;
}
