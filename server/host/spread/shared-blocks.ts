import { at } from "../../core/base/known";
import type { BlockShare } from "../../core/vgpu/index";

/**
 * Words of 64 bits: the next block to run, the block where they end, instructions run so far, and the most of
 * them.
 */
const place = { next: 0, end: 1, spent: 2, budget: 3 } as const;
const words = 4;
/** Ranges that each thread gets at the least, so that none waits long for another one's last. */
const rangesEach = 8;

/**
 * The blocks of one launch that several threads run. Ranges are taken in ascending order, so that every block
 * before one that faulted is run as well: the fault of the lowest block is found whatever the threads' speed.
 */
export class SharedBlocks implements BlockShare {
  private readonly values: BigInt64Array<SharedArrayBuffer>;
  private size = 1;

  constructor(
    readonly buffer: SharedArrayBuffer,
    private readonly threads: number,
  ) {
    this.values = new BigInt64Array(buffer);
  }

  static create(blocks: number, budget: number, threads: number): SharedBlocks {
    const buffer = new SharedArrayBuffer(8 * words);
    const values = new BigInt64Array(buffer);
    values[place.end] = BigInt(blocks);
    values[place.budget] = BigInt(budget);
    return new SharedBlocks(buffer, threads);
  }

  /** Blocks that no thread has taken yet. */
  get left(): number {
    return Math.max(0, Number(Atomics.load(this.values, place.end) - Atomics.load(this.values, place.next)));
  }

  /** Ranges grow from one block on, so that a short launch is not cut worse than a long one. */
  take(): { readonly from: number; readonly to: number } | undefined {
    const size = Math.max(1, Math.min(this.size, Math.floor(this.left / (rangesEach * this.threads))));
    this.size = 2 * size;
    const from = Number(Atomics.add(this.values, place.next, BigInt(size)));
    const end = Number(Atomics.load(this.values, place.end));
    return from < end ? { from, to: Math.min(from + size, end) } : undefined;
  }

  /** What is left of the budget: nothing where no block counts any more. */
  spend(instructions: number): number {
    if (Atomics.load(this.values, place.end) <= 0n) return 0;
    const spent = Atomics.add(this.values, place.spent, BigInt(instructions)) + BigInt(instructions);
    return Number(at(this.values, place.budget) - spent);
  }

  /** Lets no thread take this block or a later one any more. */
  endBefore(block: number): void {
    for (;;) {
      const end = Atomics.load(this.values, place.end);
      if (end <= BigInt(block) || Atomics.compareExchange(this.values, place.end, end, BigInt(block)) === end)
        return;
    }
  }
}
