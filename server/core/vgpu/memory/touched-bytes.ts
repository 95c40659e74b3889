import { type Allocation, linearAddress } from "./device-memory";

/** A range of bytes of an allocation, [from, to), and how many bytes of it were touched. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** How memory is accessed. */
type Access = "load" | "store" | "atomic";

/** An instruction that accesses so many bytes of each lane. */
interface Accessed {
  readonly access: Access;
  readonly bytes: number;
}

/** Lanes of a warp, the first by the number of its thread in the launch. */
interface LaneRun {
  readonly lanes: number;
  readonly thread: number;
}

/** Marks of a byte. */
const marks = { read: 1, written: 2, readFirst: 4, atomic: 8 } as const;

/** Multiplied by a mark: every byte of a word has it. */
const inEachByte = 0x0101_0101;

/** Bytes of a page; what is never touched takes no room. */
const pageBits = 14;
const pageBytes = 1 << pageBits;

/** What has been seen of a part of an allocation. */
class Page {
  /** `marks` of each byte, and the same four at a time. */
  readonly bytes = new Uint8Array(pageBytes);
  readonly words = new Uint32Array(this.bytes.buffer);
  /** The thread that stored last (its number + 1), and -1 once there were two: of each word. */
  writers?: Int32Array;
  /** The same of each byte, for stores narrower than a word. */
  byteWriters?: Int32Array;
  /** The bytes that have each mark, where they were asked for since the page was last touched. */
  spans: Map<number, Span> | undefined;
}

/** Marks that a byte has after an access, or with `inEachByte` those of the four of a word. */
function after(access: Access, before: number, each = 1): number {
  if (access === "store") return before | (marks.written * each);
  const fresh = ~before & (marks.written * each);
  const read = before | (marks.read * each) | (fresh * (marks.readFirst / marks.written));
  return access === "load" ? read : read | ((marks.written | marks.atomic) * each);
}

/** A mark that says that an access of this kind changes nothing any more. */
const settling = { load: marks.read, store: marks.written, atomic: marks.atomic };

/** Which bytes of one allocation a launch has touched, how, and by how many threads. */
export class TouchedBytes {
  readonly start: number;
  readonly end: number;
  isAtomic = false;
  /** The first thread that touched the last of the touched bytes, by its number in the launch. */
  lastThread = 0;
  private highest = -1;
  private readonly pages = new Map<number, Page>();
  private recent: { readonly number: number; readonly page: Page } | undefined;
  /** Lane accesses by bytes of an element, floating elements as negative numbers. */
  private readonly widths = new Map<number, number>();

  constructor(private readonly allocation: Allocation) {
    this.start = linearAddress(allocation.address);
    this.end = this.start + allocation.bytes;
  }

  get name(): string {
    return this.allocation.name;
  }

  /** An access of a lane, aligned to its bytes or to 16. `thread`: its number in the launch. */
  note({ access, bytes }: Accessed, offset: number, thread: number): void {
    const page = this.page(offset >> pageBits);
    const from = offset & (pageBytes - 1);
    const to = Math.min(from + bytes, pageBytes);
    if (offset + bytes > this.highest) {
      this.highest = offset + bytes;
      this.lastThread = thread;
    }
    if (bytes === 4 && (from & 3) === 0) {
      const settled = settling[access] * inEachByte;
      if (((page.words[from >> 2] ?? 0) & settled) !== settled) noteBytes(page, { access, from, to });
    } else noteBytes(page, { access, from, to });
    if (access === "store") noteWriter(page, { from, to, thread: thread + 1 });
    else if (access === "atomic") this.isAtomic = true;
  }

  /**
   * Loads of so many lanes side by side, the first at `offset`: the same as a `note` of each. False where
   * each has to be noted.
   */
  noteRun(bytes: number, offset: number, { lanes, thread }: LaneRun): boolean {
    const from = offset & (pageBytes - 1);
    const to = from + bytes * lanes;
    if (((from | to) & 3) !== 0 || to > pageBytes) return false;
    const { words } = this.page(offset >> pageBits);
    const settled = settling.load * inEachByte;
    for (let at = from >> 2; at < to >> 2; at += 1) {
      const before = words[at] ?? 0;
      if ((before & settled) !== settled) words[at] = after("load", before, inEachByte);
    }
    if (offset + bytes * lanes > this.highest) {
      this.highest = offset + bytes * lanes;
      this.lastThread = thread + lanes - 1;
    }
    return true;
  }

  /** A copy touched bytes from one to before another. */
  noteCopy(access: "load" | "store", from: number, to: number): void {
    for (let start = from; start < to; start = ((start >> pageBits) + 1) << pageBits) {
      const end = Math.min(to, ((start >> pageBits) + 1) << pageBits);
      const within = start & (pageBytes - 1);
      noteBytes(this.page(start >> pageBits), { access, from: within, to: within + end - start });
    }
  }

  /** A launch begins: its threads are others than those of the one before. */
  forgetWriters(): void {
    for (const page of this.pages.values()) {
      delete page.writers;
      delete page.byteWriters;
    }
  }

  noteWidth(width: number, count: number): void {
    this.widths.set(width, (this.widths.get(width) ?? 0) + count);
  }

  /** Bytes of the elements that were accessed most, negative for floating types. */
  widest(): number {
    const [widest = 4] = [...this.widths].sort((a, b) => b[1] - a[1]).map(([width]) => width);
    return widest;
  }

  /** The bytes that have a mark; undefined where none has. */
  span(mark: keyof typeof marks): Span | undefined {
    let [from, to, bytes] = [Number.POSITIVE_INFINITY, 0, 0];
    for (const [number, page] of this.pages) {
      const found = spanIn(page, marks[mark]);
      if (found.bytes === 0) continue;
      from = Math.min(from, number * pageBytes + found.from);
      to = Math.max(to, number * pageBytes + found.to);
      bytes += found.bytes;
    }
    return bytes === 0 ? undefined : { from, to, bytes };
  }

  /** Bytes that several threads stored to. */
  contended(): number {
    let count = 0;
    for (const { writers, byteWriters } of this.pages.values()) {
      writers?.forEach((writer) => (count += writer === -1 ? 4 : 0));
      byteWriters?.forEach((writer) => (count += writer === -1 ? 1 : 0));
    }
    return count;
  }

  private page(number: number): Page {
    if (this.recent?.number === number) {
      this.recent.page.spans = undefined;
      return this.recent.page;
    }
    const page = this.pages.get(number) ?? new Page();
    page.spans = undefined;
    this.pages.set(number, page);
    this.recent = { number, page };
    return page;
  }
}

/** A host that launches for one row after the other leaves most pages as they are. */
function spanIn(page: Page, mark: number): Span {
  page.spans ??= new Map();
  const known = page.spans.get(mark) ?? spanOf(page, mark);
  page.spans.set(mark, known);
  return known;
}

function spanOf({ words }: Page, mark: number): Span {
  let [from, to, bytes] = [pageBytes, 0, 0];
  for (let at = 0; at < words.length; at += 1) {
    const marked = ((words[at] ?? 0) & (mark * inEachByte)) / mark;
    if (marked === 0) continue;
    if (bytes === 0) from = at * 4 + lowest(marked);
    to = at * 4 + highest(marked) + 1;
    // The highest byte of this product is the sum of the four.
    bytes += Math.imul(marked, inEachByte) >>> 24;
  }
  return { from, to, bytes };
}

/** Which of the four bytes of a word is the first that is not zero. */
function lowest(word: number): number {
  return (31 - Math.clz32(word & -word)) >> 3;
}

function highest(word: number): number {
  return (31 - Math.clz32(word)) >> 3;
}

interface ByteAccess {
  readonly access: Access;
  readonly from: number;
  readonly to: number;
}

function noteBytes({ bytes, words }: Page, { access, from, to }: ByteAccess): void {
  let at = from;
  for (; at < to && (at & 3) !== 0; at += 1) bytes[at] = after(access, bytes[at] ?? 0);
  for (; at + 4 <= to; at += 4) words[at >> 2] = after(access, words[at >> 2] ?? 0, inEachByte);
  for (; at < to; at += 1) bytes[at] = after(access, bytes[at] ?? 0);
}

function noteWriter(
  page: Page,
  { from, to, thread }: { readonly from: number; readonly to: number; readonly thread: number },
): void {
  if (to - from < 4) {
    page.byteWriters ??= new Int32Array(pageBytes);
    noteThread(page.byteWriters, { from, to, thread });
    return;
  }
  page.writers ??= new Int32Array(pageBytes >> 2);
  noteThread(page.writers, { from: from >> 2, to: (to + 3) >> 2, thread });
}

function noteThread(
  writers: Int32Array,
  { from, to, thread }: { readonly from: number; readonly to: number; readonly thread: number },
): void {
  for (let at = from; at < to; at += 1) {
    const before = writers[at] ?? 0;
    if (before === 0) writers[at] = thread;
    else if (before !== thread) writers[at] = -1;
  }
}
