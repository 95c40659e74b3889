import { collapse, fieldText, lineOf, operands } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../edits";
import { countsOf, evidenceFor, gainOn } from "../evidence";
import { isNot, not, type RuleHold } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import {
  isCallOf,
  keyword,
  languageCalls,
  onlyAssignment,
  positional,
  statementOf,
  tritonKernel,
  type TritonView,
} from "./kernel";

const reductions: Readonly<Record<string, string>> = {
  atomic_add: "sum",
  atomic_max: "max",
  atomic_min: "min",
};

/** Lanes of a program that add to one address: the program combines them, and adds once. */
export const sumFirst = defineRule("triton-sum-first", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const [call] = languageCalls(view, Object.keys(reductions));
  if (call === undefined) return not("no-pattern", "the kernel has no atomics", view.line);
  const { globalAtomics, globalAtomicPasses: value } = countsOf(input, statementOf(call));
  const crowded = value / Math.max(1, globalAtomics);
  if (crowded < threshold(entry, "ratio")) return not("no-evidence", "few lanes add at the same time", call);
  const gain = gainOn(input, ["atomics", "latency", "l2"], 1 - 1 / crowded);
  const facts = { file: input.file, line: lineOf(call), counter: "globalAtomicPasses" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal: globalAtomics });
  const edits = combinedFirst(view, call);
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  const hypothesis = fillSentence(entry.hypothesis, {});
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

function combinedFirst(view: TritonView, call: SyntaxNode): readonly TextEdit[] | RuleHold {
  const [pointer, value, ...others] = positional(call);
  const [, reduction] = Object.entries(reductions).find(([name]) => isCallOf(view, call, name)) ?? [];
  if (pointer === undefined || value === undefined || others.length > 0 || reduction === undefined)
    return not("no-rewrite", "the atomic's mask is passed by position", call);
  if (call.parent?.type !== "expression_statement")
    return not("dependence", "what the atomic returns is used", call);
  const address = onlyAddress(view, pointer);
  if (address === undefined)
    return not("no-rewrite", `${collapse(pointer.text)} is not seen to be one address`, pointer);
  const mask = keyword(call, "mask");
  if (mask !== undefined && reduction !== "sum")
    return not("no-rewrite", "a masked lane would take part in the reduction", mask);
  const combined = { name: reduction, value, mask };
  return [
    replaceNode(pointer, address),
    replaceNode(value, combinedText(call, combined)),
    ...withoutMask(mask),
  ];
}

interface Combined {
  readonly name: string;
  readonly value: SyntaxNode;
  readonly mask: SyntaxNode | undefined;
}

/** `tl.sum(tl.where(mask, value, 0))`, with the name that the kernel knows the language by. */
function combinedText(call: SyntaxNode, { name, value, mask }: Combined): string {
  const module = fieldText(call.childForFieldName("function"), "object");
  const dot = module === "" ? "" : `${module}.`;
  const text = collapse(value.text);
  return `${dot}${name}(${mask === undefined ? text : `${dot}where(${mask.text}, ${text}, 0)`})`;
}

function withoutMask(mask: SyntaxNode | undefined): readonly TextEdit[] {
  const argument = mask?.parent;
  const before = argument?.previousNamedSibling;
  return argument && before ? [{ start: before.endIndex, end: argument.endIndex, text: "" }] : [];
}

/** `pointer + zeros`: the pointer that all lanes have in common. */
function onlyAddress(view: TritonView, node: SyntaxNode, depth = 0): string | undefined {
  if (node.type === "identifier" && depth < 4) {
    const value = onlyAssignment(view.body, node.text)?.childForFieldName("right");
    return value ? onlyAddress(view, value, depth + 1) : undefined;
  }
  const terms = operands(node, "+");
  const rest = terms.filter((term) => !isZero(view, term, 0));
  const [pointer] = rest;
  const parameter = view.parameters.some(({ name }) => name === pointer?.text);
  return rest.length === 1 && rest.length < terms.length && parameter ? pointer?.text : undefined;
}

/** `tl.zeros(…)`, `offsets * 0`, or a name of one of them. */
function isZero(view: TritonView, term: SyntaxNode, depth: number): boolean {
  if (isCallOf(view, term, "zeros") || isCallOf(view, term, "zeros_like")) return true;
  if (operands(term, "*").some(({ type, text }) => type === "integer" && text === "0")) return true;
  if (term.type === "call" && /\.to$/.test(fieldText(term, "function"))) {
    const inner = term.childForFieldName("function")?.childForFieldName("object");
    return !!inner && isZero(view, inner, depth);
  }
  const value =
    term.type === "identifier" ? onlyAssignment(view.body, term.text)?.childForFieldName("right") : null;
  return !!value && depth < 4 && isZero(view, value, depth + 1);
}
