import { alignUp } from "../numbers";

/** A range of linear memory, [from, to). */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Room for an allocation, with guard bands on both sides. */
export interface Room extends Stretch {
  /** Start of the allocation; a multiple of 256. */
  readonly linear: number;
  /**
   * All bytes from here on are known to be zero, since nothing was ever stored there; left out when that is
   * known of none.
   */
  readonly fresh?: number;
}

/**
 * Result of a request to free: `unknown`: the address is not the start of an allocation; `freed-before`: it
 * was one.
 */
export type FreeResult = "freed" | "freed-before" | "unknown";

export const pageBytes = 65536;
/** The least size of a guard band, in bytes. */
const guardBytes = 4096;
/**
 * Freed bytes that stay in quarantine, so that accesses to them are not mistaken for accesses to a later
 * allocation. The oldest leave first.
 */
const quarantineBytes = 256 * 1024 * 1024;
/** WebAssembly's linear memory ends at 4 GiB. */
const maximumBytes = 4 * 1024 * 1024 * 1024 - pageBytes;

/** One growing linear memory, allocated in ranges. Freed ranges stay in quarantine while there is room. */
export class DeviceArena<Item extends Stretch> {
  /** The linear memory that generated code works on. */
  readonly memory: WebAssembly.Memory;
  /** First byte that nothing uses. */
  end = pageBytes;
  private holes: Stretch[] = [];
  private readonly quarantine: Item[] = [];
  /** Bytes in quarantine. */
  private kept = 0;
  /** First byte that nothing has used yet: allocations, working memory of launches or shadows. */
  private fresh = pageBytes;

  /** `shared`: threads share the memory. `cleared`: a memory of zeroes that another arena has left. */
  constructor(shared: boolean, cleared?: WebAssembly.Memory) {
    this.memory = cleared ?? new WebAssembly.Memory({ initial: 2, maximum: 65536, shared });
  }

  /** Bytes beyond this one are zero, since nothing has used them. */
  get used(): number {
    return this.fresh;
  }

  /** Freed items that have not been reused, oldest first. */
  get retired(): readonly Item[] {
    return this.quarantine;
  }

  /** Finds room for an allocation. Throws a RangeError when the memory is used up. */
  place(bytes: number): Room {
    const used = this.take(bytes);
    if (used) return used;
    const room = { ...roomAt(this.end, bytes), fresh: this.fresh };
    try {
      this.reserve(room.to);
    } catch (thrown) {
      if (!(thrown instanceof RangeError) || this.quarantine.length === 0) throw thrown;
      while (this.quarantine.length > 0) this.release();
      return this.place(bytes);
    }
    this.end = room.to;
    return room;
  }

  /** Puts a freed item into quarantine. */
  retire(item: Item): void {
    this.quarantine.push(item);
    this.kept += item.to - item.from;
    while (this.kept > quarantineBytes) this.release();
  }

  /** Grows the memory to at least `end` bytes. Throws a RangeError beyond the limit. */
  reserve(end: number): void {
    if (end > maximumBytes) throw new RangeError("the virtual GPU's memory of 4 GiB is used up");
    const missing = end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / pageBytes));
    this.fresh = Math.max(this.fresh, end);
  }

  /** Releases the oldest item from quarantine, and joins its memory with free neighbours. */
  private release(): void {
    const item = this.quarantine.shift();
    if (!item) return;
    this.kept -= item.to - item.from;
    const before = this.holes.find((each) => each.to === item.from);
    const after = this.holes.find((each) => each.from === item.to);
    const joined = { from: before?.from ?? item.from, to: after?.to ?? item.to };
    this.holes = [...this.holes.filter((each) => each !== before && each !== after), joined];
  }

  /** First fit: takes room from the start of the first hole that is large enough. */
  private take(bytes: number): Room | undefined {
    const index = this.holes.findIndex(({ from, to }) => roomAt(from, bytes).to <= to);
    const found = this.holes[index];
    if (!found) return undefined;
    const room = roomAt(found.from, bytes);
    this.holes.splice(index, 1, ...(room.to < found.to ? [{ from: room.to, to: found.to }] : []));
    return room;
  }
}

function roomAt(from: number, bytes: number): Room {
  const linear = alignUp(from + guardBytes, 256);
  return { from, linear, to: linear + bytes + guardBytes };
}
