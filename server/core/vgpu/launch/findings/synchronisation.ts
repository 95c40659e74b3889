import { lanes, staticLayout, warpLayout } from "../../layout";
import { waysOf } from "../../library/races/race-words";
import type { AsyncCopies } from "./copies";
import { type Known, join, raise } from "./knowledge";
import type { LaunchState } from "../state/launch-state";
import { NarrowReleases } from "./narrow-releases";
import { Releases } from "./releases";
import type { WarpClocks } from "./warp-clocks";

/** Locations read relaxed that a block may keep for its next fence; with more they are acquired at once. */
const mostPending = 4096;

/** The order of one block while it runs. */
class BlockOrder {
  /**
   * Vector clocks at its fences: `within` for its own block, `all` for fences of a wider scope; `narrowAt`:
   * `.loc` index of the last fence if its scope was the block. Replaced, never changed.
   */
  fenced:
    | { readonly within: Known; readonly all: Known | undefined; readonly narrowAt: number | undefined }
    | undefined;
  /** Locations that it has read relaxed: its next fence acquires them. */
  readonly pending = new Set<number>();
  /** Of each barrier object (mbarrier), by address: the latest copy group of each warp that has arrived. */
  readonly delivered = new Map<number, Known>();
}

/** Happens-before by fences and synchronising accesses, between the warps of a block and between blocks. */
export class Synchronisation {
  readonly releases = new Releases();
  readonly narrow = new NarrowReleases();
  private readonly blocks = new Map<number, BlockOrder>();
  /** The number of releases, and the last acquisition. */
  private released = 0;
  private last = { warp: 0, address: 0, released: -1 };

  constructor(
    private readonly state: LaunchState,
    private readonly clocks: WarpClocks,
    private readonly copies: AsyncCopies,
  ) {}

  /** A block has ended. */
  end(block: number): void {
    this.releases.end(block);
    this.narrow.end(block);
    this.blocks.delete(block);
  }

  /** Called for `orderEvents.fence`. */
  fence(warp: number, isForAll: boolean, location: number): void {
    const order = this.orderOf(this.clocks.blockOf(warp));
    this.acquirePending(warp, order);
    const known = this.clocks.knownOf(warp).slice(0, this.state.plan.warpCount);
    const { within, all } = order.fenced ?? {};
    order.fenced = {
      within: joined(known, within),
      all: isForAll ? joined(known, all) : all,
      narrowAt: isForAll || location < 0 ? undefined : location,
    };
    this.clocks.write(this.state.base, staticLayout.fences, 1);
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

  /** A warp arrives at a barrier object with its copies. */
  private deliver(warp: number, { delivered }: BlockOrder, address: number): void {
    const groups = delivered.get(address) ?? new Uint32Array(lanes);
    delivered.set(address, groups);
    const own = this.clocks.read(warp, warpLayout.warpIndex);
    raise(groups, own, this.copies.latest(warp));
  }

  private acquire(warp: number, address: number): void {
    const { last, released } = this;
    // A spinning thread acquires the same release again and again.
    if (last.warp === warp && last.address === address && last.released === released) return;
    this.last = { warp, address, released };
    const block = this.clocks.blockOf(warp);
    this.narrow.hear(block, address);
    const delivered = this.blocks.get(block)?.delivered.get(address);
    if (delivered) join(this.clocks.vector(warp, warpLayout.copies), delivered);
    if (this.releases.acquire(block, address)) this.clocks.write(this.state.base, staticLayout.acquired, 1);
    const within = this.releases.withinAt(block, address);
    if (within) this.clocks.join(warp, within);
  }

  private acquirePending(warp: number, { pending }: BlockOrder): void {
    for (const address of pending) this.acquire(warp, address);
    pending.clear();
  }
}

/** The join of both, as a new vector clock. */
function joined(known: Known, before: Known | undefined): Known {
  const all = known.slice();
  if (before) join(all, before);
  return all;
}
