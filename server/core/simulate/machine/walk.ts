import { at } from "../../base/known";
import type { Step, WarpProgram } from "./warp-program";

/** Shares below this are rounding of the counts. */
const least = 1e-4;

/**
 * A warp's way through the machine code: each way out of a block as often as the counts say, the rarer one
 * when due.
 */
export class Walk {
  /** The next step, unless the warp has ended. */
  step: Step | undefined;
  private block = 0;
  private place = 0;
  private readonly due: Float64Array;
  private readonly guards = new Map<number, number>();

  /** `phase`: 0 to 1, the warp's place among those of its block. */
  constructor(
    private readonly program: WarpProgram,
    phase: number,
  ) {
    this.due = new Float64Array(program.blocks.length);
    for (const [n, { ways }] of program.blocks.entries()) if (ways[0]?.varies === true) this.due[n] = phase;
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
    if (share >= 1 - least) return true;
    const due = (this.guards.get(index) ?? 1 - share / 2) + share;
    this.guards.set(index, due >= 1 ? due - 1 : due);
    return due >= 1;
  }

  private settle(): void {
    for (let hops = 0; hops <= this.program.blocks.length; hops += 1) {
      const { steps } = at(this.program.blocks, this.block);
      this.step = steps[this.place];
      if (this.step !== undefined) return;
      const next = this.next();
      if (next < 0) return;
      this.block = next;
      this.place = 0;
    }
  }

  private next(): number {
    const { ways } = at(this.program.blocks, this.block);
    const [often, rare] = ways;
    if (often === undefined) return -1;
    if (rare === undefined || rare.share < least) return often.to;
    const share = rare.share / (often.share + rare.share);
    const due = at(this.due, this.block) + share;
    this.due[this.block] = due >= 1 - least ? due - 1 : due;
    return due >= 1 - least ? rare.to : often.to;
  }
}
