import { cudaAccesses } from "../../../../language/cuda/body/accesses";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { constantNamed, type Constants, constantValue } from "../../../../language/cuda/constants";
import { enclosing, isInside, lineOf, usesOf } from "../../../../language/query";
import { editedTree, replaceNode, type TextEdit } from "../../edits";
import { evidenceFor } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { threadsCooperate } from "../elements/element-work";
import { loopReach } from "../elements/item-loops";
import { cudaKernel, type KernelView } from "../kernel";
import { carriedValues } from "../rows/carried-values";
import { gridEdit } from "./grid-edit";
import { splitRows } from "./split-rows";
import { launchedBlocks, rowOfThreads } from "./block-shape";

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
  const most = threshold(entry, "multiprocessors");
  if (blocks === undefined) return not("no-pattern", "the grid follows from the sizes", launch.call);
  if (blocks >= most)
    return not("no-evidence", `${blocks} blocks give every multiprocessor one`, launch.call);
  const gain = 1 - blocks / most;
  const wanted = most * threshold(entry, "blocksEach");
  const grid = overTheGrid(input, view, { wanted, stated: blocksOf(launch) !== undefined });
  const rows = isNot(grid) ? splitRows(input, view, Math.ceil(wanted / blocks)) : grid;
  const edits = isNot(rows) ? grid : rows;
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
    gain,
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

interface Wanted {
  readonly wanted: number;
  /** True where the source says how many blocks there are. */
  readonly stated: boolean;
}

function overTheGrid(
  input: RuleInput,
  view: KernelView,
  { wanted, stated }: Wanted,
): readonly TextEdit[] | RuleHold {
  if (!stated) return not("no-rewrite", "the grid follows from the sizes", view.line);
  const more = view.launches[0]?.grid.slice(1).some(({ text }) => text !== "1");
  if (more === true) return not("launch", "the grid has more than one dimension", view.line);
  const block = rowOfThreads(input, view);
  const threads = isNot(block) ? undefined : block.sizes[0];
  const loop = countedLoops(view.body).find((each) => loopReach(view, each, threads) !== undefined);
  if (loop === undefined) return not("no-rewrite", "no loop walks over the block or the grid", view.line);
  const held = threadsCooperate(view, { sums: true }) ?? tiedToGrid(view, loop);
  if (held !== undefined) return held;
  const grid = gridEdit(input, view, () => [String(wanted), "1", "1"]);
  if (isNot(grid)) return grid;
  const { start, step } = loop;
  if (loopReach(view, loop, threads) === "grid" || step.amount === undefined) return [grid];
  return [
    grid,
    replaceNode(start, "blockIdx.x * blockDim.x + threadIdx.x"),
    replaceNode(step.amount, "blockDim.x * gridDim.x"),
  ];
}

/** Something that another grid would change, beside the loop. */
function tiedToGrid(view: KernelView, counted: CountedLoop): RuleHold | undefined {
  const held = carriesOn(view, counted);
  if (held !== undefined) return held;
  const [use] = [...usesOf(counted.body, "blockIdx"), ...usesOf(counted.body, "gridDim")];
  return use && not("dependence", `${use.text} is used in the loop`, use);
}

/** What a thread hands on from one turn to the next, or does beside the loop. */
function carriesOn(view: KernelView, { loop, body, variable }: CountedLoop): RuleHold | undefined {
  const outer = enclosing(loop, "for_statement", "while_statement", "do_statement");
  if (outer !== undefined) return not("dependence", "the loop stands in another one", outer);
  const carried = carriedValues(body, variable);
  if (isNot(carried)) return carried;
  const [value] = carried;
  if (value !== undefined) return not("dependence", `${value.name} is used behind the loop`, loop);
  const { accesses, atomics } = cudaAccesses(view.kernel);
  const store = [...accesses, ...atomics].find(({ node, stores }) => stores && !isInside(node, loop));
  return store && not("dependence", `${store.base} is stored outside of the loop`, store.node);
}
