import { lanes } from "../../layout";
import type { Known } from "./knowledge";

/** Locations that a block has read as volatile and not acquired yet, by the warps that have read them. */
export class VolatileReads {
  /** The interval of the first read, by location and warp. */
  private readonly reads = new Map<number, number>();

  get isEmpty(): boolean {
    return this.reads.size === 0;
  }

  get size(): number {
    return this.reads.size;
  }

  get addresses(): readonly number[] {
    return [...this.reads.keys()].map((key) => Math.floor(key / lanes));
  }

  add(address: number, warp: number, interval: number): void {
    const key = keyOf(address, warp);
    if (!this.reads.has(key)) this.reads.set(key, interval);
  }

  /** Takes out a warp's earlier read of a location if the warp has synchronised since. */
  isBehindFirst(address: number, warp: number, interval: number): boolean {
    const key = keyOf(address, warp);
    const first = this.reads.get(key);
    return first !== undefined && first < interval && this.reads.delete(key);
  }

  /**
   * Takes out the locations whose reads are over for a warp with the vector clock `known`: it has met the
   * reading warp since, or a fence or a barrier has ended its own interval. All when left out.
   */
  take(known?: Known): readonly number[] {
    const taken: number[] = [];
    for (const [key, interval] of this.reads) {
      if (known !== undefined && (known[key % lanes] ?? 0) < interval) continue;
      taken.push(Math.floor(key / lanes));
      this.reads.delete(key);
    }
    return taken;
  }
}

function keyOf(address: number, warp: number): number {
  return (address >>> 0) * lanes + warp;
}
