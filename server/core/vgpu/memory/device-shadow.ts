import { type DeviceArena, type Stretch, pageBytes } from "./device-arena";

/**
 * What the detectors record for linear memory below `distance`. A plane of bytes, `distance` above, holds 1
 * for each byte that was stored. Six planes of 32-bit words, 2 to 7 times `distance` above, hold interval and
 * info for each aligned word: of its last writer, of its first reader that is not ordered before the later
 * ones, and of its last reader (see `library/races/race-words.ts`). Together they take seven times
 * `distance`, a power of two above the buffers. Untouched pages take no physical memory, so the actual
 * cost is seven bytes for each byte touched.
 */
export const shadowPlanes = {
  written: 1,
  writer: 2,
  writerInfo: 3,
  reader: 4,
  readerInfo: 5,
  lastReader: 6,
  lastReaderInfo: 7,
  count: 8,
} as const;

const smallest = 1 << 20;
/** Buffers of up to so many bytes have a shadow that fits, which is cleared for the next memory. */
const mostFitted = 2 * smallest;
/** Others leave room for more of their size: to move a shadow takes longer than many a launch. */
const headroom = 8;
/** With larger buffers the planes do not fit in 4 GiB. */
const mostWatchedBytes = (1 << 29) - pageBytes;

/** An allocation that the detectors watch. */
export interface Watched extends Stretch {
  readonly linear: number;
  readonly bytes: number;
  /** Which bytes are written, while there is no shadow: all, none, or one flag for each. */
  written: boolean | Uint8Array;
}

/** The shadow of a device memory. Created for the first kernel with detectors; grows with the memory. */
export class DeviceShadow {
  /** Bytes from a byte to its shadow; 0 while there is none. */
  distance = 0;
  /** Nothing is recorded for bytes from here on: they were not in use since there is this shadow. */
  private recorded = 0;

  constructor(private readonly arena: DeviceArena<never>) {}

  /** Extends the shadow to `end`. Throws a RangeError beyond what can be watched. */
  cover(end: number, held: readonly Watched[]): void {
    if (this.distance > 0 && end <= this.distance) {
      this.recorded = Math.max(this.recorded, end);
      return;
    }
    if (end > mostWatchedBytes) throw new RangeError("the detectors can watch 512 MiB of memory at most");
    let distance = smallest;
    const wanted = end > mostFitted ? headroom * end : end;
    while (distance < wanted) distance *= 2;
    if (8 * distance > 2 ** 32 - pageBytes) distance = mostWatchedBytes;
    const stale = this.stale();
    this.drop(held);
    this.arena.reserve(shadowPlanes.count * distance);
    const view = new Uint8Array(this.arena.memory.buffer);
    for (const { from, to } of stale) if (to > distance) view.fill(0, Math.max(from, distance), to);
    this.distance = distance;
    this.recorded = end;
    for (const each of held) {
      if (typeof each.written !== "boolean") this.bytesOf(each).set(each.written);
      else if (each.written) this.bytesOf(each).fill(1);
      each.written = false;
    }
  }

  /** Moves the shadow, if there is one, above `end`. */
  follow(end: number, held: readonly Watched[]): void {
    if (this.distance === 0) return;
    if (end > mostWatchedBytes) this.drop(held);
    else this.cover(end, held);
  }

  /** Drops the shadow, but keeps which bytes are written. */
  drop(held: readonly Watched[]): void {
    if (this.distance === 0) return;
    for (const each of held) each.written = this.bytesOf(each).slice();
    this.distance = 0;
  }

  /** Clears the record of a range that is reused. To be told before the shadow follows the range. */
  clear({ from, to }: Stretch): void {
    const end = Math.min(to, this.recorded);
    if (this.distance === 0 || from >= end) return;
    const view = new Uint8Array(this.arena.memory.buffer);
    for (let plane = 1; plane < shadowPlanes.count; plane += 1)
      view.fill(0, from + plane * this.distance, end + plane * this.distance);
  }

  /**
   * Where, beyond what the shadow covers, bytes may differ from zero. Pages that were never touched stay
   * so: clearing them all takes longer than many a launch.
   */
  private stale(): readonly Stretch[] {
    const { distance, recorded, arena } = this;
    if (distance === 0) return [{ from: 0, to: arena.used }];
    return Array.from({ length: shadowPlanes.count - 1 }, (_, index) => {
      const from = (index + 1) * distance;
      return { from, to: from + recorded };
    });
  }

  /** Clears all recorded accesses, but keeps which bytes are written. */
  forgetAccesses(): void {
    const { distance, arena } = this;
    if (distance === 0) return;
    const view = new Uint8Array(arena.memory.buffer);
    for (let plane: number = shadowPlanes.writer; plane < shadowPlanes.count; plane += 1)
      view.fill(0, plane * distance, plane * distance + arena.end);
  }

  /** Records a store by the host. */
  mark(held: Watched, from: number, to: number): void {
    if (this.distance > 0) this.bytesOf(held).fill(1, from, to);
    else if (from === 0 && to === held.bytes) held.written = true;
    else if (held.written !== true) {
      const bytes = held.written === false ? new Uint8Array(held.bytes) : held.written;
      held.written = bytes.fill(1, from, to);
    }
  }

  /** One flag for each byte of an allocation: 1 if it was stored. */
  written(held: Watched): Uint8Array {
    if (this.distance > 0) return this.bytesOf(held).slice();
    return typeof held.written === "boolean"
      ? new Uint8Array(held.bytes).fill(held.written ? 1 : 0)
      : held.written.slice();
  }

  private bytesOf({ linear, bytes }: Watched): Uint8Array {
    return new Uint8Array(this.arena.memory.buffer, linear + this.distance, bytes);
  }
}
