import { at } from "../../../base/known";
import type { Turns } from "./turns";

/** The ways that all warps of one block of threads go: the first warp that comes to a branch chooses. */
export class BlockWays {
  private readonly taken = new Map<number, number[]>();
  private readonly left: Float64Array;

  constructor(
    private readonly turns: Turns,
    blocks: number,
  ) {
    this.left = new Float64Array(blocks);
  }

  /** Where a warp goes on that has come to the end of a block of machine code so many times before. */
  next(block: number, visit: number): number {
    const taken = this.taken.get(block) ?? [];
    this.taken.set(block, taken);
    while (taken.length <= visit) taken.push(this.turns.next(block, this.left));
    return at(taken, visit);
  }
}
