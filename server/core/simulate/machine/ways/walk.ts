import { at } from "../../../base/known";
import type { BlockWays } from "./block-ways";
import type { Turns } from "./turns";
import type { Step, WarpProgram } from "../warp-program";

/** Calls within calls that are kept: functions that call themselves are not simulated deeper. */
const deepest = 64;

/** A warp's way through the machine code: each way out of a block when its turn has come. */
export class Walk {
  /** The next step, unless the warp has ended. */
  step: Step | undefined;
  private block = 0;
  private place = 0;
  private readonly left: Float64Array;
  /** Blocks that have called what runs. */
  private readonly callers: number[] = [];
  /** How often the warp has come to a branch that all warps of its block take together. */
  private readonly visits = new Map<number, number>();

  constructor(
    private readonly program: WarpProgram,
    private readonly turns: Turns,
    private readonly together: BlockWays,
  ) {
    this.left = new Float64Array(program.blocks.length);
    this.settle();
  }

  /** Goes on to the next step; true when a branch was taken. */
  advance(): boolean {
    const before = this.block;
    this.place += 1;
    this.settle();
    return this.block !== before && this.block !== before + 1;
  }

  /** Whether a memory instruction asks for anything this time, as often as a share says. */
  asks(index: number, share: number): boolean {
    return this.turns.asks(index, share);
  }

  private settle(): void {
    for (let hops = 0; hops <= this.program.blocks.length; hops += 1) {
      const { steps, calls } = at(this.program.blocks, this.block);
      this.step = steps[this.place];
      if (this.step !== undefined) return;
      if (calls !== undefined && this.callers.length < deepest) this.callers.push(this.block);
      const next = calls ?? this.behind(this.block);
      if (next < 0) return;
      this.block = next;
      this.place = 0;
    }
  }

  /** Where a block leads; at the end of a function behind the call. */
  private behind(block: number): number {
    const next = at(this.program.blocks, block).isOfAllWarps
      ? this.withBlock(block)
      : this.turns.next(block, this.left);
    const caller = next < 0 ? this.callers.pop() : undefined;
    return caller === undefined ? next : this.behind(caller);
  }

  private withBlock(block: number): number {
    const visit = this.visits.get(block) ?? 0;
    this.visits.set(block, visit + 1);
    return this.together.next(block, visit);
  }
}
