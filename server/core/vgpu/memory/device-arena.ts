import { alignUp } from "../numbers";

/** A stretch of linear memory, from inclusive to exclusive. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Room for an allocation with guard bands before and behind it. */
export interface Room extends Stretch {
  /** Where the allocation starts; a multiple of 256. */
  readonly linear: number;
  /**
   * Nothing has ever been stored from here on, so that all is zero; left out when that is not known of any
   * byte.
   */
  readonly fresh?: number;
}

/**
 * What became of a request to free: `unknown` addresses are no start of an allocation, `freed-before` ones
 * were one.
 */
export type FreeResult = "freed" | "freed-before" | "unknown";

export const pageBytes = 65536;
/** Least bytes of guard before and after each allocation. */
const guardBytes = 4096;
/**
 * Freed bytes that are kept out of use, so that accesses to them are told from accesses to what came after.
 * The oldest leave first.
 */
const quarantineBytes = 256 * 1024 * 1024;
/** WebAssembly's linear memory ends at 4 GiB. */
const maximumBytes = 4 * 1024 * 1024 * 1024 - pageBytes;

/** One growing linear memory, handed out in stretches; freed ones stay in quarantine while there is room. */
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

  /** `shared`: the memory is one that threads share. */
  constructor(shared: boolean) {
    this.memory = new WebAssembly.Memory({ initial: 2, maximum: 65536, shared });
  }

  /** Items freed and not used again since, oldest first. */
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

  /**
   * Makes the memory at least `end` bytes large, for use. Throws a RangeError when that is more than there
   * can be.
   */
  reserve(end: number): void {
    if (end > maximumBytes) throw new RangeError("the virtual GPU's memory of 4 GiB is used up");
    const missing = end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / pageBytes));
    this.fresh = Math.max(this.fresh, end);
  }

  /** Lets the oldest freed item's memory be used again, joined with free neighbours. */
  private release(): void {
    const item = this.quarantine.shift();
    if (!item) return;
    this.kept -= item.to - item.from;
    const before = this.holes.find((each) => each.to === item.from);
    const after = this.holes.find((each) => each.from === item.to);
    const joined = { from: before?.from ?? item.from, to: after?.to ?? item.to };
    this.holes = [...this.holes.filter((each) => each !== before && each !== after), joined];
  }

  /** Takes room from the start of the first hole that has it. */
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
