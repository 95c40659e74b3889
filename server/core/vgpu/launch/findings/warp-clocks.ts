import { lanes, staticLayout, warpLayout } from "../../layout";
import { stretchIntervals } from "../../library/races/race-order";
import { type Known, join } from "./knowledge";
import { LaneMeetings } from "./lane-meetings";
import type { Machine } from "../machine/machine";

/**
 * Above it numbers of intervals would mix with those of copies; blocks then share a stretch, and races
 * between them go unseen.
 */
export const lastStretch = 0x7fff_0000;

/** Which stretch of intervals belongs to which block of threads (by its linear number). */
export class Stretches {
  private readonly firsts: number[] = [];
  private readonly owners: number[] = [];

  constructor(private readonly clocks: { nextInterval: number }) {}

  /** A fresh stretch for a block; its first interval. */
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

/** The detectors' part of the warps' headers, by linear address. */
export class WarpClocks {
  readonly meetings = new LaneMeetings(this);
  private known = new Uint32Array(0);

  constructor(
    private readonly machine: Machine,
    private readonly stretches: Stretches,
  ) {}

  blockOf(warp: number): number {
    return this.stretches.ownerOf(this.read(warp, warpLayout.first));
  }

  /** What a warp knows of its block, with itself up to now. */
  knownOf(warp: number): Known {
    const known = this.vector(warp, warpLayout.known).slice();
    known[this.read(warp, warpLayout.warpIndex)] = this.read(warp, warpLayout.interval);
    return known;
  }

  /** As `race_tick` of generated code. */
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

  /** A fresh stretch for the block of a warp; its first interval. */
  extend(warp: number): number {
    this.write(this.machine.base, staticLayout.extended, 1);
    return this.stretches.take(this.blockOf(warp));
  }

  /** A warp learns of others by something else than a barrier of the whole block. */
  tell(warp: number, known: Known): void {
    join(this.vector(warp, warpLayout.known), known);
    this.write(warp, warpLayout.told, 1);
  }

  /** All warps of the block meet: as `race_barrier` of generated code. */
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
      this.write(warp, warpLayout.told, 0);
    }
  }

  /** All warps of the block at work. */
  all(): readonly number[] {
    const { machine } = this;
    return Array.from({ length: machine.layout.warpCount }, (_, index) => machine.warpAt(index));
  }

  /** A vector of 32 numbers in a warp's header, to read and to write. */
  vector(warp: number, offset: number): Known {
    return this.vectorAt(warp + offset);
  }

  /** A vector of 32 numbers anywhere in linear memory, to read and to write. */
  vectorAt(linear: number): Known {
    return this.words().subarray(linear >>> 2, (linear >>> 2) + lanes);
  }

  read(base: number, offset: number): number {
    return this.words()[(base + offset) >>> 2] ?? 0;
  }

  write(base: number, offset: number, value: number): void {
    this.words()[(base + offset) >>> 2] = value;
  }

  /** The memory as words; its buffer is another one when it has grown. */
  private words(): Uint32Array {
    const { buffer } = this.machine.request.memory.memory;
    if (this.known.buffer !== buffer) this.known = new Uint32Array(buffer);
    return this.known;
  }
}
