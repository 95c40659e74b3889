import { lanes, staticLayout, warpLayout } from "../../layout";
import { bulkReadEvents, orderEvents, synchronizing } from "../../library/races/race-words";
import { BulkReads } from "./races/bulk-reads";
import { ClusterOrder } from "./clusters/cluster-order";
import { AsyncCopies } from "./copies";
import type { FindingLog } from "./findings";
import { type Known, join } from "./knowledge";
import type { LaunchState } from "../state/launch-state";
import { Synchronisation } from "./synchronisation";
import { Stretches, WarpClocks, lastStretch } from "./warp-clocks";

/** Barriers that a block has (PTX ISA section 9.7.13.1). */
const barriers = 16;

/**
 * Happens-before between the threads of a launch, as far as generated code does not track it itself (see
 * `library/races/race-words.ts`): which intervals belong to which block, partial barriers, fences with
 * atomics, and asynchronous copies.
 */
export class RaceOrder {
  readonly stretches: Stretches;
  private readonly clocks: WarpClocks;
  private readonly copies: AsyncCopies;
  readonly synchronisation: Synchronisation;
  readonly ofClusters: ClusterOrder;
  private readonly bulkReads: BulkReads;
  /** The last block of each slot. */
  private readonly begun = new Map<number, number>();
  /** Vector clocks of the warps that have arrived at each slot's barriers without waiting. */
  private readonly arrivals = new Map<number, { readonly known: Known; readonly copies: Known }>();

  /** Also sets the first interval of the launch for generated code. */
  constructor(
    private readonly state: LaunchState,
    log: FindingLog,
  ) {
    const { clocks, forget } = state.scratch;
    if (clocks.nextInterval > lastStretch / 2 || clocks.nextCopy > lastStretch / 2) {
      forget();
      Object.assign(clocks, { nextInterval: 1, nextCopy: 1 });
    }
    this.stretches = new Stretches(clocks);
    this.clocks = new WarpClocks(state, this.stretches);
    this.copies = new AsyncCopies(this.clocks, clocks);
    this.bulkReads = new BulkReads(state, this.clocks, log, clocks);
    this.synchronisation = new Synchronisation(state, this.clocks, this.copies);
    this.ofClusters = new ClusterOrder(state, this.clocks, this.synchronisation.releases);
    this.clocks.write(state.base, staticLayout.launchFloor, clocks.nextInterval);
  }

  /** Called by generated code: one of `orderEvents` or `bulkReadEvents`. */
  event(event: number, warp: number, first: number, second: number): number {
    if (event >= bulkReadEvents.start) return this.bulkReads.event(event, warp, first, second);
    return this.orderEvent(event, warp, first, second);
  }

  private orderEvent(event: number, warp: number, first: number, second: number): number {
    const { copies } = this;
    switch (event) {
      case orderEvents.acquired:
        return this.isOver(warp, first >>> 0, second) ? 1 : 0;
      case orderEvents.begin:
        return this.begin();
      case orderEvents.extend:
        return this.clocks.extend(warp);
      case orderEvents.copy:
        return copies.start(warp);
      case orderEvents.bulk:
        return copies.startBulk(warp);
      case orderEvents.proxy:
        copies.show(warp);
        break;
      case orderEvents.fence:
        this.synchronisation.fence(warp, (first & 1) === 1, (first >>> 1) - 1);
        break;
      case orderEvents.synchronize:
        this.synchronisation.synchronize(warp, first, second);
        break;
      case orderEvents.commit:
        copies.commit(warp);
        break;
      case orderEvents.wait:
        copies.wait(warp, first);
        break;
      case orderEvents.meet:
        this.clocks.meetings.meet(warp, first, second);
        break;
      case orderEvents.met:
        return this.clocks.meetings.knows(warp, first >>> 0, { lane: second & 31, other: second >>> 5 })
          ? 1
          : 0;
      default:
        copies.share(this.clocks.all());
    }
    return 0;
  }

  /** There was too much synchronisation to track: see `Releases`. */
  get isLost(): boolean {
    return this.synchronisation.releases.gaveUp;
  }

  /**
   * The `.loc` of a release of that interval whose scope excludes the asking warp's block, although that
   * block has read the location; undefined when there is none.
   */
  narrowRelease(
    asking: number,
    of: { readonly other: number; readonly warp: number; readonly interval: number },
  ): number | undefined {
    return this.synchronisation.narrow.find({ block: this.blockOf(asking), ...of });
  }

  /** Whether a fence behind a volatile read would have ordered that interval before the asking warp. */
  lacksFence(
    asking: number,
    of: { readonly other: number; readonly warp: number; readonly interval: number },
  ): boolean {
    return this.synchronisation.lacksFence({ block: this.blockOf(asking), synchronizing: false, ...of });
  }

  /** Linear number of the block that a warp belongs to. */
  blockOf(warp: number): number {
    return this.clocks.blockOf(warp);
  }

  /**
   * Warps synchronise at a barrier, together with those that have arrived at it without waiting. `all`: it is
   * a block-wide barrier.
   */
  meet(warps: readonly number[], id: number, all: boolean): void {
    const { clocks } = this;
    const everyone = all ? clocks.all() : warps;
    this.copies.share(everyone);
    const arrived = this.arrivals.get(this.arrivalsAt(id));
    this.arrivals.delete(this.arrivalsAt(id));
    if (arrived) for (const warp of everyone) join(clocks.vector(warp, warpLayout.copies), arrived.copies);
    if (all) return clocks.align();
    const known = new Uint32Array(lanes);
    for (const warp of everyone) join(known, clocks.knownOf(warp));
    if (arrived) join(known, arrived.known);
    for (const warp of everyone) {
      clocks.join(warp, known);
      clocks.tick(warp);
    }
  }

  /** A warp arrives at a barrier without waiting. */
  arrive(warp: number, id: number): void {
    const { clocks } = this;
    const arrived = this.arrivals.get(this.arrivalsAt(id)) ?? {
      known: new Uint32Array(lanes),
      copies: new Uint32Array(lanes),
    };
    this.arrivals.set(this.arrivalsAt(id), arrived);
    join(arrived.known, clocks.knownOf(warp));
    join(arrived.copies, clocks.vector(warp, warpLayout.copies));
    clocks.tick(warp);
  }

  /** Key of a barrier: each resident block has its own. */
  private arrivalsAt(id: number): number {
    return this.state.slot * barriers + id;
  }

  /** The block of the current slot has ended. */
  endBlock(): void {
    this.bulkReads.end(this.clocks.all());
  }

  private begin(): number {
    const {
      coordinates: [x, y, z],
      request: { grid },
      slot,
    } = this.state;
    const block = x + grid[0] * (y + grid[1] * z);
    const before = this.begun.get(slot);
    this.begun.set(slot, block);
    if (before !== undefined) this.synchronisation.end(before);
    this.endBlock();
    this.copies.reset(this.clocks.all());
    for (let id = 0; id < barriers; id += 1) this.arrivals.delete(this.arrivalsAt(id));
    return this.stretches.take(block);
  }

  /**
   * Whether an interval of another warp happens before what a warp does now. `atOnce`: with what the block
   * has read as volatile, and nothing behind it.
   */
  isOver(warp: number, interval: number, from: number, atOnce = false): boolean {
    const other = from % synchronizing;
    const [mine, theirs] = [this.clocks.blockOf(warp), this.stretches.ownerOf(interval)];
    if (mine !== theirs) {
      const { synchronisation } = this;
      const question = { block: mine, other: theirs, warp: other, interval, synchronizing: from !== other };
      if (synchronisation.releases.knows(question)) return true;
      return synchronisation.overtake(warp, atOnce) && synchronisation.releases.knows(question);
    }
    const { clocks } = this;
    const isOwn = other === clocks.read(warp, warpLayout.warpIndex);
    // One entry of the vector: this is asked for every access that meets another one.
    return clocks.read(warp, isOwn ? warpLayout.interval : warpLayout.known + 4 * other) >= interval;
  }
}
