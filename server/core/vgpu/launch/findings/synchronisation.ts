import { lanes, staticLayout, warpLayout } from "../../layout";
import { waysOf } from "../../library/races/race-words";
import type { AsyncCopies } from "./copies";
import { type Known, join } from "./knowledge";
import type { Machine } from "../machine/machine";
import { NarrowReleases } from "./narrow-releases";
import { Releases } from "./releases";
import type { WarpClocks } from "./warp-clocks";

/**
 * Locations that a block has read relaxed and that are kept until its next fence; with more they are acquired
 * at once.
 */
const mostPending = 4096;

/** What is kept of a block while it runs. */
class BlockOrder {
  /**
   * What its warps have made known by fences: to their own block, and to all; and where the last fence stands
   * if it was for the block alone. Replaced when it grows.
   */
  fenced:
    | { readonly within: Known; readonly all: Known | undefined; readonly narrowAt: number | undefined }
    | undefined;
  /** Locations that it has read relaxed: the next fence acquires what was released there. */
  readonly pending = new Set<number>();
  /** Of its barrier objects, by address: the last group of copies of each warp that has arrived. */
  readonly delivered = new Map<number, Known>();
}

/**
 * Fences and the accesses that synchronise: what they tell warps of their own block, and blocks of each
 * other.
 */
export class Synchronisation {
  readonly releases = new Releases();
  readonly narrow = new NarrowReleases();
  private readonly blocks = new Map<number, BlockOrder>();
  /** Releases so far, and the last acquisition. */
  private released = 0;
  private last = { warp: 0, address: 0, released: -1 };

  constructor(
    private readonly machine: Machine,
    private readonly clocks: WarpClocks,
    private readonly copies: AsyncCopies,
  ) {}

  /** A block has come to its end. */
  end(block: number): void {
    this.releases.end(block);
    this.narrow.end(block);
    this.blocks.delete(block);
  }

  /** Called for `orderEvents.fence`. */
  fence(warp: number, isForAll: boolean, location: number): void {
    const order = this.orderOf(this.clocks.blockOf(warp));
    this.acquirePending(warp, order);
    const known = this.clocks.knownOf(warp).slice(0, this.machine.layout.warpCount);
    const { within, all } = order.fenced ?? {};
    order.fenced = {
      within: joined(known, within),
      all: isForAll ? joined(known, all) : all,
      narrowAt: isForAll || location < 0 ? undefined : location,
    };
    this.clocks.write(this.machine.base, staticLayout.fences, 1);
  }

  /** Called for `orderEvents.synchronize`. */
  synchronize(warp: number, address: number, ways: number): void {
    const block = this.clocks.blockOf(warp);
    const order = this.orderOf(block);
    if (ways & waysOf.acquire) this.acquire(warp, address);
    if (ways & waysOf.acquireLater && order.pending.add(address).size > mostPending)
      this.acquirePending(warp, order);
    if (ways & (waysOf.release | waysOf.copies)) this.released += 1;
    if (ways & waysOf.copies) this.deliver(warp, order, address);
    const { fenced } = order;
    if ((ways & waysOf.release) === 0 || !fenced) return;
    if (fenced.all)
      this.releases.release(block, address, {
        known: fenced.all,
        warp: this.clocks.read(warp, warpLayout.warpIndex),
        interval: this.clocks.read(warp, warpLayout.interval),
      });
    this.releases.releaseWithin(block, address, fenced.within);
    if (fenced.narrowAt !== undefined)
      this.narrow.release(address, { block, known: fenced.within, location: fenced.narrowAt });
  }

  private orderOf(block: number): BlockOrder {
    const order = this.blocks.get(block) ?? new BlockOrder();
    this.blocks.set(block, order);
    return order;
  }

  /** A barrier object learns of the copies that a warp has started. */
  private deliver(warp: number, { delivered }: BlockOrder, address: number): void {
    const groups = delivered.get(address) ?? new Uint32Array(lanes);
    delivered.set(address, groups);
    const own = this.clocks.read(warp, warpLayout.warpIndex);
    groups[own] = Math.max(groups[own] ?? 0, this.copies.latest(warp));
  }

  private acquire(warp: number, address: number): void {
    const { last, released } = this;
    // A thread that waits acquires the same again and again.
    if (last.warp === warp && last.address === address && last.released === released) return;
    this.last = { warp, address, released };
    const block = this.clocks.blockOf(warp);
    this.narrow.hear(block, address);
    const delivered = this.blocks.get(block)?.delivered.get(address);
    if (delivered) join(this.clocks.vector(warp, warpLayout.copies), delivered);
    if (this.releases.acquire(block, address)) this.clocks.write(this.machine.base, staticLayout.acquired, 1);
    const within = this.releases.withinAt(block, address);
    if (within) this.clocks.tell(warp, within);
  }

  private acquirePending(warp: number, { pending }: BlockOrder): void {
    for (const address of pending) this.acquire(warp, address);
    pending.clear();
  }
}

/** The greater numbers of both, in an array of their own. */
function joined(known: Known, before: Known | undefined): Known {
  const all = known.slice();
  if (before) join(all, before);
  return all;
}
