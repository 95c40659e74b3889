import type { ArchitectureTiming } from "../../timing/gpu-timing";
import { type AccessCost, isNear, leastWavefronts } from "./accesses";
import { MemoryQueue } from "./memory-queue";
import { SectorsInFlight } from "./sectors-in-flight";

/** What one multiprocessor gets of what all share, in bytes a clock. */
export interface MemoryShares {
  readonly secondLevelBytesPerClock: number;
  /** Of stores, which take turns with loads. */
  readonly secondLevelStoreBytesPerClock: number;
  readonly memoryBytesPerClock: number;
  /** Slices of the second level. */
  readonly slices: number;
  /** Multiprocessors at work. */
  readonly multiprocessors: number;
}

/** When an access is through with what. */
interface AccessTimes {
  /** It has left the queue of its sub-core. */
  readonly accepted: number;
  /** Its registers may be used again. */
  readonly read: number;
  /** Its result is there. */
  readonly done: number;
}

const sectorBytes = 32;
const bytesOfVector = 16;
const lanes = 32;

/** Clocks that the parts of the memory system were busy. */
export interface MemoryWork {
  loadStore: number;
  secondLevel: number;
  memory: number;
  atomics: number;
}

/**
 * The memory system as one multiprocessor sees it: a pipe for loads and stores, and behind it the second
 * level and DRAM as queues with this multiprocessor's share of their bandwidth. Times are clocks.
 */
export class MemorySystem {
  readonly work: MemoryWork = { loadStore: 0, secondLevel: 0, memory: 0, atomics: 0 };
  /** When all that was written and added so far is done: a launch does not end before. */
  settled = 0;
  private loadStoreFree = 0;
  private secondLevelFree = 0;
  private atomicsFree = 0;
  private slicesFree = 0;
  private readonly flight: SectorsInFlight;
  private readonly dram: MemoryQueue;

  constructor(
    private readonly timing: ArchitectureTiming,
    private readonly shares: MemoryShares,
  ) {
    this.flight = new SectorsInFlight(timing.memory.sectorsInFlightPerSm);
    this.dram = new MemoryQueue(timing);
  }

  /** An access that leaves its sub-core at a time. `level`: which level this one is served by. */
  access(cost: AccessCost, from: number, level: "first" | "second" | "memory"): AccessTimes {
    const { latency } = this.timing;
    const start = Math.max(from, this.loadStoreFree);
    const clocks = this.pipeClocks(cost);
    this.loadStoreFree = start + clocks;
    this.work.loadStore += clocks;
    const through = start + clocks;
    const read = start + latency.operandRead;
    if (cost.space === "shared") return { accepted: start, read, done: through + this.sharedLatency(cost) };
    const beyond = cost.sectors * (isNear(cost) ? 1 - cost.firstLevel : 1);
    if (beyond <= 0 || level === "first") {
      this.transfer(cost, through, beyond);
      return { accepted: start, read, done: through + latency.firstLevel };
    }
    const entered = Math.max(through, this.flight.roomFor(beyond));
    // Asynchronous copies have no registers to wait for: others pass by those that have no room yet.
    const isHeld = entered > through && cost.direction !== "copy";
    if (isHeld) this.loadStoreFree = Math.max(this.loadStoreFree, entered - clocks);
    const done = this.transfer(cost, entered, beyond) + this.latencyOf(cost, level);
    this.flight.add(beyond, done);
    if (!isHeld) return { accepted: start, read, done };
    return { accepted: Math.max(start, entered - clocks), read: Math.max(read, entered), done };
  }

  /** Moves sectors through the queues; gives when the last has its turn. */
  private transfer(cost: AccessCost, from: number, sectors: number): number {
    const { secondLevelBytesPerClock, secondLevelStoreBytesPerClock, memoryBytesPerClock } = this.shares;
    const isStore = cost.direction === "store";
    const clocks =
      (sectors * sectorBytes) / (isStore ? secondLevelStoreBytesPerClock : secondLevelBytesPerClock);
    this.secondLevelFree = Math.max(this.secondLevelFree, from) + clocks;
    this.work.secondLevel += clocks;
    let turn = Math.max(this.secondLevelFree, this.write(cost, from));
    if (cost.memory > 0) {
      const moved = cost.sectors * cost.memory * (1 + cost.unfilled);
      const fetched = (moved * sectorBytes) / memoryBytesPerClock;
      this.work.memory += fetched;
      turn = Math.max(turn, this.dram.turn(from, fetched));
    }
    if (isStore) this.settled = Math.max(this.settled, turn);
    if (cost.direction !== "atomic") return turn;
    const atomics = this.atomicClocks(cost);
    this.atomicsFree = Math.max(this.atomicsFree, from) + atomics;
    this.work.atomics += atomics;
    this.settled = Math.max(this.settled, turn, this.atomicsFree);
    return Math.max(turn, this.atomicsFree);
  }

  /** Writing a part of a sector keeps its slice of the second level: it is read, changed and written. */
  private write(cost: AccessCost, from: number): number {
    const { memory } = this.timing;
    if (cost.partial === 0) return from;
    const clocks =
      (cost.sectors * cost.partial * memory.partialStoreCycles * this.shares.multiprocessors) /
      this.shares.slices;
    this.slicesFree = Math.max(this.slicesFree, from) + clocks;
    this.work.secondLevel += clocks;
    return this.slicesFree;
  }

  /**
   * Atomics of all multiprocessors meet in the slices of the second level, those of one address one after the
   * other: a sum of floats begins when the one before it is complete.
   */
  private atomicClocks({ sectors, passes, spread, isFloat }: AccessCost): number {
    const { memory } = this.timing;
    const slices = Math.min(Math.ceil((spread * sectorBytes) / memory.sliceBytes), this.shares.slices);
    const perSlice = 1 / (slices * memory.atomicsPerClockPerSlice);
    const perAddress = (isFloat ? memory.sameAddressFloatCycles : memory.sameAddressCycles) / spread;
    // A sector takes its turn once, and again for each further lane with one address.
    const operations = Math.min(sectors + passes - 1, lanes);
    return operations * this.shares.multiprocessors * Math.max(perSlice, perAddress);
  }

  /** Clocks of the pipe that all sub-cores share. */
  private pipeClocks(cost: AccessCost): number {
    const { memory, rates } = this.timing;
    const addresses = 32 / rates.loadStore;
    if (cost.space === "shared") return this.sharedClocks(cost);
    const bytes =
      cost.width >= bytesOfVector
        ? memory.firstLevelBytesPerClockVector
        : memory.firstLevelBytesPerClockScalar;
    const data = (cost.sectors * sectorBytes) / bytes;
    const written = cost.direction === "copy" ? cost.wavefronts : 0;
    return Math.max(addresses, memory.globalRequestCycles, data, cost.lines, written);
  }

  /**
   * Passes that conflicts add take longer than those that the width needs. Those of atomic operations do not:
   * lanes of one bank take turns, whether they want one word or several.
   */
  private sharedClocks({ wavefronts, width, direction, passes }: AccessCost): number {
    const { memory } = this.timing;
    if (direction === "atomic") return Math.max(memory.sharedRequestCycles, wavefronts, passes);
    const least = Math.min(wavefronts, leastWavefronts(width));
    const clocks = least + (wavefronts - least) * memory.conflictCycles;
    return Math.max(memory.sharedRequestCycles, clocks);
  }

  private sharedLatency({ direction }: AccessCost): number {
    const { latency } = this.timing;
    if (direction === "atomic") return latency.sharedAtomic;
    return direction === "store" ? latency.sharedStore : latency.sharedLoad;
  }

  private latencyOf({ direction }: AccessCost, level: "second" | "memory"): number {
    const { latency } = this.timing;
    if (direction === "atomic") return latency.globalAtomic;
    const extra = direction === "copy" ? latency.asyncCopy : 0;
    return extra + (level === "memory" ? latency.memory + this.dram.waiting : latency.secondLevel);
  }
}
