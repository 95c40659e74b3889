import { countedLoops } from "../../../../language/cuda/body/loops";
import { lineOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { threadsCooperate } from "../elements/element-work";
import { cudaKernel, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { factorOf, gridEdits } from "../launch/grid-edit";
import { crossedElements } from "./crossed-elements";
import { dealtLoop } from "./dealt-loop";
import { type RowNumber, rowNumber, rowWalk } from "./row-number";
import { type RowLoop, rowLoops, shortRun, storesOutside, wasteOfRows } from "./thread-rows";

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
  const short = shortRun(view, threads);
  if (short !== undefined) return short;
  const found = dealt(input, view, { row, threads });
  return isNot(found)
    ? { ...found, gain: gainOn(input, ["dram", "l2", "l1", "latency"], 1 - 1 / ratio) }
    : proposal(input, entry, { view, row, ...found });
});

/**
 * The same where rows are of different length: a thread that is done no longer waits for its neighbours, as
 * they all work on the same row. With short rows several of them share a warp.
 */
export const warpPerUnevenRow = defineRule("cuda-warp-per-uneven-row", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  const sizes = isNot(block) ? undefined : block.sizes;
  const threads = sizes && sizes[0] * sizes[1] * sizes[2];
  const row = rowNumber(view, sizes);
  if (isNot(row)) return row;
  const uneven = unevenLoop(input, view, entry);
  if (uneven === undefined) return not("no-evidence", "no loop leaves lanes of a warp waiting", view.line);
  const { gain } = uneven;
  const answers = [8, warp].map((lanes) => {
    const found = dealt(input, view, { row, threads, lanes, uneven: true });
    return isNot(found)
      ? { ...found, gain }
      : unevenProposal(input, entry, { view, row, ...found, ...uneven });
  });
  return answers.some((each) => each.kind === "proposal") ? answers : answers.slice(0, 1);
});

interface UnevenLoop {
  readonly loop: SyntaxNode;
  /** Lane slots that were issued, and those that a thread used. */
  readonly value: number;
  readonly ideal: number;
  readonly gain: number;
}

/** The loop of the body that leaves most lanes of a warp without work. */
function unevenLoop(input: RuleInput, view: KernelView, entry: RuleEntry): UnevenLoop | undefined {
  const counted = countedLoops(view.body).map(({ loop }) => ({ loop, counts: countsOf(input, loop) }));
  const idle = counted.map(({ loop, counts: { instructions, threadInstructions } }) => ({
    ...{ loop, value: instructions, ideal: Math.ceil(threadInstructions / warp) },
  }));
  const [worst] = idle.sort((a, b) => b.value - b.ideal - (a.value - a.ideal));
  if (worst === undefined || worst.value < threshold(entry, "ratio") * worst.ideal) return undefined;
  const share = shareSaved(worst.value - worst.ideal, input.counters.totals.instructions);
  return share < threshold(entry, "shareLeast")
    ? undefined
    : { ...worst, gain: gainOn(input, ["issue", "latency", "l1", "l2", "special", "fp32"], share) };
}

function unevenProposal(
  input: RuleInput,
  entry: RuleEntry,
  { loop, value, ideal, gain, ...found }: UnevenLoop & Found,
): RuleAnswer {
  const facts = { file: input.file, line: lineOf(loop), counter: "instructions" as const, value, ideal };
  return {
    kind: "proposal",
    tree: editedTree(input, edits(found)),
    hypothesis: fillSentence(entry.hypothesis, { row: found.row.name, lanes: found.lanes }),
    evidence: evidenceFor(entry, facts),
    gain: found.lanes === warp ? gain : gain * 0.99,
  };
}

type Found = Dealt & { readonly view: KernelView; readonly row: RowNumber };

interface Dealt {
  readonly loops: readonly RowLoop[];
  /** Neighbouring lanes that share a row. */
  readonly lanes: number;
  /** Statements that one lane alone does. */
  readonly alone: readonly SyntaxNode[];
  /** What lets enough warps take the rows: a larger grid, or a loop of each warp over rows. */
  readonly launch: readonly TextEdit[];
}

function dealt(
  input: RuleInput,
  view: KernelView,
  {
    row,
    threads,
    lanes = warp,
    uneven = false,
  }: {
    readonly row: RowNumber;
    readonly threads: number | undefined;
    readonly lanes?: number;
    readonly uneven?: boolean;
  },
): Dealt | RuleHold {
  const loops = rowLoops(input, view, { row, uneven });
  if (isNot(loops)) return loops;
  const held = threadsCooperate(view, { sums: true }) ?? crossedElements(view, loops);
  if (held !== undefined) return held;
  const alone = storesOutside(view, loops);
  if (isNot(alone)) return alone;
  if (threads === undefined || threads % warp !== 0)
    return not("launch", "the block is not known to be whole warps", view.line);
  if (row.ofBlock === true) return { loops, lanes, alone, launch: [] };
  const grid = gridEdits(input, view, ([x, y, z]) => [`${factorOf(x)} * ${lanes}`, y, z]);
  if (!isNot(grid)) return { loops, lanes, alone, launch: grid };
  if (row.statement.type === "for_statement") return { loops, lanes, alone, launch: [] };
  const walk = rowWalk(view, row, lanes);
  return isNot(walk)
    ? { ...grid, sentence: `${grid.sentence}, and ${walk.sentence}` }
    : { loops, lanes, alone, launch: walk };
}

function proposal(input: RuleInput, entry: RuleEntry, found: Found): RuleAnswer {
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

function edits(found: Found): readonly TextEdit[] {
  const { view, row, lanes, loops, alone, launch } = found;
  const names = {
    lane: freshName(view.source, "lane"),
    mask: lanes === warp ? "0xffffffffu" : freshName(view.source, "mask"),
    lanes,
  };
  const indent = indentOf(view.source, row.statement);
  const bits = `${2 ** lanes - 1}u << threadIdx.x % ${warp} / ${lanes} * ${lanes}`;
  const masked = lanes === warp ? "" : `const unsigned ${names.mask} = ${bits};\n${indent}`;
  return [
    insertBefore(row.statement, `const int ${names.lane} = threadIdx.x % ${lanes};\n${indent}${masked}`),
    ...row.counts.map((node) => replaceNode(node, `(${node.text}) / ${lanes}`)),
    ...loops.flatMap((loop) => dealtLoop(view, loop, names)),
    ...alone.map((statement) => insertBefore(statement, `if (${names.lane} == 0) `)),
    ...launch,
  ];
}
