import { last } from "../../../../../base/known";
import { compact, lineOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../../evidence";
import { isNot, not, type RuleAnswer, type RuleInput } from "../../../rule";
import { defineRule, fillSentence, type RuleEntry } from "../../../rule-table";
import { alsoInFunctions } from "../../called-views";
import { cudaKernel, type KernelView } from "../../kernel";
import { keptEdits, type SteadyArray, steadyArrays } from "./steady-arrays";
import { type SteadyElement, steadyElements } from "./steady-elements";

const LOOPS = ["for_statement", "while_statement", "do_statement"];

interface Found {
  readonly view: KernelView;
  readonly loop: SyntaxNode;
  readonly elements: readonly [SteadyElement, ...SteadyElement[]];
}

/**
 * Sums in registers instead of elements of global memory: loaded before the loop, stored behind it. Arrays of
 * different parameters are taken not to overlap.
 */
export const accumulateInRegister = defineRule("cuda-accumulate-in-register", (input, entry) => {
  const view = cudaKernel(input);
  return isNot(view) ? view : alsoInFunctions(view, (each) => accumulated(input, entry, each));
});

function accumulated(input: RuleInput, entry: RuleEntry, view: KernelView): RuleAnswer {
  // The outermost loop whose turns all change the element: there it stays longest in its register.
  const found = view.body.descendantsOfType(LOOPS).map((loop) => ({ loop, ...steadyElements(view, loop) }));
  for (const { loop, elements } of found) {
    const [first, ...more] = elements;
    if (first !== undefined) return answer(input, entry, { view, loop, elements: [first, ...more] });
  }
  const rows = found.map(({ loop }) => steadyArrays(view, loop)).find((arrays) => arrays.length > 0);
  if (rows !== undefined) return answerOfArrays(input, entry, { view, arrays: rows });
  const [held] = found.flatMap((each) => each.held ?? []);
  return held ?? not("no-pattern", "no loop adds to an element that stays the same", view.line);
}

function answer(input: RuleInput, entry: RuleEntry, found: Found): RuleAnswer {
  const { view, loop, elements } = found;
  const [first] = elements;
  const value = countsOf(input, loop).globalStoreRequests;
  if (value === 0) return not("no-evidence", "the loop's stores were not counted", first.element);
  const element = listed(elements.map(({ text }) => text));
  const facts = {
    ...{ file: input.file, line: lineOf(first.element), counter: "globalStoreRequests" as const },
    ...{ value, ideal: 0 },
  };
  const { totals } = input.counters;
  const requests = totals.globalLoadRequests + totals.globalStoreRequests;
  return {
    kind: "proposal",
    tree: editedTree(input, edits(view, found)),
    hypothesis: fillSentence(entry.hypothesis, { element }),
    evidence: evidenceFor(entry, facts, { element }),
    gain: gainOn(input, ["dram", "l2", "l1", "latency"], shareSaved(2 * value, requests)),
  };
}

interface FoundArrays {
  readonly view: KernelView;
  readonly arrays: readonly SteadyArray[];
}

/** The same of a few elements that an inner loop walks through in each turn. */
function answerOfArrays(input: RuleInput, entry: RuleEntry, { view, arrays }: FoundArrays): RuleAnswer {
  const [first] = arrays[0]?.uses ?? [];
  const loop = arrays[0]?.loop ?? view.body;
  const value = countsOf(input, loop).globalStoreRequests;
  if (value === 0 || first === undefined)
    return not("no-evidence", "the loop's stores were not counted", loop);
  const element = listed(arrays.flatMap(({ uses: [use] }) => (use === undefined ? [] : [compact(use.node)])));
  const facts = { file: input.file, line: lineOf(first.node), counter: "globalStoreRequests" as const };
  const { totals } = input.counters;
  const requests = totals.globalLoadRequests + totals.globalStoreRequests;
  return {
    kind: "proposal",
    tree: editedTree(input, keptEdits(view, arrays)),
    hypothesis: fillSentence(entry.hypothesis, { element }),
    evidence: evidenceFor(entry, { ...facts, value, ideal: 0 }, { element }),
    gain: gainOn(input, ["dram", "l2", "l1", "latency"], shareSaved(2 * value, requests)),
  };
}

/** `a`, `a and b`, `a, b and c`. */
function listed(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${last(texts)}`;
}

function edits({ source }: KernelView, { loop, elements }: Found): readonly TextEdit[] {
  const indent = indentOf(source, loop);
  const braces = loop.parent?.type !== "compound_statement";
  let taken = source;
  const named = elements.map((each) => {
    const name = freshName(taken, "partial");
    taken += ` ${name}`;
    return { ...each, name };
  });
  const loads = named.flatMap(({ name, type, element, before, guard }) => {
    const value = guard === undefined ? element.text : `${guarded(guard)} ? ${element.text} : 0`;
    return before === undefined ? [`${type} ${name} = ${value};\n${indent}`] : [];
  });
  const stores = named.map(
    ({ name, element, guard }) =>
      `\n${indent}${guard === undefined ? "" : `if (${guard}) `}${element.text} = ${name};`,
  );
  const { endIndex } = loop;
  return [
    insertBefore(loop, `${braces ? "{ " : ""}${loads.join("")}`),
    ...named.flatMap(({ name, type, before }) => begun(before, `${type} ${name}`)),
    ...named.flatMap(({ name, uses }) => uses.map((use) => replaceNode(use, name))),
    { start: endIndex, end: endIndex, text: `${stores.join("")}${braces ? " }" : ""}` },
  ];
}

function guarded(condition: string): string {
  return /^\w+$/.test(condition) ? condition : `(${condition})`;
}

/** `element = value;` in front of the loop as the start of the register, which is stored behind it anyway. */
function begun(before: SyntaxNode | undefined, declarator: string): readonly TextEdit[] {
  const target = before?.namedChildren[0]?.childForFieldName("left");
  return target ? [replaceNode(target, declarator)] : [];
}
