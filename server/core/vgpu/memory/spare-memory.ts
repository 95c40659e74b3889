import { DeviceMemory } from "./device-memory";

/** A larger memory is left to the system, which gives cleared pages as they are touched. */
const mostClearedBytes = 16 * 1024 * 1024;

/**
 * Empty memories for launches one after the other, over one linear memory: making one, and having its pages
 * cleared as they are touched, takes longer than a small launch.
 */
export class SpareMemory {
  private cleared: WebAssembly.Memory | undefined;

  /** A memory without allocations, all zeroes. */
  take(): DeviceMemory {
    const { cleared } = this;
    this.cleared = undefined;
    return new DeviceMemory(cleared && { cleared });
  }

  /** Takes back a memory that nothing uses any more. */
  giveBack({ memory, arena: { used } }: DeviceMemory): void {
    if (used > mostClearedBytes) return;
    new Uint8Array(memory.buffer, 0, used).fill(0);
    this.cleared = memory;
  }
}
