import { collapse, lineOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { type LinearSearch, linearSearches, saysSorted } from "./linear-search";

const warp = 32;

/**
 * Halves what is left of a sorted array in each turn, where a loop looked at one element after the other. Of
 * sorted elements both end at the same place; whether they are sorted, the source or the kernel spec says.
 */
export const binarySearch = defineRule("cuda-binary-search", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const searches = linearSearches(view.body);
  const [first] = searches;
  if (first === undefined)
    return not("no-pattern", "no loop looks for a place in an array, element by element", view.line);
  const long = searches.filter(({ loop }) => turnsOf(input, loop) >= threshold(entry, "turns"));
  const [search] = [...long].sort((a, b) => turnsOf(input, b.loop) - turnsOf(input, a.loop));
  if (search === undefined) return not("no-evidence", "the searches end after a few elements", first.loop);
  const value = countsOf(input, search.loop).instructions;
  const turns = turnsOf(input, search.loop);
  const ideal = Math.ceil((value / turns) * Math.ceil(Math.log2(turns + 1) + 1));
  const gain = gainOn(input, ["issue", "integer", "latency", "l1"], shareSaved(value - ideal, value));
  const held = heldBack(input, view, search);
  if (held !== undefined) return { ...held, gain };
  const array = arrayOf(search);
  const facts = { file: input.file, line: lineOf(search.loop), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, [replaceNode(search.loop, halved(view.source, search))]),
    hypothesis: fillSentence(entry.hypothesis, { array }),
    evidence: evidenceFor(entry, { ...facts, value, ideal }, { array, turns: Math.round(turns) }),
    gain,
  };
});

/** Turns of a warp in a loop, by its branches. */
function turnsOf(input: RuleInput, loop: SyntaxNode): number {
  const { branches } = countsOf(input, loop);
  const launched = input.launches?.reduce(
    (sum, { blocks, threadsPerBlock, times }) => sum + times * blocks * Math.ceil(threadsPerBlock / warp),
    0,
  );
  return launched === undefined || launched === 0 ? 0 : branches / launched;
}

function arrayOf({ element }: LinearSearch): string {
  return collapse(element.childForFieldName("argument")?.text ?? element.text);
}

function heldBack(input: RuleInput, view: KernelView, search: LinearSearch): RuleHold | undefined {
  const { bound, loop, start } = search;
  if (bound === undefined)
    return not("no-rewrite", "nothing in the loop says where the array ends", search.comparison);
  if (start?.type === "declaration" && search.found.length === 0)
    return not("no-pattern", "the place that is found is not kept", loop);
  // Who looks at the last element before knows that no other one is greater.
  if (bound.by === "loop" && !isSorted(input, view, arrayOf(search)))
    return not("dependence", `nothing says that ${arrayOf(search)} is sorted`, search.element);
  return undefined;
}

/** Whether its name, comments or the kernel spec say that an array ascends. */
function isSorted({ spec }: RuleInput, { source }: KernelView, array: string): boolean {
  const distribution = spec.inputs[array]?.distribution;
  if (distribution === "sorted") return true;
  if (typeof distribution === "object" && distribution.kind === "range" && distribution.sorted === true)
    return true;
  if (typeof distribution === "object" && distribution.kind === "offsets") return true;
  return saysSorted(source, array);
}

/** The loop's text with two ends that come together. */
function halved(source: string, search: LinearSearch): string {
  const { loop, index, start, bound, found, equalTo, element } = search;
  if (bound === undefined) return loop.text;
  const [low, high, middle] = ["low", "high", "middle"].map((name) => freshName(source, name)) as [
    string,
    string,
    string,
  ];
  const indent = indentOf(source, loop);
  const { isWithin } = bound;
  const lines = [
    `if (${isWithin}) {`,
    `    auto ${low} = ${index};`,
    `    decltype(${low}) ${high} = ${bound.end};`,
    `    while (${low} < ${high}) {`,
    `        const auto ${middle} = ${low} + (${high} - ${low}) / 2;`,
    `        if (${passedAt(source, search, middle)}) ${low} = ${middle} + 1; else ${high} = ${middle};`,
    "    }",
    `    ${index} = ${low};`,
    "}",
  ];
  if (start === undefined && found.length === 0) return lines.join(`\n${indent}`);
  const first = start === undefined ? [] : [collapse(start.text).replace(/;?$/, ";")];
  const isFound = equalTo === undefined ? isWithin : `${isWithin} && ${element.text} == ${equalTo.text}`;
  const then = found.length === 0 ? [] : [`if (${isFound}) { ${found.map(({ text }) => text).join(" ")} }`];
  const inner = [...first, ...lines, ...then].map((line) => `    ${line}`);
  return ["{", ...inner, "}"].join(`\n${indent}`);
}

/** The condition under which the search goes on behind an element, by the element's number. */
function passedAt(source: string, search: LinearSearch, number: string): string {
  const { comparison, element, equalTo, ends, index } = search;
  const at = (node: SyntaxNode): string =>
    editedText(
      source,
      { start: node.startIndex, end: node.endIndex },
      usesOf(node, index).map((use) => replaceNode(use, number)),
    );
  if (equalTo !== undefined) return `${at(element)} < ${equalTo.text}`;
  return ends ? `!(${at(comparison)})` : at(comparison);
}
