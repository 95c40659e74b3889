import type { ArchitectureTiming } from "../../timing/gpu-timing";

/** Latencies over which the load is averaged. */
const remembered = 4;
/** Beyond it the queue for DRAM itself holds requests up. */
const mostLoad = 0.95;

/** The queue for DRAM, how busy that is, and how much longer it makes the answers. */
export class MemoryQueue {
  private readonly span: number;
  private free = 0;
  private latest = 0;
  private share = 0;

  constructor(private readonly timing: ArchitectureTiming) {
    this.span = remembered * timing.latency.memory;
  }

  /** When a request is through that came at a clock and takes so many clocks of DRAM. */
  turn(from: number, clocks: number): number {
    const passed = Math.max(0, from - this.latest);
    this.latest += passed;
    this.share = this.share * Math.exp(-passed / this.span) + clocks / this.span;
    this.free = Math.max(this.free, from) + clocks;
    return this.free;
  }

  /**
   * Clocks that a request waits longer than on an idle memory: as of a queue with one server, it grows with
   * load / (1 - load).
   */
  get waiting(): number {
    const load = Math.min(mostLoad, this.share);
    return (this.timing.memory.loadedCycles * load) / (1 - load);
  }
}
