import { constantOf } from "../../../../language/cuda/body/forms";
import { statementsOf } from "../../../../language/cuda/body/loops";
import { compact, lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { threadsCooperate } from "../elements/element-work";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { factorOf, gridEdit } from "../launch/grid-edit";
import { combinedByWarp } from "./carried-values";
import { rowWalk } from "./row-walk";
import {
  crossedElements,
  type RowLoop,
  rowLoops,
  type RowNumber,
  rowNumber,
  storesOutside,
  wasteOfRows,
} from "./thread-rows";

const warp = 32;

/**
 * Gives each row to a warp instead of one thread: lanes take the elements of the row in turn and combine what
 * they summed by shuffles. Every lane then has the same values as the thread had.
 */
export const warpPerRow = defineRule("cuda-warp-per-row", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  const sizes = isNot(block) ? undefined : block.sizes;
  const threads = sizes && sizes[0] * sizes[1] * sizes[2];
  const row = rowNumber(view, sizes);
  if (isNot(row)) return row;
  const { ratio, worst } = wasteOfRows(input, view);
  if (worst === undefined || ratio < threshold(entry, "ratio"))
    return not("no-evidence", "no loop moves many more sectors than it needs", worst ?? view.line);
  const found = dealt(input, view, { row, threads });
  return isNot(found)
    ? { ...found, gain: gainOn(input, ["dram", "l2", "l1", "latency"], 1 - 1 / ratio) }
    : proposal(input, entry, { view, row, ...found });
});

interface Dealt {
  readonly loops: readonly RowLoop[];
  /** Statements that one lane alone does. */
  readonly alone: readonly SyntaxNode[];
  /** What lets enough warps take the rows: a larger grid, or a loop of each warp over rows. */
  readonly launch: readonly TextEdit[];
}

function dealt(
  input: RuleInput,
  view: KernelView,
  { row, threads }: { readonly row: RowNumber; readonly threads: number | undefined },
): Dealt | RuleHold {
  const loops = rowLoops(input, view, row);
  if (isNot(loops)) return loops;
  const held = threadsCooperate(view, { sums: true }) ?? crossedElements(view, loops);
  if (held !== undefined) return held;
  const alone = storesOutside(view, loops);
  if (isNot(alone)) return alone;
  if (threads === undefined || threads % warp !== 0)
    return not("launch", "the block is not known to be whole warps", view.line);
  const grid = gridEdit(input, view, ([x, y, z]) => [`${factorOf(x)} * ${warp}`, y, z]);
  if (!isNot(grid)) return { loops, alone, launch: [grid] };
  if (row.statement.type === "for_statement") return { loops, alone, launch: [] };
  const walk = rowWalk(view, row);
  return isNot(walk)
    ? { ...grid, sentence: `${grid.sentence}, and ${walk.sentence}` }
    : { loops, alone, launch: walk };
}

function proposal(
  input: RuleInput,
  entry: RuleEntry,
  found: Dealt & { readonly view: KernelView; readonly row: RowNumber },
): RuleAnswer {
  const { view, loops } = found;
  const [value, ideal] = [sum(loops, "sectors"), sum(loops, "sectorsIdeal")];
  const first = loops[0]?.loop.loop;
  const facts = {
    ...{ file: input.file, line: first === undefined ? view.line : lineOf(first) },
    ...{ counter: "globalLoadSectors" as const, value, ideal },
  };
  const share = shareSaved(value - ideal, value);
  return {
    kind: "proposal",
    tree: editedTree(input, edits(found)),
    hypothesis: fillSentence(entry.hypothesis, { row: found.row.name }),
    evidence: evidenceFor(entry, facts),
    gain: gainOn(input, ["dram", "l2", "l1", "latency"], share),
  };
}

function sum(loops: readonly RowLoop[], field: "sectors" | "sectorsIdeal"): number {
  return loops.reduce((total, loop) => total + loop[field], 0);
}

function edits(found: Dealt & { readonly view: KernelView; readonly row: RowNumber }): readonly TextEdit[] {
  const { view, row, loops, alone, launch } = found;
  const lane = freshName(view.source, "lane");
  const indent = indentOf(view.source, row.statement);
  return [
    insertBefore(row.statement, `const int ${lane} = threadIdx.x % ${warp};\n${indent}`),
    ...row.counts.map((node) => replaceNode(node, `(${node.text}) / ${warp}`)),
    ...loops.flatMap((loop) => loopEdits(view, loop, lane)),
    ...alone.map((statement) => insertBefore(statement, `if (${lane} == 0) `)),
    ...launch,
  ];
}

function loopEdits(view: KernelView, { loop, carried }: RowLoop, lane: string): readonly TextEdit[] {
  const { start, update, variable } = loop;
  const from = constantOf(formIn(view, start)) === 0 ? lane : `${factorOf(start.text)} + ${lane}`;
  const indent = indentOf(view.source, loop.loop);
  const offset = freshName(view.source, "offset");
  const braces = loop.loop.parent?.type !== "compound_statement";
  const sums = carried.flatMap(({ name, combination, online, variance }) =>
    [...(combination === "sum" ? [name] : [online?.total, variance?.squares, variance?.count])].flatMap(
      (each) => each ?? [],
    ),
  );
  const seen = freshName(view.source, "seen");
  const uncounted = carried.some(({ variance }) => variance !== undefined && variance.count === undefined);
  const before = [
    ...(uncounted ? [`int ${seen} = 0;\n${indent}`] : []),
    ...sums.map((name) => `if (${lane} != 0) ${name} = 0;\n${indent}`),
  ];
  const after = carried.map((value) => `\n${indent}${combinedByWarp(value, offset, seen)}`);
  return [
    insertBefore(loop.loop, `${braces ? "{ " : ""}${before.join("")}`),
    replaceNode(start, from),
    replaceNode(update, `${variable} += ${warp}`),
    ...(uncounted ? countedApart(loop, seen) : []),
    { start: loop.loop.endIndex, end: loop.loop.endIndex, text: `${after.join("")}${braces ? " }" : ""}` },
  ];
}

/** `i + 1` of a mean as the number of elements that the lane has seen. */
function countedApart({ body, variable }: RowLoop["loop"], seen: string): readonly TextEdit[] {
  const counts = body
    .descendantsOfType("binary_expression")
    .filter((node) => [`${variable}+1`, `1+${variable}`].includes(compact(node).replace(/\.0*f?$/, "")));
  const [first] = statementsOf(body);
  return [
    ...counts.map((node) => replaceNode(node, seen)),
    ...(first === undefined ? [] : [insertBefore(first, `++${seen}; `)]),
  ];
}
