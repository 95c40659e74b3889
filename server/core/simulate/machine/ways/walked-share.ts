import type { WarpProgram } from "../warp-program";
import { BlockWays } from "./block-ways";
import type { Turns } from "./turns";
import { Walk } from "./walk";

/** The blocks that one multiprocessor has run, and those of the whole launch. */
interface WalkedBlocks {
  readonly program: WarpProgram;
  readonly warpsPerBlock: number;
  readonly blocks: number;
  readonly allBlocks: number;
  /** Instructions that are simulated at most. */
  readonly budget: number;
}

/** The share by which the blocks of one multiprocessor may differ from the average of the launch. */
const mostOff = 0.25;

/**
 * Instructions issued over those that the counts give. Where the blocks that ran differ from the average, as
 * those that have a tile do, the ways of further blocks of the launch are walked as well.
 */
export function walkedShare(work: WalkedBlocks, turns: Turns, issued: number): number {
  const { program, warpsPerBlock, allBlocks, budget } = work;
  const perBlock = warpsPerBlock * Math.max(1, program.length);
  let { blocks } = work;
  if (Math.abs(issued / (blocks * perBlock) - 1) <= mostOff) return issued / (blocks * perBlock);
  let walked = issued;
  for (; blocks < allBlocks && walked < budget; blocks += 1) {
    const together = new BlockWays(turns, program.blocks.length);
    for (let warp = 0; warp < warpsPerBlock; warp += 1)
      walked += stepsOf(new Walk(program, turns, together), budget);
  }
  return walked / (blocks * perBlock);
}

/** The steps of a warp until it ends, so many at most. */
function stepsOf(walk: Walk, most: number): number {
  let steps = 0;
  for (; walk.step !== undefined && steps < most; steps += 1) walk.advance();
  return steps;
}
