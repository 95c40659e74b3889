import { variesWithThread } from "../../../../language/cuda/body/threads";
import { enclosing, fieldText, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree } from "../../edits";
import { evidenceFor, gainOnHidden } from "../../evidence";
import { isNot, not } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { namedBy } from "../named";
import { chainEdits, digitChain } from "./index-chain";
import { wrappedDigits } from "./wrapped-digits";

const whole =
  /^(?:const |unsigned |signed )*(?:int|long|long long|size_t|u?int(?:32|64)_t|unsigned|uint|auto)$/;

/**
 * Numbers of threads that are taken apart by division by sizes of the launch: where the digits build up on
 * each other, one division is made for each of them.
 */
export const countIndices = defineRule("cuda-count-indices", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const varies = variesWithThread(view.model, view.body, "x");
  const fractional = fractionsIn(view);
  const divisions = view.body.descendantsOfType("binary_expression").filter((node) => {
    if (fractional(node)) return false;
    const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
    if (!/^[/%]$/.test(fieldText(node, "operator")) || left === null || right === null) return false;
    return varies(left) && !varies(right) && view.scope.value(right) === undefined && isIndex(view, node);
  });
  const [first] = divisions;
  if (first === undefined) return not("no-pattern", "no index is divided by a size of the launch", view.line);
  const gain = gainOnHidden(input, threshold(entry, "share"), new Set(divisions.map(lineOf)));
  const chain = digitChain(view);
  const wrapped = wrappedDigits(view);
  if (chain === undefined && wrapped.length === 0)
    return namedBy(entry, { at: first, value: divisions.length, gain });
  const facts = { file: input.file, line: lineOf(first), counter: "instructions" as const };
  const ideal = chain === undefined ? divisions.length - wrapped.length : chain.digits.length - 1;
  const edits = [...(chain === undefined ? [] : chainEdits(view, chain)), ...wrapped];
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { count: ideal }),
    evidence: evidenceFor(entry, { ...facts, value: divisions.length, ideal }),
    gain,
  };
});

const fractionType = /\b(?:float|double|half|__half|__nv_bfloat16)\b/;

/** Tells of a division whether a number with a fraction takes part in it, by names and literals. */
function fractionsIn({ kernel, body }: KernelView): (division: SyntaxNode) => boolean {
  const parameters = kernel.facts.parameters.filter(({ type }) => fractionType.test(type));
  const locals = body
    .descendantsOfType("declaration")
    .filter((node) => fractionType.test(fieldText(node, "type")))
    .flatMap((node) => node.childrenForFieldName("declarator"))
    .flatMap((node) => (node.descendantsOfType("identifier")[0] ?? node).text);
  const names = new Set([...parameters.map(({ name }) => name), ...locals]);
  return (division) =>
    division.descendantsOfType("identifier").some(({ text }) => names.has(text)) ||
    division.descendantsOfType("number_literal").some(({ text }) => /^[\d.]*\.|^\d+e/i.test(text)) ||
    fractionType.test(division.text);
}

function isIndex({ model }: KernelView, node: SyntaxNode): boolean {
  if (enclosing(node, "subscript_expression") !== undefined) return true;
  const declaration = enclosing(node, "declaration");
  const written = fieldText(declaration, "type");
  return declaration !== undefined && (whole.test(written) || whole.test(model.types.get(written) ?? ""));
}
