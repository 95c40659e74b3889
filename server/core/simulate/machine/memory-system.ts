import type { ArchitectureTiming } from "../../timing/gpu-timing";
import type { AccessCost } from "./accesses";

/** What one multiprocessor gets of what all share, in bytes a clock. */
export interface MemoryShares {
  readonly secondLevelBytesPerClock: number;
  readonly memoryBytesPerClock: number;
  /** Multiprocessors at work. */
  readonly multiprocessors: number;
}

/** When an access is through with what. */
export interface AccessTimes {
  /** It has left the queue of its sub-core. */
  readonly accepted: number;
  /** Its registers may be used again. */
  readonly read: number;
  /** Its result is there. */
  readonly done: number;
}

const sectorBytes = 32;
const bytesOfVector = 16;

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
  private loadStoreFree = 0;
  private secondLevelFree = 0;
  private memoryFree = 0;
  private atomicsFree = 0;
  private readonly flight: { readonly until: number; readonly sectors: number }[] = [];
  private landed = 0;
  private inFlight = 0;

  constructor(
    private readonly timing: ArchitectureTiming,
    private readonly shares: MemoryShares,
  ) {}

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
    if (cost.space === "local") return { accepted: start, read, done: through + latency.firstLevel };
    const beyond = cost.sectors * (cost.direction === "load" ? 1 - cost.firstLevel : 1);
    if (beyond <= 0 || level === "first") {
      this.transfer(cost, through, beyond);
      return { accepted: start, read, done: through + latency.firstLevel };
    }
    const entered = Math.max(through, this.roomFor(beyond));
    if (entered > through) this.loadStoreFree = Math.max(this.loadStoreFree, entered - clocks);
    const done = this.transfer(cost, entered, beyond) + this.latencyOf(cost, level);
    this.flight.push({ until: done, sectors: beyond });
    this.inFlight += beyond;
    return { accepted: Math.max(start, entered - clocks), read: Math.max(read, entered), done };
  }

  /** Moves sectors through the queues; gives when the last has its turn. */
  private transfer(cost: AccessCost, from: number, sectors: number): number {
    const { secondLevelBytesPerClock, memoryBytesPerClock } = this.shares;
    const clocks = (sectors * sectorBytes) / secondLevelBytesPerClock;
    this.secondLevelFree = Math.max(this.secondLevelFree, from) + clocks;
    this.work.secondLevel += clocks;
    let turn = this.secondLevelFree;
    if (cost.memory > 0) {
      const fetched = (cost.sectors * cost.memory * sectorBytes) / memoryBytesPerClock;
      this.memoryFree = Math.max(this.memoryFree, from) + fetched;
      this.work.memory += fetched;
      turn = Math.max(turn, this.memoryFree);
    }
    if (cost.direction !== "atomic") return turn;
    const atomics = this.atomicClocks(cost);
    this.atomicsFree = Math.max(this.atomicsFree, from) + atomics;
    this.work.atomics += atomics;
    return Math.max(turn, this.atomicsFree);
  }

  /** Atomics of all multiprocessors meet in the slices of the second level, those of one address in one. */
  private atomicClocks({ sectors, passes, spread }: AccessCost): number {
    const { memory } = this.timing;
    const slices = Math.min(spread, memory.secondLevelSlices);
    return (sectors * passes * this.shares.multiprocessors) / (slices * memory.atomicsPerClockPerSlice);
  }

  /** Clocks of the pipe that all sub-cores share. */
  private pipeClocks(cost: AccessCost): number {
    const { memory, rates } = this.timing;
    const addresses = 32 / rates.loadStore;
    if (cost.space === "shared")
      return Math.max(
        memory.sharedRequestCycles,
        cost.wavefronts * (cost.direction === "atomic" ? cost.passes : 1),
      );
    const bytes =
      cost.width >= bytesOfVector
        ? memory.firstLevelBytesPerClockVector
        : memory.firstLevelBytesPerClockScalar;
    const data = (cost.sectors * sectorBytes) / bytes;
    const written = cost.direction === "copy" ? cost.wavefronts : 0;
    return Math.max(addresses, data, cost.lines, written);
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
    return extra + (level === "memory" ? latency.memory : latency.secondLevel);
  }

  /** When there is room for further sectors on their way. */
  private roomFor(sectors: number): number {
    const most = this.timing.memory.sectorsInFlightPerSm;
    let when = 0;
    while (this.landed < this.flight.length && this.inFlight + sectors > most) {
      const oldest = this.flight[this.landed];
      if (oldest === undefined) break;
      when = oldest.until;
      this.inFlight -= oldest.sectors;
      this.landed += 1;
    }
    if (this.landed > flightsKept) {
      this.flight.splice(0, this.landed);
      this.landed = 0;
    }
    return when;
  }
}

/** Requests that have ended are forgotten in lots of this size. */
const flightsKept = 4096;
