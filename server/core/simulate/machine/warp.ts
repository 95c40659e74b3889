import { at } from "../../base/known";
import type { BlockWays } from "./ways/block-ways";
import { Scoreboards } from "./scoreboards";
import type { Turns } from "./ways/turns";
import { Walk } from "./ways/walk";
import type { Step, WarpProgram } from "./warp-program";

/** One block of threads on the multiprocessor. */
export interface ResidentBlock {
  warps: number;
  /** Warps that wait at its barrier, and since when the last has come. */
  readonly waiting: WarpState[];
  readonly ways: BlockWays;
}

/** A warp while it runs. */
export class WarpState {
  /** Not before this clock may the next step issue, by the stall count of the one before. */
  ready = 0;
  /** The clock of the last issue. */
  issued = 0;
  /** Not before this clock may it issue, by stall count, scoreboards and barrier. */
  free = 0;
  atBarrier = false;
  barrierUntil = 0;
  /** Index of the instruction that it issued last. */
  latestIndex = 0;
  readonly boards = new Scoreboards();
  readonly walk: Walk;

  constructor(
    program: WarpProgram,
    readonly resident: ResidentBlock,
    turns: Turns,
  ) {
    this.walk = new Walk(program, turns, resident.ways);
  }

  /** The next step, unless the warp has ended. */
  get step(): Step | undefined {
    return this.walk.step;
  }

  /** Finds `free` anew after an issue or an opened barrier. */
  renew(): void {
    const { boards, step } = this;
    this.free = Math.max(this.ready, this.barrierUntil);
    if (step === undefined) return;
    for (const board of step.waits) this.free = Math.max(this.free, at(boards.taken, board).until);
    if (step.atMost !== undefined) this.free = Math.max(this.free, boards.untilAtMost(step.atMost));
  }
}

/** Lets all warps of a block go on when the last has come. */
export function openBarrier(block: ResidentBlock, clock: number): void {
  if (block.waiting.length < block.warps || block.waiting.length === 0) return;
  for (const warp of block.waiting) {
    warp.atBarrier = false;
    warp.barrierUntil = clock;
    warp.renew();
  }
  block.waiting.length = 0;
}
