import {
  type DeviceMemory,
  type LastStore,
  type LaunchRequest,
  linearAddress,
} from "../../../../core/vgpu/index";

/** A byte of an allocation whose last writer among the threads of kernels is asked for. */
export class WatchedByte {
  private last: { readonly by: LastStore; readonly hostWrites: number } | undefined;

  constructor(
    private readonly memory: DeviceMemory,
    private readonly allocation: bigint,
    private readonly byte: number,
  ) {}

  /** What each launch has to be told of it. */
  get place(): NonNullable<LaunchRequest["watched"]> {
    return {
      address: linearAddress(this.allocation) + this.byte,
      stored: (by) => {
        this.last = { by, hostWrites: this.hostWrites };
      },
    };
  }

  /**
   * Undefined where a copy or a fill has written to the allocation since a thread did: the value may be that
   * one's.
   */
  get writer(): LastStore | "nobody" | undefined {
    if (this.last === undefined) return "nobody";
    return this.last.hostWrites === this.hostWrites ? this.last.by : undefined;
  }

  private get hostWrites(): number {
    return this.memory.changed.lastWriteTo(this.allocation);
  }
}
