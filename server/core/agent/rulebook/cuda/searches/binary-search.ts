import { calledFunctions, declaredName } from "../../../../language/cuda/body/threads";
import { collapse, compact, fieldText, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, editedTree, freshName, indentOf, replaceNode } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput, type RuleProposal } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, estimatedValue, type KernelView } from "../kernel";
import { type LinearSearch, linearSearches } from "./linear-search";
import { placeSearches, type PlaceSearch } from "./place-search";
import { placeSearchEdit } from "./place-search-text";
import { isSorted, isStatedSorted, sortedCheck } from "./sorted-arrays";

const warp = 32;

/**
 * Halves what is left of a sorted array in each turn, where a loop looked at one element after the other. Of
 * sorted elements both end at the same place; whether they are sorted, the source or the kernel spec says, or
 * the threads of a block see for themselves.
 */
export const binarySearch = defineRule("cuda-binary-search", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const plain = firstBeyond(input, view, entry);
  if (!isNot(plain)) return plain;
  return anyPlace(input, view, entry) ?? plain;
});

/** The answer for loops that end at the first element beyond a value. */
function firstBeyond(input: RuleInput, view: KernelView, entry: RuleEntry): RuleAnswer {
  const searches = linearSearches(view.body);
  const [first] = searches;
  if (first === undefined)
    return not("no-pattern", "no loop looks for a place in an array, element by element", view.line);
  const long = searches.filter(({ loop }) => turnsOf(input, loop) >= threshold(entry, "turns"));
  const [search] = [...long].sort((a, b) => turnsOf(input, b.loop) - turnsOf(input, a.loop));
  if (search === undefined) return not("no-evidence", "the searches end after a few elements", first.loop);
  const array = arrayOf(search);
  const saved = savedBy(input, search.loop, { entry, array, turns: turnsOf(input, search.loop) });
  const held = heldBack(input, view, search);
  if (held !== undefined) return { ...held, gain: saved.gain };
  return {
    ...{ kind: "proposal", ...saved },
    tree: editedTree(input, [replaceNode(search.loop, halved(view.source, search))]),
  };
}

/** What a loop's search by halves would save. */
function savedBy(
  input: RuleInput,
  loop: SyntaxNode,
  { entry, array, turns }: { readonly entry: RuleEntry; readonly array: string; readonly turns: number },
): Pick<RuleProposal, "hypothesis" | "evidence" | "gain"> {
  const value = countsOf(input, loop).instructions;
  const ideal = Math.ceil((value / turns) * Math.ceil(Math.log2(turns + 1) + 1));
  const facts = { file: input.file, line: lineOf(loop), counter: "instructions" as const };
  return {
    hypothesis: fillSentence(entry.hypothesis, { array }),
    evidence: evidenceFor(entry, { ...facts, value, ideal }, { array, turns: Math.round(turns) }),
    gain: gainOn(input, ["issue", "integer", "latency", "l1"], shareSaved(value - ideal, value)),
  };
}

/**
 * The answer for loops of which one place of an array that ascends is all that matters, or how many elements
 * lie in front of it; undefined where there is none.
 */
function anyPlace(input: RuleInput, view: KernelView, entry: RuleEntry): RuleAnswer | undefined {
  const functions = calledFunctions(view.model, view.kernel);
  const searches = [view.body, ...functions].flatMap((part) =>
    placeSearches(part).map((search) => ({ search, part, turns: placesPassed(input, view, search) })),
  );
  const [longest] = searches.sort((a, b) => b.turns - a.turns);
  if (longest === undefined) return undefined;
  const { search, part, turns } = longest;
  if (turns < threshold(entry, "turns"))
    return not("no-evidence", "the searches end after a few elements", search.loop);
  const saved = savedBy(input, search.loop, { entry, array: search.name, turns });
  const isOwn = part.id === view.body.id;
  const names = isOwn ? [search.name] : passedAs(view, part, search.name);
  const isStated = names.length > 0 && names.every((name) => isStatedSorted(input, view, name));
  const check = isStated || !isOwn ? undefined : sortedCheck(view, search);
  const said = isStated || (names.length > 0 && names.every((name) => isSorted(input, view, name)));
  if (!said && (check === undefined || isRanking(search)))
    return {
      ...not("dependence", `nothing says that ${search.name} is sorted`, search.element),
      gain: saved.gain,
    };
  const { startIndex } = view.body;
  const asked = check && { start: startIndex + 1, end: startIndex + 1, text: check.text };
  const edits = [...(asked ? [asked] : []), placeSearchEdit(view.source, search, check?.name)];
  return { kind: "proposal", ...saved, tree: editedTree(input, edits) };
}

/** Elements that a warp looks at in a loop: as many as its branches, or as its bounds say. */
function placesPassed(input: RuleInput, view: KernelView, search: PlaceSearch): number {
  const { loop, start, bound } = search;
  const [first, last] = [start && estimatedValue(view, start), estimatedValue(view, bound)];
  const written = first === undefined || last === undefined ? 0 : Math.abs(last - first);
  return Math.max(turnsOf(input, loop), countsOf(input, loop).instructions > 0 ? written : 0);
}

/** A count of the smaller elements for each element of the same array: ranks, of what is in no order. */
function isRanking({ name, compared, meaning }: PlaceSearch): boolean {
  return meaning.kind !== "around" && compact(compared.value).startsWith(`${name}[`);
}

/** What the kernel hands a function of its own in the place of a parameter. */
function passedAs(view: KernelView, definition: SyntaxNode, parameter: string): readonly string[] {
  const list = definition.descendantsOfType("parameter_list")[0];
  const place = partsOf(list).findIndex(
    (each) => each.descendantsOfType("identifier").at(-1)?.text === parameter,
  );
  if (place < 0) return [parameter];
  const name = declaredName(definition);
  return view.body
    .descendantsOfType("call_expression")
    .filter((call) => fieldText(call, "function") === name)
    .map((call) => compact(partsOf(call.childForFieldName("arguments"))[place]));
}

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
