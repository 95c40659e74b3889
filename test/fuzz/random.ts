/** Numbers that follow from a seed alone, so that every input of a fuzz run can be made again. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = (seed ^ 0x9e37_79b9) >>> 0;
  }

  /** 32 bits. */
  bits(): number {
    this.state = (this.state + 0x6d2b_79f5) >>> 0;
    let value = this.state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return (value ^ (value >>> 14)) >>> 0;
  }

  /** A whole number from 0 to below `limit`; 0 when there is none. */
  below(limit: number): number {
    return limit > 0 ? this.bits() % limit : 0;
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }
}
