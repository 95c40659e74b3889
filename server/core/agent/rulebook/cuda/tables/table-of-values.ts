import { enclosing, isInside, lineOf, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { passedNumber } from "../launch/passed-argument";
import { costlyCalls, type TurnNumber, turnValue, wholeValue } from "./turn-value";

/** A value that all threads of a block compute again for the same numbers. */
interface Value {
  readonly node: SyntaxNode;
  readonly number: TurnNumber;
  readonly written: (name: string) => string;
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
  const blanks = { number: first.number.text };
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
  for (const call of costlyCalls(view.body)) {
    const number = turnValue(view, call)?.number;
    if (number === undefined || found.some(({ node }) => contains(node, call))) continue;
    const choice = enclosing(call, "conditional_expression", "if_statement");
    if (choice !== undefined && isInside(choice, number.loop.body)) continue;
    const node = wholeValue(view, call, number);
    const value = turnValue(view, node);
    if (value !== undefined) found.push({ node, ...value });
  }
  return found;
}

function contains(outer: SyntaxNode, { startIndex, endIndex }: SyntaxNode): boolean {
  return outer.startIndex <= startIndex && endIndex <= outer.endIndex;
}

interface Table {
  readonly name: string;
  readonly text: string;
  readonly count: number;
  readonly value: Value;
  readonly nodes: readonly SyntaxNode[];
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
  const place = freshName(source, "entry");
  const tables: Table[] = [];
  let taken = source;
  for (const value of values) {
    const text = value.written(place);
    const same = tables.findIndex((each) => each.text === text && each.value.number.end === value.number.end);
    const known = tables[same];
    if (known !== undefined) {
      tables[same] = { ...known, nodes: [...known.nodes, value.node] };
      continue;
    }
    const count = countOf(input, entry, { view, number: value.number });
    if (isNot(count)) return count;
    const name = freshName(taken, "valueOf");
    taken += ` ${name} `;
    tables.push({ name, text, count, value, nodes: [value.node] });
  }
  const used = Math.max(0, ...input.facts.map((fact) => fact.sharedBytes));
  const bytes = 4 * tables.reduce((sum, { count }) => sum + count, 0);
  if (used + bytes > threshold(entry, "sharedBytesMost"))
    return not("limit", `the tables take ${bytes} bytes of shared memory`, first);
  const indent = indentOf(source, first);
  const lines = [...tables.flatMap((table) => filled(table, { place, flat })), "__syncthreads();"];
  return [
    insertBefore(first, `${lines.join(`\n${indent}`)}\n${indent}`),
    ...tables.flatMap((table) => table.nodes.map((node) => replaceNode(node, lookedUp(table, node)))),
  ];
}

/** How many entries a table has: as many as the loop has turns on the visible shapes, where that is known. */
function countOf(
  input: RuleInput,
  entry: RuleEntry,
  { view, number }: { readonly view: KernelView; readonly number: TurnNumber },
): number | RuleHold {
  const { start, bound } = number.loop;
  const turns = [start, bound].map((node) => {
    const constant = view.scope.value(node);
    if (constant !== undefined) return [constant];
    const position = view.kernel.facts.parameters.findIndex(({ name }) => name === node.text);
    return input.spec.shapes.flatMap((shape) => passedNumber(input, view, position, shape) ?? []);
  });
  const [from = [], to = []] = turns;
  const longest = from.length > 0 && to.length > 0 ? Math.max(...to) - Math.min(...from) + 1 : undefined;
  if (longest === undefined) return threshold(entry, "entries");
  if (longest < threshold(entry, "turnsLeast"))
    return not("no-pattern", "the loop has few turns", number.loop.loop);
  const count = 32 * Math.ceil(longest / 32);
  return count <= threshold(entry, "entriesMost")
    ? count
    : not("limit", `a table would have ${count} entries`, number.loop.loop);
}

const flatThread = "threadIdx.x";
const anyThread = "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x";

function filled(
  { name, text, count, value: { number } }: Table,
  { place, flat }: { readonly place: string; readonly flat: boolean },
): readonly string[] {
  const step = flat ? "blockDim.x" : "blockDim.x * blockDim.y * blockDim.z";
  const { start, end, inclusive } = number;
  const [from, limit] = start === "0" ? [0, `${count}`] : [start, `(${start}) + ${count}`];
  const thread = flat ? flatThread : anyThread;
  const begin = from === 0 ? thread : `(${start}) + ${thread}`;
  const index = from === 0 ? place : `${place} - (${start})`;
  const inside = `${place} < ${limit} && ${place} ${inclusive ? "<=" : "<"} ${end}`;
  return [
    `__shared__ float ${name}[${count}];`,
    `for (int ${place} = ${begin}; ${inside}; ${place} += ${step})`,
    `  ${name}[${index}] = ${text};`,
  ];
}

/** The value out of the table, or computed where the table ends before. */
function lookedUp({ name, count, value: { number } }: Table, node: SyntaxNode): string {
  const own = number.start === "0" ? number.text : `${number.text} - (${number.start})`;
  return `(static_cast<unsigned>(${own}) < ${count}u ? ${name}[${own}] : ${node.text})`;
}
