import { type Wasm, getGlobal, i32, op } from "../../wasm/code";
import { globals } from "../library";

/**
 * How races are found: by vector clocks over intervals. A warp is in one interval at a time, which ends when
 * the warp synchronises (`interval` in its header). Interval ids grow; each block takes them from stretches
 * of its own. For each 32-bit word the shadow memory holds the last writer and two readers: the interval, and
 * an info of 32 bits with the instruction, lane, warp and bytes. A recorded access happens before the current
 * one if it was made by an earlier launch, before a block-wide barrier, by the same warp in an earlier
 * interval, by the same lane, or before a release (or the wait for an asynchronous copy) that the warp has
 * acquired.
 */
export const infoBits = {
  /** Index of the memory site; the greatest stands for itself and all above. */
  siteMask: 0x7fff,
  /**
   * Of a writer: several lanes stored the same value. Of a reader: it is a writer that an atomic replaced.
   */
  several: 0x8000,
  /** Four bits: the bytes of the word. */
  bytesShift: 16,
  laneShift: 20,
  warpShift: 25,
  /** A strong access: volatile, relaxed, acquire or release. */
  strong: 1 << 30,
  atomic: 1 << 31,
} as const;

/** Lane and warp of an info. */
export const whoMask = 0x3ff0_0000;
/** Warp of an info. */
export const warpMask = 0x3e00_0000;
/** Ids from here on denote groups of asynchronous copies. */
export const firstCopy = 0x8000_0000 | 0;
/** Ids from here on denote what bulk copies to global memory read: see `BulkReads`. */
export const firstBulkRead = 0xc000_0000 | 0;

/** A field of an info that is a lane or a warp. */
export const fiveBits = (value: Wasm, shift: number): Wasm =>
  op("i32.and", op("i32.shr_u", value, i32(shift)), i32(31));

/** Address of a word's entry in a plane of the shadow memory. */
export function planeAt(word: Wasm, plane: number): Wasm {
  return op("i32.add", word, op("i32.mul", getGlobal(globals.shadow), i32(plane)));
}

/**
 * Operand of `orderEvents.fence`. `isForAll`: the scope is wider than the block; `location`: `.loc` index or
 * -1.
 */
export function fenceOperand(isForAll: boolean, location: number): number {
  return ((location + 1) << 1) | (isForAll ? 1 : 0);
}

/** Questions and events about happens-before: the first operand of the import `order`. */
export const orderEvents = {
  /**
   * (warp, interval, other warp's index, plus `synchronizing` for a strong access) → 1 if that interval of
   * another block or stretch happens before what the warp does now.
   */
  acquired: 0,
  /** A block starts → its first interval. */
  begin: 1,
  /** (warp) → the first interval of another stretch, after the end of this one. */
  extend: 2,
  /** (warp, see `fenceOperand`): a fence. */
  fence: 3,
  /** (warp, linear address, ways): see `waysOf`. */
  synchronize: 4,
  /** (warp) → the group id of a copy that starts now. */
  copy: 5,
  /** (warp): commits its group of copies. */
  commit: 6,
  /** (warp, groups that may still be in flight). */
  wait: 7,
  /** All warps have synchronised, and see each other's completed copies. */
  shareCopies: 8,
  /** (warp, active lanes, linear address of their member masks): `bar.warp.sync`. */
  meet: 9,
  /**
   * (warp, interval, lane + 32 · other lane) → 1 if that interval of the other happens before the lane's now.
   */
  met: 10,
  /** (warp) → the id of a bulk copy that starts now, which belongs to no group. */
  bulk: 11,
  /** (warp): `fence.proxy.async`. */
  proxy: 12,
} as const;

/** Events of bulk copies from shared to global memory, likewise; each but the first names the lanes. */
export const bulkReadEvents = {
  /** → the id of a copy that starts now. */
  start: 16,
  /** (warp, lanes, id): a piece of 16 bytes has been read at the lanes' addresses. */
  piece: 17,
  /** (warp, lanes): each commits its group. */
  commit: 18,
  /** (warp, lanes, groups that may still be in flight). */
  wait: 19,
} as const;

/** Added to a warp's index: the recorded access was strong. */
export const synchronizing = 32;

/**
 * How an access synchronises (bits). A relaxed one acquires at the next fence; atomics without an order count
 * as acquiring at once. `acquireStrongly`: a volatile one, which the code of many years relies on without a
 * fence. For accesses that no first-level cache answers it acquires at once, too; for plain loads of what
 * other blocks wrote at the next fence or barrier, since the cache may hold what was there before. `copies`:
 * an arrival at a barrier object that covers the warp's asynchronous copies, so that its acquirers have
 * waited for them.
 */
export const waysOf = { acquire: 1, release: 2, acquireLater: 4, copies: 8, acquireStrongly: 16 } as const;
