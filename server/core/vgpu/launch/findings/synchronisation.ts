import { lanes, staticLayout, warpLayout } from "../../layout";
import { waysOf } from "../../library/races/race-words";
import type { AsyncCopies } from "./copies";
import { type Known, join, raise } from "./knowledge";
import type { LaunchState } from "../state/launch-state";
import { NarrowReleases } from "./narrow-releases";
import { type Question, Releases } from "./releases";
import { VolatileReads } from "./volatile-reads";
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
  /** Locations that it has read as volatile. */
  readonly volatiles = new VolatileReads();
}

/** Happens-before by fences and synchronising accesses, between the warps of a block and between blocks. */
export class Synchronisation {
  readonly releases = new Releases();
  readonly narrow = new NarrowReleases();
  private readonly blocks = new Map<number, BlockOrder>();
  /** The number of releases, and the last acquisition. */
  private released = 0;
  private last = { warp: 0, address: 0, released: -1, isWhole: false };
  /**
   * By barrier object, copies that it has counted, of other blocks of a cluster too. Ids grow, so that what
   * an earlier block at the same place has left says nothing of newer ones.
   */
  private readonly delivered = new Map<number, Known>();

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
    const order = orderOf(this.blocks, this.clocks.blockOf(warp));
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
    const order = orderOf(this.blocks, block);
    if (ways & waysOf.acquire) this.acquire(warp, address);
    if (ways & waysOf.acquireStrongly) this.acquireStrongly(warp, order, address);
    if (ways & waysOf.acquireLater && order.pending.add(address).size > mostPending)
      this.acquirePending(warp, order);
    if (ways & (waysOf.release | waysOf.copies)) this.released += 1;
    if (ways & waysOf.copies) this.deliver(warp, address);
    const { fenced } = order;
    if ((ways & waysOf.release) === 0 || !fenced) return;
    // Whoever acquires it is ordered behind what was polled before.
    this.acquireVolatiles(order, block);
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

  /** A warp arrives at a barrier object with its copies. */
  private deliver(warp: number, address: number): void {
    const groups = this.delivered.get(address) ?? new Uint32Array(lanes);
    this.delivered.set(address, groups);
    const own = this.clocks.read(warp, warpLayout.warpIndex);
    raise(groups, own, this.copies.latest(warp));
  }

  /**
   * Acquires what volatile reads of a warp's block have met, `atOnce` or where a fence or a barrier has
   * followed; false where there is nothing more.
   */
  overtake(warp: number, atOnce: boolean): boolean {
    const block = this.clocks.blockOf(warp);
    const order = this.blocks.get(block);
    if (order === undefined || order.volatiles.isEmpty) return false;
    if (atOnce) return this.acquireVolatiles(order, block);
    const known = this.clocks.knownOf(warp);
    // Of its own intervals the current one is not over.
    known[this.clocks.read(warp, warpLayout.warpIndex)] = this.clocks.read(warp, warpLayout.interval) - 1;
    return this.acquireVolatiles(order, block, known);
  }

  /** Whether a fence behind a volatile read of the asking block would have ordered an interval before it. */
  lacksFence(question: Question): boolean {
    const read = this.blocks.get(question.block)?.volatiles.addresses ?? [];
    return read.some((address) => this.releases.tells(address, question));
  }

  private acquire(warp: number, address: number): void {
    if (!this.acquireWithin(warp, address, true)) return;
    this.acquireOthers(this.clocks.blockOf(warp), address);
  }

  /** What warps of the block have released is read in its own cache; that of others later, as a rule. */
  private acquireStrongly(warp: number, order: BlockOrder, address: number): void {
    const { sharedAt, plan } = this.state;
    if (address >= sharedAt && address < sharedAt + plan.sharedBytes) return this.acquire(warp, address);
    if (!this.acquireWithin(warp, address, false) || !this.releases.has(address)) return;
    const block = this.clocks.blockOf(warp);
    const by = this.clocks.read(warp, warpLayout.warpIndex);
    const interval = this.clocks.read(warp, warpLayout.interval);
    if (order.volatiles.size >= mostPending) this.acquireVolatiles(order, block);
    if (order.volatiles.isBehindFirst(address, by, interval)) this.acquireOthers(block, address);
    order.volatiles.add(address, by, interval);
    // From now on the host is asked.
    this.clocks.write(this.state.base, staticLayout.acquired, 1);
  }

  /** False where a spinning thread has acquired the same release already. */
  private acquireWithin(warp: number, address: number, isWhole: boolean): boolean {
    const { last, released } = this;
    const isSame = last.warp === warp && last.address === address && last.released === released;
    if (isSame && (last.isWhole || !isWhole)) return false;
    this.last = { warp, address, released, isWhole };
    const block = this.clocks.blockOf(warp);
    this.narrow.hear(block, address);
    const delivered = this.delivered.get(address);
    if (delivered) join(this.clocks.vector(warp, warpLayout.copies), delivered);
    const within = this.releases.withinAt(block, address);
    if (within) this.clocks.join(warp, within);
    return true;
  }

  private acquireOthers(block: number, address: number): void {
    if (this.releases.acquire(block, address)) this.clocks.write(this.state.base, staticLayout.acquired, 1);
  }

  /** `known`: of the warp that asks; left out where all are acquired. */
  private acquireVolatiles({ volatiles }: BlockOrder, block: number, known?: Known): boolean {
    const taken = volatiles.take(known);
    for (const address of taken) this.acquireOthers(block, address);
    return taken.length > 0;
  }

  private acquirePending(warp: number, order: BlockOrder): void {
    for (const address of order.pending) this.acquire(warp, address);
    order.pending.clear();
    this.acquireVolatiles(order, this.clocks.blockOf(warp));
  }
}

/** The join of both, as a new vector clock. */
function joined(known: Known, before: Known | undefined): Known {
  const all = known.slice();
  if (before) join(all, before);
  return all;
}

/** The order of a block, begun where there is none. */
function orderOf(blocks: Map<number, BlockOrder>, block: number): BlockOrder {
  const order = blocks.get(block) ?? new BlockOrder();
  blocks.set(block, order);
  return order;
}
