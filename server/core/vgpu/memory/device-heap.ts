import type { FreeResult, Room, Stretch } from "./device-arena";

/** What the heap needs to know of a block. */
export interface HeapBlock extends Stretch {
  readonly address: bigint;
}

/** Where the heap's memory comes from, and who keeps its blocks in the book of allocations. */
export interface HeapOwner<Block> {
  /** A stretch of linear memory, for good: where it starts. Throws a RangeError when there is none. */
  reserve(bytes: number): number;
  hold(name: string, bytes: number, room: Room): Block;
  drop(block: Block): void;
}

/** As large as CUDA's own heap unless told otherwise (cudaLimitMallocHeapSize). */
const defaultBytes = 8 * 1024 * 1024;
/** Guard before and behind each block. */
const guardBytes = 32;
const alignment = 16;

/**
 * The heap that kernels allocate from with malloc. Its memory is reserved before the first kernel that may
 * need it; each block is an allocation of its own with guard bands. Freed blocks are used again only when
 * nothing else is left, oldest first, so that accesses to them are found.
 */
export class DeviceHeap<Block extends HeapBlock> {
  /** Bytes in all; what is set after the reservation has no effect. */
  size = defaultBytes;
  private readonly live = new Map<bigint, Block>();
  private readonly freed: Block[] = [];
  private holes: Stretch[] = [];
  private isReserved = false;

  constructor(private readonly owner: HeapOwner<Block>) {}

  /** Blocks freed and not used again since. */
  get retired(): readonly Block[] {
    return this.freed;
  }

  /** Sets the memory aside, once. Throws a RangeError when it does not fit. */
  reserve(): void {
    if (this.isReserved) return;
    this.isReserved = true;
    const from = this.owner.reserve(this.size);
    this.holes = [{ from, to: from + this.size }];
  }

  /** malloc: an allocation of its own; undefined when the heap, which has been reserved, has no room. */
  allocate(name: string, bytes: number): Block | undefined {
    const room = this.place(bytes);
    if (!room) return undefined;
    const block = this.owner.hold(name, bytes, room);
    this.live.set(block.address, block);
    return block;
  }

  /** True for the start of a block in use. */
  holds(address: bigint): boolean {
    return this.live.has(address);
  }

  /** free, by the address of a block's start. */
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
