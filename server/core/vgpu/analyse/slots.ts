import { at } from "../../base/known";
import { isWide, registerType } from "../ptx/types";
import { warpLayout } from "../layout";
import type { CodeBlock } from "./blocks";
import { type Liveness, terminatorReads, terminatorWrites } from "./liveness";
import type { Program } from "../flatten/program";
import { isWarpWide, rolesOf } from "../flatten/roles";
import type { LaneLoads } from "./segments";

/** Where registers lie in a warp's block of memory. */
interface SlotPlan {
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
 * Gives registers places by linear scan: two registers share one when the spans of instructions over which
 * they are needed do not overlap. Lanes that wait elsewhere keep their values, because the span covers every
 * block where a register is live and writes are masked. Registers used inside of a single segment only are
 * left out: they live in WebAssembly locals. Procedures share no places, since a function runs while those
 * that called it wait; neither do pinned registers, which belong to none.
 */
export function planSlots(
  blocks: readonly CodeBlock[],
  liveness: Liveness,
  { registers, pinned, laneLoads }: Pick<Program, "registers" | "pinned"> & { readonly laneLoads: LaneLoads },
): SlotPlan {
  const intervals = findIntervals(blocks, { liveness, laneLoads }, registers.length)
    .filter(({ register }) => !pinned.has(register))
    .sort((a, b) => a.first - b.first);
  const offsets = new Int32Array(registers.length).fill(-1);
  const free: Record<"narrow" | "wide", number[]> = { narrow: [], wide: [] };
  let end: number = warpLayout.registers;
  for (const register of pinned) {
    offsets[register] = end;
    end += 128;
  }
  const sizeOf = (register: number): "narrow" | "wide" =>
    isWide(registerType(registers, register)) ? "wide" : "narrow";
  const rank = new Int32Array(registers.length);
  intervals.forEach(({ register }, position) => {
    rank[register] = position;
  });
  const byEnd = [...intervals].sort((a, b) => a.last - b.last);
  let [procedure, ended] = [0, 0];
  for (const { register, first, procedure: own } of intervals) {
    if (own !== procedure) {
      free.narrow = [];
      free.wide = [];
      procedure = own;
    }
    const over: number[] = [];
    for (let other = byEnd[ended]; other && other.last < first; ended += 1, other = byEnd[ended])
      if (other.procedure === procedure) over.push(other.register);
    // The place that was given last is taken first.
    if (over.length > 1) over.sort((a, b) => at(rank, b) - at(rank, a));
    for (const other of over) free[sizeOf(other)].push(at(offsets, other));
    const size = sizeOf(register);
    let offset = free[size].pop();
    if (offset === undefined) {
      offset = end;
      end += size === "wide" ? 256 : 128;
    }
    offsets[register] = offset;
  }
  return { offsets, warpBytes: end };
}

function findIntervals(
  blocks: readonly CodeBlock[],
  { liveness, laneLoads }: { readonly liveness: Liveness; readonly laneLoads: LaneLoads },
  count: number,
): Interval[] {
  const uses = new Uses(count);
  /** The last segment that touched a register. */
  const touched = new Int32Array(count);
  let segment = 0;
  for (const [index, block] of blocks.entries()) {
    uses.procedure = block.procedure;
    uses.addLive(liveness.liveIn[index]);
    segment += 1;
    const first = segment;
    let wasWarpWide = false;
    for (const instruction of block.instructions) {
      uses.position += 1;
      const warpWide = isWarpWide(instruction) && !laneLoads.has(instruction);
      if (warpWide || wasWarpWide) segment += 1;
      wasWarpWide = warpWide;
      const { writes, reads } = rolesOf(instruction);
      for (const registers of [writes, reads]) {
        for (const register of registers) {
          const before = at(touched, register);
          uses.add(register, warpWide || (before >= first && before !== segment));
          touched[register] = segment;
        }
      }
    }
    uses.position += 1;
    for (const register of terminatorReads(block.terminator)) uses.add(register, true);
    for (const register of terminatorWrites(block.terminator)) uses.add(register, true);
    uses.addLive(liveness.liveOut[index]);
    uses.position += 1;
  }
  return uses.found.filter(({ register }) => uses.isNeeded(register));
}

/** Where registers are met, from first to last, and which of them leave a segment. */
class Uses {
  readonly found: Interval[] = [];
  position = 0;
  procedure = 0;
  private readonly known: (Interval | undefined)[];
  private readonly needed: Uint8Array;

  constructor(private readonly count: number) {
    this.known = new Array<Interval | undefined>(count).fill(undefined);
    this.needed = new Uint8Array(count);
  }

  isNeeded(register: number): boolean {
    return this.needed[register] === 1;
  }

  add(register: number, isNeeded: boolean): void {
    if (isNeeded) this.needed[register] = 1;
    const known = this.known[register];
    if (known) {
      known.last = this.position;
      return;
    }
    const interval = { register, procedure: this.procedure, first: this.position, last: this.position };
    this.known[register] = interval;
    this.found.push(interval);
  }

  addLive(set: Uint32Array | undefined): void {
    if (!set) return;
    for (let word = 0; word < set.length; word += 1) {
      // The lowest bit of what is left, until nothing is.
      for (let rest = set[word] ?? 0; rest !== 0; rest &= rest - 1) {
        const register = word * 32 + 31 - Math.clz32(rest & -rest);
        if (register < this.count) this.add(register, true);
      }
    }
  }
}
