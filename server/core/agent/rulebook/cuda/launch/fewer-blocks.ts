import { countedLoops } from "../../../../language/cuda/body/loops";
import { isInside } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import type { TextEdit } from "../../edits";
import { isNot, type RuleInput } from "../../rule";
import { isGlobalThreadIndex, isGridStride } from "../elements/item-loops";
import { formIn, type KernelView } from "../kernel";
import { rowOfThreads } from "./block-shape";
import { factorOf, gridEdits } from "./grid-edit";

/**
 * A cap on the blocks of a loop over the grid, so that each does more before it hands over what it found.
 * None where the loop around the statement, or the grid, is another one.
 */
export function fewerBlocks(
  input: RuleInput,
  view: KernelView,
  { statement, most }: { readonly statement: SyntaxNode; readonly most: number },
): readonly TextEdit[] {
  const block = rowOfThreads(input, view);
  const threads = isNot(block) ? undefined : block.sizes[0];
  const loop = countedLoops(view.body).find(
    ({ loop: node, start, step }) =>
      isInside(statement, node) &&
      step.amount !== undefined &&
      isGlobalThreadIndex(formIn(view, start), threads) &&
      isGridStride(formIn(view, step.amount), threads),
  );
  const launch = view.launches[0];
  if (loop === undefined || launch?.grid.slice(1).some(({ text }) => text !== "1") !== false) return [];
  const capped = (blocks: string): string => `${factorOf(blocks)} < ${most} ? ${factorOf(blocks)} : ${most}`;
  const grid = gridEdits(input, view, ([x]) => [capped(x), "1", "1"]);
  return isNot(grid) ? [] : grid;
}
