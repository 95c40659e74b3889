/** Hands blocks out to one multiprocessor: those of all multiprocessors follow each other. */
export class BlockStarts {
  /** Blocks that were handed out. */
  count = 0;
  private next = 0;

  /** `interval`: clocks between two blocks of this multiprocessor. */
  constructor(private readonly interval: number) {}

  /** When a block begins that has room from a clock on. */
  begin(clock: number): number {
    const start = Math.max(clock, this.next);
    this.next = start + this.interval;
    this.count += 1;
    return start;
  }
}
