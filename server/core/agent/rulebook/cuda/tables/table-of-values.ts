import { enclosing, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { passedNumber } from "../launch/passed-argument";
import { entriesOf, filled, lookedUp, type Table } from "./table-text";
import {
  costlyCalls,
  hasSameNumbers,
  type TurnNumber,
  type TurnValue,
  turnValue,
  wholeValue,
} from "./turn-value";

/** A value that all threads of a block compute again for the same numbers. */
interface Value extends TurnValue {
  readonly node: SyntaxNode;
}

/**
 * Looks values of costly functions up in a table in shared memory that the block fills once, where every
 * thread computes them for all turns of the same loop. Numbers beyond the table are computed as before.
 */
export const tableOfValues = defineRule("cuda-table-of-values", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const values = valuesIn(view);
  const [first] = values;
  if (first === undefined)
    return not("no-pattern", "no costly value depends on the turn of a loop alone", view.line);
  const block = blockShape(input, view);
  const threads = isNot(block) ? 1 : block.sizes[0] * block.sizes[1] * block.sizes[2];
  if (threads < threshold(entry, "threadsLeast"))
    return not("launch", "the block is not known to have many threads", view.line);
  const lines = new Map(values.map(({ node }) => [lineOf(node), node]));
  const measured = [...lines.values()].map((node) => ({ node, value: countsOf(input, node).instructions }));
  const [worst] = [...measured].sort((one, other) => other.value - one.value);
  const all = measured.reduce((sum, { value }) => sum + value, 0);
  const kept = threshold(entry, "kept");
  const share = shareSaved(all * (1 - kept), input.counters.totals.instructions);
  if (worst === undefined || share < threshold(entry, "shareLeast"))
    return not("no-evidence", "computing the values again costs little", first.node);
  const gain = gainOn(input, ["issue", "fp32", "special", "integer"], share);
  const edits = tabulated(input, entry, { view, values, flat: !isNot(block) && block.sizes[0] === threads });
  if (isNot(edits)) return { ...edits, gain };
  const blanks = { number: first.numbers.map(({ text }) => text).join(" and ") };
  const facts = { file: input.file, line: lineOf(worst.node), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(
      entry,
      { ...facts, value: worst.value, ideal: Math.round(worst.value * kept) },
      blanks,
    ),
    gain,
  };
});

function valuesIn(view: KernelView): readonly Value[] {
  const found: Value[] = [];
  for (const call of costlyCalls(view)) {
    const own = turnValue(view, call);
    if (own === undefined || mayDoWithout(view, call, own)) continue;
    const whole = wholeValue(view, call, own);
    for (const node of furtherOn(view, whole, own) ?? [whole]) {
      const value = turnValue(view, node);
      if (value !== undefined && !found.some((each) => contains(each.node, node)))
        found.push({ node, ...value });
    }
  }
  return found.filter(({ node }) => !isForOthersAlone(view, node, found));
}

/** True for the value of a local that is used for other values alone. */
function isForOthersAlone(view: KernelView, node: SyntaxNode, found: readonly Value[]): boolean {
  const name = node.parent?.type === "init_declarator" ? node.parent.childForFieldName("declarator") : null;
  if (name?.type !== "identifier") return false;
  const uses = usesOf(view.body, name.text).filter(({ id }) => id !== name.id);
  return (
    uses.length > 0 &&
    uses.every((use) => found.some((each) => each.node.id !== node.id && contains(each.node, use)))
  );
}

/**
 * True where what is loaded decides in a turn whether the value is computed at all. Of a value that is loaded
 * itself any condition but one of the thread's own may keep it from elements that are not there.
 */
function mayDoWithout(view: KernelView, call: SyntaxNode, { numbers, loads: isLoaded }: TurnValue): boolean {
  if (isLoaded === true && isConditional(view, call, numbers)) return true;
  const choice = enclosing(call, "conditional_expression", "if_statement");
  const loads = choice?.childForFieldName("condition")?.descendantsOfType("subscript_expression") ?? [];
  return loads.length > 0 && numbers.some(({ loop }) => choice && isInside(choice, loop.body));
}

const choices = ["if_statement", "conditional_expression", "switch_statement", "while_statement"];

/** True for a condition in a turn of the loops, or around them one that says nothing of the thread. */
function isConditional(view: KernelView, call: SyntaxNode, numbers: readonly TurnNumber[]): boolean {
  for (let up = enclosing(call, ...choices); up !== undefined; up = enclosing(up, ...choices)) {
    const around = up;
    if (!isInside(around, view.body)) return false;
    const condition = around.childForFieldName("condition");
    if (numbers.some(({ loop }) => isInside(around, loop.body))) return true;
    if (condition === null || !hasThread(view, condition)) return true;
  }
  return false;
}

/** True where an expression depends on which thread it is, by names that are set once. */
function hasThread(view: KernelView, node: SyntaxNode, depth = 0): boolean {
  return node.descendantsOfType("identifier").some(({ text }) => {
    if (text === "threadIdx") return true;
    const meaning = view.scope.meaning(text);
    return typeof meaning === "object" && depth < 6 && hasThread(view, meaning, depth + 1);
  });
}

/**
 * The larger expressions of the same numbers that a local is a part of wherever it is used; undefined where a
 * use is no part of such. The local itself is then needed no longer.
 */
function furtherOn(
  view: KernelView,
  node: SyntaxNode,
  value: TurnValue,
  depth = 0,
): readonly SyntaxNode[] | undefined {
  const declarator = node.parent;
  const name = declarator?.type === "init_declarator" ? declarator.childForFieldName("declarator") : null;
  if (name?.type !== "identifier" || depth > 6 || typeof view.scope.meaning(name.text) !== "object")
    return undefined;
  const uses = usesOf(view.body, name.text).filter(({ id }) => id !== name.id);
  const wholes = uses.map((use) => {
    const whole = hasSameNumbers(value, turnValue(view, use)) ? wholeValue(view, use, value) : use;
    return whole.id === use.id ? undefined : whole;
  });
  const known = wholes.flatMap((whole) => whole ?? []);
  if (known.length === 0 || known.length < wholes.length) return undefined;
  return known.flatMap((whole) => furtherOn(view, whole, value, depth + 1) ?? [whole]);
}

function contains(outer: SyntaxNode, { startIndex, endIndex }: SyntaxNode): boolean {
  return outer.startIndex <= startIndex && endIndex <= outer.endIndex;
}

interface Asked {
  readonly view: KernelView;
  readonly values: readonly Value[];
  /** True where the block has one dimension. */
  readonly flat: boolean;
}

function tabulated(
  input: RuleInput,
  entry: RuleEntry,
  { view, values, flat }: Asked,
): readonly TextEdit[] | RuleHold {
  const { source, body } = view;
  const [first] = partsOf(body);
  if (first === undefined) return not("unreadable", "the kernel has no statement", view.line);
  const tables: Table[] = [];
  let taken = source;
  for (const value of values) {
    const same = tables.findIndex(({ value: known }) => isSameTable(known, value));
    const known = tables[same];
    if (known !== undefined) {
      tables[same] = { ...known, nodes: [...known.nodes, value.node] };
      continue;
    }
    const counts = countsOfNumbers(input, entry, { view, numbers: value.numbers });
    if (isNot(counts)) return counts;
    const [name, whole] = [freshName(taken, "valueOf"), freshName(taken, "holdsAll")];
    taken += ` ${name} ${whole} `;
    tables.push({ name, whole, value, counts, nodes: [value.node] });
  }
  const used = Math.max(0, ...input.facts.map((fact) => fact.sharedBytes));
  const bytes = 4 * tables.reduce((sum, { counts }) => sum + entriesOf(counts), 0);
  if (used + bytes > threshold(entry, "sharedBytesMost"))
    return not("limit", `the tables take ${bytes} bytes of shared memory`, first);
  const indent = indentOf(source, first);
  const lines = [...tables.flatMap((table) => filled(table, { source, flat })), "__syncthreads();"];
  return [
    insertBefore(first, `${lines.join(`\n${indent}`)}\n${indent}`),
    ...tables.flatMap((table) => table.nodes.map((node) => replaceNode(node, lookedUp(table, node)))),
  ];
}

/** True for values of the same numbers between the same ends. */
function isSameTable(one: TurnValue, other: TurnValue): boolean {
  const names = new Map(one.numbers.map(({ text }, place) => [text, `entry${place}`]));
  const ends = ({ numbers }: TurnValue): string => numbers.map(({ start, end }) => `${start}:${end}`).join();
  return (
    hasSameNumbers(one, other) && one.written(names) === other.written(names) && ends(one) === ends(other)
  );
}

interface Numbers {
  readonly view: KernelView;
  readonly numbers: readonly TurnNumber[];
}

/** How many entries a table has for each number. */
function countsOfNumbers(
  input: RuleInput,
  entry: RuleEntry,
  { view, numbers }: Numbers,
): readonly number[] | RuleHold {
  const [first, ...others] = numbers;
  if (first === undefined) return [];
  const turns = numbers.map((number) => longestTurns(input, view, number));
  const all = turns.every((each) => each !== undefined)
    ? turns.reduce((product, each) => product * each, 1)
    : undefined;
  if (all !== undefined && all < threshold(entry, "turnsLeast"))
    return not("no-pattern", "the loop has few turns", first.loop.loop);
  const counts =
    others.length === 0
      ? turns.map((each) => (each === undefined ? threshold(entry, "entries") : 32 * Math.ceil(each / 32)))
      : turns.map((each) => each ?? threshold(entry, "entriesEach"));
  return entriesOf(counts) <= threshold(entry, "entriesMost")
    ? counts
    : not("limit", `a table would have ${entriesOf(counts)} entries`, first.loop.loop);
}

/** The most turns that a loop has on the visible shapes, where that is known. */
function longestTurns(input: RuleInput, view: KernelView, { loop }: TurnNumber): number | undefined {
  const [from = [], to = []] = [loop.start, loop.bound].map((node) => {
    const constant = view.scope.value(node);
    if (constant !== undefined) return [constant];
    const position = view.kernel.facts.parameters.findIndex(({ name }) => name === node.text);
    return input.spec.shapes.flatMap((shape) => passedNumber(input, view, position, shape) ?? []);
  });
  return from.length > 0 && to.length > 0 ? Math.max(...to) - Math.min(...from) + 1 : undefined;
}
