import { countedLoops } from "../../../../language/cuda/body/loops";
import { isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { waveOf } from "../../../../timing/bound";
import type { TextEdit } from "../../edits";
import { targetGpu } from "../../evidence";
import { isNot, type RuleInput } from "../../rule";
import { isGlobalThreadIndex, isGridStride } from "../elements/item-loops";
import { formIn, type KernelView } from "../kernel";
import { rowOfThreads } from "./block-shape";
import { blocksInTurn } from "./block-turns";
import { rowsInTurn } from "./filling/rows-in-turn";
import { factorOf, gridEdits } from "./grid-edit";

/** Threads of a block that is not known. */
const usualThreads = 256;

/** Blocks that the GPU has room for at the same time: with fewer, less of what is waited for is hidden. */
function blocksAtOnce(input: RuleInput, { kernel }: KernelView, threadsPerBlock: number): number {
  const name = new RegExp(`(?:^|::)${kernel.facts.name}(?:<|$)`);
  const registersPerThread = input.facts.find((each) => name.test(each.kernel))?.registers ?? 0;
  const shape = { blocks: 1, threadsPerBlock, registersPerThread, sharedBytes: 0, footprintBytes: 0 };
  return waveOf(shape, targetGpu(input));
}

/**
 * A cap on the blocks of a loop over the grid, so that each does more before it hands over what it found.
 * None where the loop around the statement, or the grid, is another one.
 */
export function fewerBlocks(input: RuleInput, view: KernelView, statement: SyntaxNode): readonly TextEdit[] {
  const block = rowOfThreads(input, view);
  const threads = isNot(block) ? undefined : block.sizes[0];
  const rows = rowsInTurn(view);
  const most =
    rows === undefined
      ? blocksAtOnce(input, view, threads ?? usualThreads)
      : blocksInTurn(input, threads ?? usualThreads);
  const loop =
    rows ??
    countedLoops(view.body).find(
      ({ loop: node, start, step }) =>
        isInside(statement, node) &&
        step.amount !== undefined &&
        isGlobalThreadIndex(formIn(view, start), threads) &&
        isGridStride(formIn(view, step.amount), threads),
    );
  const launch = view.launches[0];
  // A text that is no number is no less than anything.
  const stated = Number(launch?.grid[0]?.text);
  if (stated <= most) return [];
  if (loop === undefined || launch?.grid.slice(1).some(({ text }) => text !== "1") !== false) return [];
  const capped = (blocks: string): string => `${factorOf(blocks)} < ${most} ? ${factorOf(blocks)} : ${most}`;
  const grid = gridEdits(input, view, ([x]) => [capped(x), "1", "1"]);
  return isNot(grid) ? [] : grid;
}
