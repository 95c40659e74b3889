import { lanes, staticLayout, warpLayout } from "../../layout";
import { orderEvents, synchronizing } from "../../library/races/race-words";
import { AsyncCopies } from "./copies";
import { type Known, join } from "./knowledge";
import type { Machine } from "../machine/machine";
import { Synchronisation } from "./synchronisation";
import { Stretches, WarpClocks, lastStretch } from "./warp-clocks";

/** Barriers that a block has (PTX ISA section 9.7.13.1). */
const barriers = 16;

/**
 * The order of what the threads of a launch do, as far as generated code does not keep it itself (see
 * `library/race-words.ts`): which intervals belong to which block, barriers of a part of a block, fences with
 * atomics, and asynchronous copies.
 */
export class RaceOrder {
  readonly stretches: Stretches;
  private readonly clocks: WarpClocks;
  private readonly copies: AsyncCopies;
  private readonly synchronisation: Synchronisation;
  /** The block that each slot began last. */
  private readonly begun = new Map<number, number>();
  private readonly arrivals = new Map<number, { readonly known: Known; readonly copies: Known }>();

  /** Also tells generated code where the launch's intervals start. */
  constructor(private readonly machine: Machine) {
    const { clocks, forget } = machine.scratch;
    if (clocks.nextInterval > lastStretch / 2 || clocks.nextCopy > lastStretch / 2) {
      forget();
      Object.assign(clocks, { nextInterval: 1, nextCopy: 1 });
    }
    this.stretches = new Stretches(clocks);
    this.clocks = new WarpClocks(machine, this.stretches);
    this.copies = new AsyncCopies(this.clocks, clocks);
    this.synchronisation = new Synchronisation(machine, this.clocks, this.copies);
    this.clocks.write(machine.base, staticLayout.launchFloor, clocks.nextInterval);
  }

  /** Called by generated code: see `orderEvents`. */
  event(event: number, warp: number, first: number, second: number): number {
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

  /** Too much was released and acquired to keep: see `Releases`. */
  get isLost(): boolean {
    return this.synchronisation.releases.gaveUp;
  }

  /**
   * Where a block released an interval of its warp with a scope that leaves out the asking warp's block,
   * which has seen the location.
   */
  narrowRelease(
    asking: number,
    of: { readonly other: number; readonly warp: number; readonly interval: number },
  ): number | undefined {
    return this.synchronisation.narrow.find({ block: this.blockOf(asking), ...of });
  }

  /** Linear number of the block that a warp belongs to. */
  blockOf(warp: number): number {
    return this.clocks.blockOf(warp);
  }

  /**
   * Warps meet at a barrier; `all` when it is one of the whole block. `id` names the barrier, where others
   * may have arrived before.
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
      clocks.tell(warp, known);
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

  /** Each resident block has barriers of its own. */
  private arrivalsAt(id: number): number {
    return this.machine.slot * barriers + id;
  }

  private begin(): number {
    const {
      coordinates: [x, y, z],
      request: { grid },
      slot,
    } = this.machine;
    const block = x + grid[0] * (y + grid[1] * z);
    const before = this.begun.get(slot);
    this.begun.set(slot, block);
    if (before !== undefined) this.synchronisation.end(before);
    this.copies.reset(this.clocks.all());
    for (let id = 0; id < barriers; id += 1) this.arrivals.delete(this.arrivalsAt(id));
    return this.stretches.take(block);
  }

  private isOver(warp: number, interval: number, from: number): boolean {
    const other = from % synchronizing;
    const [mine, theirs] = [this.clocks.blockOf(warp), this.stretches.ownerOf(interval)];
    if (mine !== theirs)
      return this.synchronisation.releases.knows({
        block: mine,
        other: theirs,
        warp: other,
        interval,
        synchronizing: from !== other,
      });
    return (this.clocks.knownOf(warp)[other] ?? 0) >= interval;
  }
}
