import { lanes, staticLayout, warpLayout } from "../layout";
import { orderEvents, synchronizing, waysOf } from "../library/race-words";
import { AsyncCopies } from "./copies";
import type { Machine } from "./machine";
import { type Known, Releases, join } from "./releases";
import { Stretches, WarpClocks, lastStretch } from "./warp-clocks";

/** Barriers that a block has (PTX ISA section 9.7.13.1). */
const barriers = 16;

/** What a block's warps have made known by fences: to their own block, and to all. */
interface Fenced {
  readonly within: Known;
  all: Known | undefined;
}

/**
 * The order of what the threads of a launch do, as far as generated code does not keep it itself (see `library/race-words.ts`): which
 * intervals belong to which block, barriers of a part of a block, fences with atomics, and asynchronous copies.
 */
export class RaceOrder {
  readonly stretches: Stretches;
  private readonly clocks: WarpClocks;
  private readonly copies: AsyncCopies;
  private readonly releases = new Releases();
  /** Locations that a block has read relaxed: the next fence acquires what was released there. */
  private readonly pending = new Map<number, Set<number>>();
  /** Of barrier objects, by block and address: the last group of copies of each warp that has arrived. */
  private readonly delivered = new Map<string, Known>();
  /** Releases so far, and the last acquisition. */
  private released = 0;
  private last = { warp: 0, address: 0, released: -1 };
  private readonly fenced = new Map<number, Fenced>();
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
    this.clocks.write(machine.base, staticLayout.launchFloor, clocks.nextInterval);
  }

  /** Called by generated code: see `orderEvents`. */
  event(event: number, warp: number, first: number, second: number): number {
    const { copies } = this;
    switch (event) {
      case orderEvents.acquired: return this.isOver(warp, first >>> 0, second) ? 1 : 0;
      case orderEvents.begin: return this.begin();
      case orderEvents.extend: return this.clocks.extend(warp);
      case orderEvents.copy: return copies.start(warp);
      case orderEvents.fence: this.fence(warp, first === 1); break;
      case orderEvents.synchronize: this.synchronize(warp, first, second); break;
      case orderEvents.commit: copies.commit(warp); break;
      case orderEvents.wait: copies.wait(warp, first); break;
      case orderEvents.meet: this.clocks.meetings.meet(warp, first, second); break;
      case orderEvents.met: return this.clocks.meetings.knows(warp, first >>> 0, { lane: second & 31, other: second >>> 5 }) ? 1 : 0;
      default: copies.share(this.clocks.all());
    }
    return 0;
  }

  /** Linear number of the block that a warp belongs to. */
  blockOf(warp: number): number {
    return this.clocks.blockOf(warp);
  }

  /** Warps meet at a barrier; `all` when it is one of the whole block. `id` names the barrier, where others may have arrived before. */
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
    const arrived = this.arrivals.get(this.arrivalsAt(id)) ?? { known: new Uint32Array(lanes), copies: new Uint32Array(lanes) };
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
    const { coordinates: [x, y, z], request: { grid } } = this.machine;
    this.copies.reset(this.clocks.all());
    for (let id = 0; id < barriers; id += 1) this.arrivals.delete(this.arrivalsAt(id));
    return this.stretches.take(x + grid[0] * (y + grid[1] * z));
  }

  private isOver(warp: number, interval: number, from: number): boolean {
    const other = from % synchronizing;
    const [mine, theirs] = [this.clocks.blockOf(warp), this.stretches.ownerOf(interval)];
    if (mine !== theirs) return this.releases.knows({ block: mine, other: theirs, warp: other, interval, synchronizing: from !== other });
    return (this.clocks.knownOf(warp)[other] ?? 0) >= interval;
  }

  /** A barrier object learns of the copies that a warp has started. */
  private deliver(warp: number, place: string): void {
    const delivered = this.delivered.get(place) ?? new Uint32Array(lanes);
    this.delivered.set(place, delivered);
    const own = this.clocks.read(warp, warpLayout.warpIndex);
    delivered[own] = Math.max(delivered[own] ?? 0, this.copies.latest(warp));
  }

  private acquire(warp: number, address: number): void {
    const { last, released } = this;
    // A thread that waits acquires the same again and again.
    if (last.warp === warp && last.address === address && last.released === released) return;
    this.last = { warp, address, released };
    const block = this.clocks.blockOf(warp);
    const delivered = this.delivered.get(`${block} ${address}`);
    if (delivered) join(this.clocks.vector(warp, warpLayout.copies), delivered);
    if (this.releases.acquire(block, address)) this.clocks.write(this.machine.base, staticLayout.acquired, 1);
    const within = this.releases.withinAt(block, address);
    if (within) this.clocks.tell(warp, within);
  }

  private fence(warp: number, isForAll: boolean): void {
    const block = this.clocks.blockOf(warp);
    for (const address of this.pending.get(block) ?? []) this.acquire(warp, address);
    this.pending.delete(block);
    const fenced = this.fenced.get(block) ?? { within: new Uint32Array(lanes), all: undefined };
    this.fenced.set(block, fenced);
    const known = this.clocks.knownOf(warp);
    join(fenced.within, known);
    if (isForAll) join(fenced.all ??= new Uint32Array(lanes), known);
    this.clocks.write(this.machine.base, staticLayout.fences, 1);
  }

  private synchronize(warp: number, address: number, ways: number): void {
    const block = this.clocks.blockOf(warp);
    if (ways & waysOf.acquire) this.acquire(warp, address);
    if (ways & waysOf.acquireLater) this.pending.set(block, (this.pending.get(block) ?? new Set()).add(address));
    if (ways & (waysOf.release | waysOf.copies)) this.released += 1;
    if (ways & waysOf.copies) this.deliver(warp, `${block} ${address}`);
    const fenced = this.fenced.get(block);
    if ((ways & waysOf.release) === 0 || !fenced) return;
    if (fenced.all) this.releases.release(block, address, { known: fenced.all, warp: this.clocks.read(warp, warpLayout.warpIndex), interval: this.clocks.read(warp, warpLayout.interval) });
    this.releases.releaseWithin(block, address, fenced.within);
  }
}
