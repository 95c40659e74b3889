import { constantNamed, type Constants, constantValue } from "../../../../../language/cuda/constants";
import { lineOf } from "../../../../../language/query";
import { editedTree } from "../../../edits";
import { evidenceFor, targetGpu } from "../../../evidence";
import { isNot, not } from "../../../rule";
import { defineRule, fillSentence, threshold } from "../../../rule-table";
import { cudaKernel, type KernelView } from "../../kernel";
import { launchedBlocks } from "../block-shape";
import { overTheGrid } from "./over-the-grid";
import { smallerBlocks } from "./smaller-blocks";
import { splitRows } from "./split-rows";

/**
 * Launches enough blocks for every multiprocessor where the source says a few: a loop over the grid takes
 * whatever grid there is, and a loop over the block becomes one over the grid.
 */
export const fillGpu = defineRule("cuda-fill-gpu", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const [launch] = view.launches;
  if (launch === undefined) return not("launch", "no launch of the kernel stands in its file", view.line);
  const blocks = blocksOf(launch) ?? launchedBlocks(input, view);
  const most = targetGpu(input).multiprocessors;
  if (blocks === undefined) return not("no-pattern", "the grid follows from the sizes", launch.call);
  if (blocks >= most)
    return not("no-evidence", `${blocks} blocks give every multiprocessor one`, launch.call);
  const gain = 1 - blocks / most;
  const each = threshold(entry, "blocksEach");
  const grid = overTheGrid(input, view, { each, stated: blocksOf(launch) !== undefined });
  const rows = isNot(grid) ? splitRows(input, view, each) : grid;
  const smaller = isNot(rows) ? smallerBlocks(input, view, blocks) : rows;
  const edits = isNot(smaller) ? grid : smaller;
  if (isNot(edits)) return { ...edits, gain };
  const facts = {
    ...{ file: input.file, line: lineOf(launch.call), counter: "instructions" as const },
    ...{ value: blocks, ideal: most },
  };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, facts),
    // A rewrite that gives each of the threads' tasks to more of them fills the GPU, too, and comes first.
    gain: isNot(rows) ? 0.9 * gain : gain,
  };
});

function blocksOf({ grid, names }: KernelView["launches"][number]): number | undefined {
  const sizes = grid.map(({ text }) => constantValue(text, names) ?? capOf(text, names));
  return sizes.length > 0 && sizes.every((size) => size !== undefined)
    ? sizes.reduce((product, size) => product * size, 1)
    : undefined;
}

const leastOf = /^(?:std::|::)?min(?:<[^<>]*>)?\((.*)\)$/;

/** The number that `min(blocks, 4)` never passes, also through names. */
function capOf(text: string, names: Constants): number | undefined {
  let whole = text;
  for (let step = 0; step < 8 && /^[A-Za-z_]\w*$/.test(whole); step += 1)
    whole = constantNamed(names, whole)?.text ?? "";
  const inside = leastOf.exec(whole)?.[1] ?? "";
  const comma = [...inside].findIndex((sign, place) => sign === "," && isOutermost(inside.slice(0, place)));
  const sides = comma < 0 ? [] : [inside.slice(0, comma), inside.slice(comma + 1)];
  const caps = sides.flatMap((side) => constantValue(side.trim(), names) ?? []);
  return caps.length === 0 ? undefined : Math.min(...caps);
}

/** True where every parenthesis of a text is closed in it. */
function isOutermost(text: string): boolean {
  return text.split("(").length === text.split(")").length;
}
