import { lanes, staticLayout, warpLayout } from "../../layout";
import { stretchIntervals } from "../../library/races/race-order";
import type { LaunchState } from "../state/launch-state";
import { type Known, join } from "./knowledge";
import { LaneMeetings } from "./lane-meetings";

/**
 * Largest interval id; higher ids denote async-copy groups. Blocks that start after it share one stretch, and
 * races between them are missed.
 */
export const lastStretch = 0x7fff_0000;

/** Which stretch of interval ids belongs to which block (by its linear number). */
export class Stretches {
  private readonly firsts: number[] = [];
  private readonly owners: number[] = [];

  constructor(private readonly clocks: { nextInterval: number }) {}

  /** Gives a block a new stretch; returns its first interval. */
  take(block: number): number {
    const first = this.clocks.nextInterval;
    if (first >= lastStretch) return first - stretchIntervals;
    this.clocks.nextInterval += stretchIntervals;
    this.firsts.push(first);
    this.owners.push(block);
    return first;
  }

  /** The block that an interval of this launch belongs to. */
  ownerOf(interval: number): number {
    let [low, high] = [0, this.firsts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.firsts[middle] ?? 0) <= interval) low = middle;
      else high = middle - 1;
    }
    return this.owners[low] ?? 0;
  }
}

/** The vector clocks of the warps: the detectors' part of each warp's header, by linear address. */
export class WarpClocks {
  readonly meetings = new LaneMeetings(this);
  private cached = new Uint32Array(0);

  constructor(
    private readonly state: LaunchState,
    private readonly stretches: Stretches,
  ) {}

  /** Linear number of the block that a warp belongs to. */
  blockOf(warp: number): number {
    return this.stretches.ownerOf(this.read(warp, warpLayout.first));
  }

  /** A copy of a warp's vector clock, with its own entry at the current interval. */
  knownOf(warp: number): Known {
    const known = this.vector(warp, warpLayout.known).slice();
    known[this.read(warp, warpLayout.warpIndex)] = this.read(warp, warpLayout.interval);
    return known;
  }

  /** Starts a warp's next interval, as `race_tick` of generated code does. */
  tick(warp: number): void {
    const interval = this.read(warp, warpLayout.interval) + 1;
    this.write(warp, warpLayout.interval, interval);
    this.write(warp, warpLayout.joined, interval);
    if (interval !== this.read(warp, warpLayout.end)) return;
    const first = this.extend(warp);
    for (const offset of [warpLayout.interval, warpLayout.floor, warpLayout.first, warpLayout.joined])
      this.write(warp, offset, first);
    this.write(warp, warpLayout.end, first + stretchIntervals);
  }

  /** Gives the block of a warp another stretch; returns its first interval. */
  extend(warp: number): number {
    this.write(this.state.base, staticLayout.extended, 1);
    return this.stretches.take(this.blockOf(warp));
  }

  /** Joins `known` into a warp's vector clock, for synchronisation other than a block-wide barrier. */
  join(warp: number, known: Known): void {
    join(this.vector(warp, warpLayout.known), known);
    this.write(warp, warpLayout.isAhead, 1);
  }

  /** Synchronises all warps of the block, as `race_barrier` of generated code does. */
  align(): void {
    const warps = this.all();
    const ahead = warps.reduce((most, warp) =>
      this.read(warp, warpLayout.interval) > this.read(most, warpLayout.interval) ? warp : most,
    );
    this.tick(ahead);
    const interval = this.read(ahead, warpLayout.interval);
    this.write(ahead, warpLayout.floor, interval);
    const shared = [
      warpLayout.interval,
      warpLayout.floor,
      warpLayout.first,
      warpLayout.end,
      warpLayout.joined,
    ];
    for (const warp of warps) {
      for (const offset of shared) this.write(warp, offset, this.read(ahead, offset));
      this.vector(warp, warpLayout.known).fill(interval - 1);
      this.write(warp, warpLayout.isAhead, 0);
    }
  }

  /** All warps of the current block. */
  all(): readonly number[] {
    const { state } = this;
    return Array.from({ length: state.plan.warpCount }, (_, index) => state.warpAt(index));
  }

  /** A vector of 32 numbers in a warp's header, for reading and writing. */
  vector(warp: number, offset: number): Known {
    return this.vectorAt(warp + offset);
  }

  /** A vector of 32 numbers anywhere in linear memory, for reading and writing. */
  vectorAt(linear: number): Known {
    return this.words().subarray(linear >>> 2, (linear >>> 2) + lanes);
  }

  read(base: number, offset: number): number {
    return this.words()[(base + offset) >>> 2] ?? 0;
  }

  write(base: number, offset: number, value: number): void {
    this.words()[(base + offset) >>> 2] = value;
  }

  /** The memory as words. Growing replaces its buffer. */
  private words(): Uint32Array {
    const { buffer } = this.state.request.memory.memory;
    if (this.cached.buffer !== buffer) this.cached = new Uint32Array(buffer);
    return this.cached;
  }
}
