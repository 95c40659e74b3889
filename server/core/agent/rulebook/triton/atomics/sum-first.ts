import { collapse, fieldText, lineOf, operands } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import {
  isCallOf,
  maskOf,
  languageCalls,
  onlyAssignment,
  positional,
  statementOf,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { type Dependences, dependencesOf } from "../spread/dependence";
import { isZero } from "./zeros";

const reductions: Readonly<Record<string, string>> = {
  atomic_add: "sum",
  atomic_max: "max",
  atomic_min: "min",
};

/** Lanes of a program that add to one address: the program combines them, and adds once. */
export const sumFirst = defineRule("triton-sum-first", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const calls = languageCalls(view, Object.keys(reductions));
  const [first] = calls;
  if (first === undefined) return not("no-pattern", "the kernel has no atomics", view.line);
  const least = threshold(entry, "ratio");
  const [call, ...others] = calls.filter((each) => crowdOf(input, each) >= least);
  if (call === undefined) return not("no-evidence", "few lanes add at the same time", first);
  const { globalAtomics, globalAtomicPasses: value } = countsOf(input, statementOf(call));
  const gain = gainOn(input, ["atomics", "latency", "l2"], 1 - 1 / crowdOf(input, call));
  const facts = { file: input.file, line: lineOf(call), counter: "globalAtomicPasses" as const };
  const evidence = evidenceFor(entry, { ...facts, value, ideal: globalAtomics });
  const edits: TextEdit[] = [];
  for (const each of [call, ...others]) {
    const combined = combinedFirst(view, each);
    if (isNot(combined)) return { ...combined, sentence: `${evidence.sentence}; ${combined.sentence}`, gain };
    edits.push(...combined);
  }
  const hypothesis = fillSentence(entry.hypothesis, {});
  return { kind: "proposal", tree: editedTree(input, edits), hypothesis, evidence, gain };
});

/** How many lanes add to an address at the same time. */
function crowdOf(input: RuleInput, call: SyntaxNode): number {
  const { globalAtomics, globalAtomicPasses } = countsOf(input, statementOf(call));
  return globalAtomicPasses / Math.max(1, globalAtomics);
}

function combinedFirst(view: TritonView, call: SyntaxNode): readonly TextEdit[] | RuleHold {
  const [pointer, value] = positional(call);
  const [, reduction] = Object.entries(reductions).find(([name]) => isCallOf(view, call, name)) ?? [];
  if (pointer === undefined || value === undefined || reduction === undefined)
    return not("unreadable", "the atomic names no address or no value", call);
  if (call.parent?.type !== "expression_statement")
    return not("dependence", "what the atomic returns is used", call);
  const address = onlyAddress(view, pointer);
  if (address === undefined)
    return not("no-rewrite", `${collapse(pointer.text)} is not seen to be one address`, pointer);
  const mask = maskOf(view, call);
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
  const argument = mask?.parent?.type === "keyword_argument" ? mask.parent : mask;
  const before = argument?.previousNamedSibling;
  return argument && before ? [{ start: before.endIndex, end: argument.endIndex, text: "" }] : [];
}

/** `pointer + channel + zeros`: the address that all lanes have in common. */
function onlyAddress(view: TritonView, pointer: SyntaxNode): string | undefined {
  const blocks = dependencesOf(view, (node) => {
    const made = ["arange", "zeros", "zeros_like", "full"].some((name) => isCallOf(view, node, name));
    return made ? { programs: false, lanes: true } : undefined;
  });
  const terms = commonTerms(view, blocks, pointer);
  const isBlock = blocks(pointer).lanes;
  return isBlock && terms !== undefined && terms.length > 0 ? terms.join(" + ") : undefined;
}

/** The terms of an address that are the same for all lanes; undefined where one is not. */
function commonTerms(
  view: TritonView,
  blocks: Dependences,
  node: SyntaxNode,
  depth = 0,
): readonly string[] | undefined {
  const found: string[] = [];
  for (const term of operands(node, "+")) {
    if (isZero(view, term)) continue;
    const value = isCallOf(view, term, "full") ? positional(term)[1] : undefined;
    const local =
      term.type === "identifier" ? onlyAssignment(view.body, term.text)?.childForFieldName("right") : null;
    const lanes = blocks(term).lanes && value === undefined;
    const inner = lanes && local && depth < 4 ? commonTerms(view, blocks, local, depth + 1) : undefined;
    if (lanes && inner === undefined) return undefined;
    found.push(...(inner ?? [(value ?? term).text]));
  }
  return found;
}
