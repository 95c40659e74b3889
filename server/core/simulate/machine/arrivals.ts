/** Where the warps of all blocks arrive at barriers: one after the other. */
export class Arrivals {
  private free = 0;

  /** `clocks`: how long one warp takes. */
  constructor(private readonly clocks: number) {}

  /** When a warp has arrived that comes at a clock. */
  at(clock: number): number {
    this.free = Math.max(clock, this.free) + this.clocks;
    return this.free;
  }
}
