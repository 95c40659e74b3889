import { cudaAccesses } from "../../../../../language/cuda/body/accesses";
import { type CountedLoop, countedLoops } from "../../../../../language/cuda/body/loops";
import { enclosing, isInside, usesOf } from "../../../../../language/query";
import { replaceNode, type TextEdit } from "../../../edits";
import { isNot, not, type RuleHold, type RuleInput } from "../../../rule";
import { threadsCooperate } from "../../elements/element-work";
import { loopReach } from "../../elements/item-loops";
import type { KernelView } from "../../kernel";
import { carriedValues } from "../../rows/carried-values";
import { fillingBlocks } from "../asked-grid";
import { rowOfThreads } from "../block-shape";
import { gridEdits, onlyLaunch } from "../grid-edit";
import { mergesParts } from "./merged-parts";
import { rowsInTurn } from "./rows-in-turn";

interface Wanted {
  /** Blocks for each multiprocessor. */
  readonly each: number;
  /** True where the source says how many blocks there are. */
  readonly stated: boolean;
}

/** Threads that a multiprocessor should have, where its blocks are small. */
const threadsEach = 1024;

/** A loop that may be dealt out to another grid, and how far it reaches as it is. */
interface Dealt {
  readonly loop: CountedLoop;
  readonly reach: "rows" | "grid" | "block";
  /** Threads of a block, where they lie along one axis. */
  readonly threads: number | undefined;
}

/**
 * A loop over the elements of the whole grid, or of the block, or over rows that blocks take in turn, as one
 * over as many blocks as fill the GPU; a guard's answer where another grid would change what is computed.
 */
export function overTheGrid(
  input: RuleInput,
  view: KernelView,
  { each, stated }: Wanted,
): readonly TextEdit[] | RuleHold {
  if (!stated) return not("no-rewrite", "the grid follows from the sizes", view.line);
  const more = view.launches[0]?.grid.slice(1).some(({ text }) => text !== "1");
  if (more === true) return not("launch", "the grid has more than one dimension", view.line);
  const dealt = dealtLoop(input, view);
  if (isNot(dealt)) return dealt;
  const launch = onlyLaunch(input, view);
  if (isNot(launch)) return launch;
  const { loop, reach, threads = threadsEach } = dealt;
  const blocksEach = Math.max(each, Math.floor(threadsEach / Math.max(64, threads)));
  const asked = { input, view, launch, each: blocksEach, together: reach !== "rows" };
  const filling = fillingBlocks(asked, loop);
  if (isNot(filling)) return filling;
  const grid = gridEdits(input, view, () => [filling.text, "1", "1"]);
  if (isNot(grid)) return grid;
  const { start, step } = loop;
  if (reach !== "block" || step.amount === undefined) return [...filling.edits, ...grid];
  return [
    ...filling.edits,
    ...grid,
    replaceNode(start, "blockIdx.x * blockDim.x + threadIdx.x"),
    replaceNode(step.amount, "blockDim.x * gridDim.x"),
  ];
}

function dealtLoop(input: RuleInput, view: KernelView): Dealt | RuleHold {
  const block = rowOfThreads(input, view);
  const threads = isNot(block) ? undefined : block.sizes[0];
  const rows = rowsInTurn(view);
  // The threads of a block may work together on a row, whichever block it is that takes it.
  if (rows !== undefined) return tiedToGrid(view, rows) ?? { loop: rows, reach: "rows", threads };
  for (const loop of countedLoops(view.body)) {
    const reach = loopReach(view, loop, threads);
    if (reach === undefined) continue;
    if (reach === "grid" && mergesParts(view, loop)) return { loop, reach, threads };
    return threadsCooperate(view, { sums: true }) ?? tiedToGrid(view, loop) ?? { loop, reach, threads };
  }
  return not("no-rewrite", "no loop walks over the block or the grid", view.line);
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
