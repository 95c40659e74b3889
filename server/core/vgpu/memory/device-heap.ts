import type { FreeResult, Room, Stretch } from "./device-arena";

/** What the heap knows of a block. */
interface HeapBlock extends Stretch {
  readonly address: bigint;
  readonly bytes: number;
}

/** Source of the heap's memory, and owner of the list of allocations. */
interface HeapOwner<Block> {
  /**
   * Reserves a range of linear memory permanently; returns its start. Throws a RangeError when there is none.
   */
  reserve(bytes: number): number;
  hold(name: string, bytes: number, room: Room): Block;
  drop(block: Block): void;
}

/** By default as large as CUDA's own heap (cudaLimitMallocHeapSize). */
const defaultBytes = 8 * 1024 * 1024;
/** Bytes of guard on either side of each block. */
const guardBytes = 32;
const alignment = 16;

/**
 * The heap of malloc in kernels. Its memory is reserved before the first kernel that may need it. Each block
 * is an allocation with guard bands. Freed blocks are reused only when nothing else is left, oldest first, so
 * that accesses to them are found.
 */
export class DeviceHeap<Block extends HeapBlock> {
  /** Size in bytes. Setting it after the reservation has no effect. */
  size = defaultBytes;
  private readonly live = new Map<bigint, Block>();
  private readonly freed: Block[] = [];
  private holes: Stretch[] = [];
  private isReserved = false;

  constructor(private readonly owner: HeapOwner<Block>) {}

  /** Freed blocks that have not been reused. */
  get retired(): readonly Block[] {
    return this.freed;
  }

  /** Bytes of all blocks that were taken and not freed. */
  get taken(): number {
    return [...this.live.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Reserves the memory, once. Throws a RangeError when it does not fit. */
  reserve(): void {
    if (this.isReserved) return;
    this.isReserved = true;
    const from = this.owner.reserve(this.size);
    this.holes = [{ from, to: from + this.size }];
  }

  /** malloc: a new allocation; undefined when the reserved heap has no room. */
  allocate(name: string, bytes: number): Block | undefined {
    const room = this.place(bytes);
    if (!room) return undefined;
    const block = this.owner.hold(name, bytes, room);
    this.live.set(block.address, block);
    return block;
  }

  /** Whether an address is the start of a live block. */
  holds(address: bigint): boolean {
    return this.live.has(address);
  }

  /** free. `address`: start of a block. */
  free(address: bigint): FreeResult {
    const block = this.live.get(address);
    if (!block) return this.freed.some((entry) => entry.address === address) ? "freed-before" : "unknown";
    this.live.delete(address);
    this.freed.push(block);
    this.owner.drop(block);
    return "freed";
  }

  private place(bytes: number): Room | undefined {
    const whole = guardBytes + Math.ceil(bytes / alignment) * alignment + guardBytes;
    for (;;) {
      const index = this.holes.findIndex(({ from, to }) => to - from >= whole);
      const hole = this.holes[index];
      if (hole) {
        const to = hole.from + whole;
        this.holes.splice(index, 1, ...(to < hole.to ? [{ from: to, to: hole.to }] : []));
        return { from: hole.from, linear: hole.from + guardBytes, to };
      }
      const oldest = this.freed.shift();
      if (!oldest) return undefined;
      this.release(oldest);
    }
  }

  private release({ from, to }: Stretch): void {
    const before = this.holes.find((hole) => hole.to === from);
    const after = this.holes.find((hole) => hole.from === to);
    const joined = { from: before?.from ?? from, to: after?.to ?? to };
    this.holes = [...this.holes.filter((hole) => hole !== before && hole !== after), joined].sort(
      (a, b) => a.from - b.from,
    );
  }
}
