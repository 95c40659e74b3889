import type { TextEdit } from "../../../edits";
import { replaceNumber } from "../../../edits";
import { targetGpu } from "../../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../../rule";
import { threadsCooperate } from "../../elements/element-work";
import type { KernelView } from "../../kernel";
import { literalBehind, rowOfThreads, servesOtherKernel } from "../block-shape";
import { specFixesGrid } from "../grid-edit";
import { followingGrid, tiedToBlock } from "../widen-block";

/** Blocks of whole warps, the largest first: as long as there is one for every multiprocessor. */
const sizes = [128, 64, 32] as const;

/**
 * Smaller blocks for a kernel of few threads, each of which is no more than its number in the grid: more
 * multiprocessors get some of them.
 * @param blocks as many as the launch has
 */
export function smallerBlocks(
  input: RuleInput,
  view: KernelView,
  blocks: number,
): readonly TextEdit[] | RuleHold {
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  const { launch, sizes: extents } = block;
  const threads = extents[0];
  const most = targetGpu(input).multiprocessors;
  const size = sizes.find((each) => blocks * threads >= each * most) ?? 32;
  if (size >= threads) return not("no-evidence", `a block has ${threads} threads`, view.line);
  const held = specFixesGrid(input, view)
    ? not("fixed-elsewhere", "the kernel spec fixes the grid, which would have to follow", view.line)
    : (threadsCooperate(view, { sums: true }) ?? tiedToBlock(view));
  if (held !== undefined) return held;
  if (launch === undefined) return not("launch", "the kernel has more than one launch", view.line);
  const literal = literalBehind(launch.block[0], launch.names);
  if (literal === undefined) return not("launch", "the block is computed at the launch", launch.call);
  const served = literal.name === undefined ? undefined : servesOtherKernel(view, literal.name);
  if (served !== undefined) return served;
  const grid = followingGrid(launch, { place: 0, literal, side: size });
  return grid === undefined
    ? not("launch", "the grid does not follow the block, rounded up", launch.call)
    : [replaceNumber(literal.node, size), ...grid];
}
