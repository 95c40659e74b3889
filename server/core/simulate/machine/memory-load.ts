import type { ArchitectureTiming } from "../../timing/gpu-timing";

/** Latencies over which the load is averaged. */
const remembered = 4;
/** Beyond it the queue for DRAM itself holds requests up. */
const mostLoad = 0.95;

/** How busy DRAM is, and how much longer that makes its answers. */
export class MemoryLoad {
  private readonly span: number;
  private latest = 0;
  private share = 0;

  constructor(private readonly timing: ArchitectureTiming) {
    this.span = remembered * timing.latency.memory;
  }

  /** DRAM works for so many clocks of its time, on a request that came at a clock. */
  add(from: number, clocks: number): void {
    const passed = Math.max(0, from - this.latest);
    this.latest += passed;
    this.share = this.share * Math.exp(-passed / this.span) + clocks / this.span;
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
