import { isWide } from "../ptx/types";
import { warpLayout } from "../layout";
import type { CodeBlock } from "./blocks";
import { type Liveness, hasBit, terminatorReads, terminatorWrites } from "./liveness";
import type { Program } from "./program";
import { isWarpWide, rolesOf } from "./roles";

/** Where registers lie in a warp's block of memory. */
export interface SlotPlan {
  /** Byte offset of each register; -1 for one that never leaves a lane segment. */
  readonly offsets: Int32Array;
  /** Bytes of a warp's block. */
  readonly warpBytes: number;
}

interface Interval {
  readonly register: number;
  /** Procedure in which it is first met. */
  readonly procedure: number;
  first: number;
  last: number;
}

/**
 * Gives registers places by linear scan: two registers share one when the spans of instructions over which they are needed do not
 * overlap. Lanes that wait elsewhere keep their values, because the span covers every block where a register is live and writes are
 * masked. Registers used inside of a single segment only are left out: they live in WebAssembly locals. Procedures share no places, since
 * a function runs while those that called it wait; neither do pinned registers, which belong to none.
 */
export function planSlots(blocks: readonly CodeBlock[], liveness: Liveness, { registers, pinned }: Pick<Program, "registers" | "pinned">): SlotPlan {
  const intervals = findIntervals(blocks, liveness, registers.length).sort((a, b) => a.first - b.first);
  const offsets = new Int32Array(registers.length).fill(-1);
  const free: Record<"narrow" | "wide", number[]> = { narrow: [], wide: [] };
  const active: { readonly last: number; readonly offset: number; readonly size: "narrow" | "wide" }[] = [];
  let end: number = warpLayout.registers;
  for (const register of pinned) {
    offsets[register] = end;
    end += 128;
  }
  let procedure = 0;
  for (const { register, first, last, procedure: own } of intervals) {
    if (pinned.has(register)) continue;
    if (own !== procedure) {
      free.narrow = [];
      free.wide = [];
      active.length = 0;
      procedure = own;
    }
    for (let index = active.length - 1; index >= 0; index -= 1) {
      const other = active[index];
      if (!other || other.last >= first) continue;
      free[other.size].push(other.offset);
      active.splice(index, 1);
    }
    const size = isWide(registers[register] ?? "b32") ? "wide" : "narrow";
    let offset = free[size].pop();
    if (offset === undefined) {
      offset = end;
      end += size === "wide" ? 256 : 128;
    }
    offsets[register] = offset;
    active.push({ last, offset, size });
  }
  return { offsets, warpBytes: end };
}

function findIntervals(blocks: readonly CodeBlock[], liveness: Liveness, count: number): Interval[] {
  const found = new Map<number, Interval>();
  const touched = new Map<number, number>();
  const needed = new Uint8Array(count);
  let [position, procedure] = [0, 0];
  const touch = (register: number): void => {
    const known = found.get(register);
    if (known) known.last = position;
    else found.set(register, { register, procedure, first: position, last: position });
  };
  blocks.forEach((block, index) => {
    const [into, out] = [liveness.liveIn[index], liveness.liveOut[index]];
    procedure = block.procedure;
    markLive(into, count, needed, touch);
    let segment = 0;
    touched.clear();
    let wasWarpWide = false;
    for (const instruction of block.instructions) {
      position += 1;
      const warpWide = isWarpWide(instruction);
      if (warpWide || wasWarpWide) segment += 1;
      wasWarpWide = warpWide;
      const { writes, reads } = rolesOf(instruction);
      for (const register of [...writes, ...reads]) {
        touch(register);
        const before = touched.get(register);
        if (warpWide || (before !== undefined && before !== segment)) needed[register] = 1;
        touched.set(register, segment);
      }
    }
    position += 1;
    for (const register of [...terminatorReads(block.terminator), ...terminatorWrites(block.terminator)]) {
      touch(register);
      needed[register] = 1;
    }
    markLive(out, count, needed, touch);
    position += 1;
  });
  return [...found.values()].filter(({ register }) => needed[register] === 1);
}

function markLive(set: Uint32Array | undefined, count: number, needed: Uint8Array, touch: (register: number) => void): void {
  if (!set) return;
  for (let word = 0; word < set.length; word += 1) {
    if (set[word] === 0) continue;
    for (let bit = word * 32; bit < Math.min(count, word * 32 + 32); bit += 1) {
      if (!hasBit(set, bit)) continue;
      needed[bit] = 1;
      touch(bit);
    }
  }
}
