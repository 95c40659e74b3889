import { isOfHost } from "../allocation-names";
import { type AllocationKind, allocationKind, type HostCalls } from "../../../../core/timing/host/host-calls";

/** What the runtime calls memory of a pool. */
const pooledName = "pooled allocation";

/** The program's memory, as the device knows it. */
interface ProgramMemory {
  allocated(): readonly bigint[];
  /** Bytes of an allocation. */
  sizeAt(address: bigint): number;
  /** What the runtime calls it. */
  nameAt(address: bigint): string;
}

/**
 * Counts what host code asks of the runtime in one case. What a harness or the runtime does for itself names
 * no place in the user's code and is not counted as theirs.
 */
export class HostCallCount {
  private readonly copies = { toHost: { calls: 0, bytes: 0 }, toDevice: { calls: 0, bytes: 0 } };
  private readonly allocations = { small: 0, large: 0, pooled: 0 };
  /** Memory that the program holds since before the case. */
  private readonly kept: ReadonlySet<bigint>;
  private readonly pinned = { calls: 0, bytes: 0 };
  private sharedBytes = 0;
  private waits = 0;
  /** Work was given to the GPU since the host last waited for it; a wait which no work has followed yet. */
  private isBusy = false;
  private hasWaited = false;

  /** `lent`: where the buffers begin that the case is given. */
  constructor(
    private readonly memory: ProgramMemory,
    lent: readonly bigint[],
  ) {
    this.kept = new Set(memory.allocated().filter((address) => !lent.includes(address)));
  }

  /** A launch, a fill or a copy on the device. */
  worked(): void {
    if (this.hasWaited) this.waits += 1;
    this.hasWaited = false;
    this.isBusy = true;
  }

  /** The program waited for the GPU. */
  waited(where: string): void {
    if (where === "" || !this.isBusy) return;
    this.isBusy = false;
    this.hasWaited = true;
  }

  /** A copy between host and device, or a further piece of one. */
  copied(way: "toHost" | "toDevice", bytes: number, isFirst = true): void {
    this.copies[way].calls += isFirst ? 1 : 0;
    this.copies[way].bytes += bytes;
    // Who copies waits for what was before, which is part of the copy's price.
    this.hasWaited = false;
    this.isBusy = false;
  }

  /** Bytes that crossed because host and device share memory. */
  shared(bytes: number): void {
    this.sharedBytes += bytes;
  }

  /** The program took memory; `name`: the runtime's for it. */
  took(bytes: number, name: string): void {
    if (!isOfHost(name)) {
      this.allocations[kindOf(bytes, name)] += 1;
      return;
    }
    this.pinned.calls += 1;
    this.pinned.bytes += bytes;
  }

  /**
   * Memory that an earlier call has kept for this one costs what taking it would; pages of the host, which
   * no program locks for each call, what as much memory of the device does.
   */
  counted(): HostCalls {
    const allocations = { ...this.allocations };
    const { toHost, toDevice } = this.copies;
    for (const address of this.memory.allocated())
      if (this.kept.has(address)) allocations[this.kindAt(address)] += 1;
    const { waits, sharedBytes, pinned } = this;
    return {
      ...{ toHost, toDevice, waits, allocations, sharedBytes },
      ...(pinned.calls > 0 && { pinned: { ...pinned } }),
    };
  }

  private kindAt(address: bigint): AllocationKind {
    return kindOf(this.memory.sizeAt(address), this.memory.nameAt(address));
  }
}

function kindOf(bytes: number, called: string): AllocationKind {
  return called.startsWith(pooledName) ? "pooled" : allocationKind(bytes);
}
