import type { MemorySite } from "../../emit/emitters/warp-emitter";
import { lanes, staticLayout, warpLayout } from "../../layout";
import { type Allocation, linearAddress } from "../../memory/device-memory";
import type { LaunchState } from "../state/launch-state";
import type { AllocationAccess, LaunchAccesses, Span } from "../state/types";

/** Marks of a byte. */
const marks = { read: 1, written: 2, readFirst: 4, atomic: 8 } as const;

/** What has been seen of one allocation so far. */
class AllocationRecord {
  readonly start: number;
  readonly end: number;
  /** `marks` of each byte. */
  private readonly seen: Uint8Array;
  /** The thread that wrote each word last (its number + 1), and -1 once there were two. */
  private readonly writers: Int32Array;
  private readonly spans = new Map<number, { low: number; high: number }>();
  /** Lane accesses by bytes of an element, floating elements as negative numbers. */
  private readonly widths = new Map<number, number>();

  constructor(private readonly allocation: Allocation) {
    this.start = linearAddress(allocation.address);
    this.end = this.start + allocation.bytes;
    this.seen = new Uint8Array(allocation.bytes);
    this.writers = new Int32Array((allocation.bytes + 3) >> 2);
  }

  note(site: MemorySite, offset: number, thread: number): void {
    const { access, bytes } = site;
    const limit = Math.min(offset + bytes, this.seen.length);
    for (let at = offset; at < limit; at += 1) this.noteByte(access, at);
    if (access === "store") this.noteWriter(offset, limit, thread);
  }

  noteWidth(width: number, count: number): void {
    this.widths.set(width, (this.widths.get(width) ?? 0) + count);
  }

  result(): AllocationAccess {
    const read = this.spans.get(marks.read);
    const written = this.spans.get(marks.written);
    const readFirst = this.spans.get(marks.readFirst);
    const [widest = 4] = [...this.widths].sort((a, b) => b[1] - a[1]).map(([width]) => width);
    return {
      name: this.allocation.name,
      ...(read === undefined ? {} : { read: this.spanOf(read, marks.read) }),
      ...(written === undefined ? {} : { written: this.spanOf(written, marks.written) }),
      ...(readFirst === undefined ? {} : { readFirst: this.spanOf(readFirst, marks.readFirst) }),
      isAtomic: this.spans.has(marks.atomic),
      contendedWords: this.contended(written),
      elementBytes: Math.abs(widest),
      isFloat: widest < 0,
    };
  }

  private noteByte(access: MemorySite["access"], at: number): void {
    const before = this.seen[at] ?? 0;
    let now = before;
    if (access !== "store") now |= (before & marks.written) === 0 ? marks.read | marks.readFirst : marks.read;
    if (access !== "load") now |= marks.written;
    if (access === "atomic") now |= marks.atomic;
    const fresh = now & ~before;
    if (fresh === 0) return;
    this.seen[at] = now;
    for (const mark of Object.values(marks)) if ((fresh & mark) !== 0) this.extend(mark, at);
  }

  private extend(mark: number, at: number): void {
    const span = this.spans.get(mark);
    if (span === undefined) this.spans.set(mark, { low: at, high: at });
    else if (at < span.low) span.low = at;
    else if (at > span.high) span.high = at;
  }

  private noteWriter(from: number, to: number, thread: number): void {
    for (let word = from >> 2; word < (to + 3) >> 2; word += 1) {
      const last = this.writers[word] ?? 0;
      if (last === 0) this.writers[word] = thread + 1;
      else if (last !== thread + 1) this.writers[word] = -1;
    }
  }

  private spanOf({ low, high }: { readonly low: number; readonly high: number }, mark: number): Span {
    let bytes = 0;
    for (let at = low; at <= high; at += 1) if (((this.seen[at] ?? 0) & mark) !== 0) bytes += 1;
    return { from: low, to: high + 1, bytes };
  }

  /** Words that several threads stored to. */
  private contended(span: { readonly low: number; readonly high: number } | undefined): number {
    if (span === undefined) return 0;
    let count = 0;
    for (let word = span.low >> 2; word <= span.high >> 2; word += 1)
      if (this.writers[word] === -1) count += 1;
    return count;
  }
}

/** Records what a launch touches, for kernels that are compiled with `accesses`. */
export class AccessRecorder {
  private readonly records = new Map<string, AllocationRecord>();
  private readonly order: AllocationRecord[];
  private sharedEnd = 0;
  private readonly loadReach: [number, number, number] = [0, 0, 0];
  private readonly storeReach: [number, number, number] = [0, 0, 0];

  constructor(private readonly state: LaunchState) {
    for (const allocation of state.request.memory.allocations())
      this.records.set(allocation.name, new AllocationRecord(allocation));
    this.order = [...this.records.values()].sort((a, b) => a.start - b.start);
  }

  /** Called by generated code after an address translation. `warp`: linear address. */
  readonly note = (warp: number, index: number, mask: number): void => {
    const { state } = this;
    const site = state.kernel.code.sites[index];
    if (site === undefined || mask === 0) return;
    const words = new Int32Array(state.request.memory.memory.buffer);
    const addresses = (state.base + staticLayout.addresses) >> 2;
    const thread = this.firstThread(words, warp >>> 0);
    let touched: AllocationRecord | undefined;
    let count = 0;
    for (let lane = 0; lane < lanes; lane += 1) {
      if (((mask >>> lane) & 1) === 0) continue;
      const linear = (words[addresses + lane] ?? 0) >>> 0;
      const record =
        touched !== undefined && linear >= touched.start && linear < touched.end ? touched : this.at(linear);
      if (record === undefined) {
        this.noteShared(linear, site.bytes);
        continue;
      }
      touched = record;
      count += 1;
      record.note(site, linear - record.start, thread + lane);
    }
    if (touched === undefined) return;
    touched.noteWidth(widthOf(site), count);
    this.noteReach(words, warp >>> 0, mask, site.access);
  };

  result(): LaunchAccesses {
    return {
      allocations: this.order.map((record) => record.result()),
      sharedBytes: this.sharedEnd,
      loadReach: [...this.loadReach],
      storeReach: [...this.storeReach],
    };
  }

  private at(linear: number): AllocationRecord | undefined {
    return this.order.find(({ start, end }) => linear >= start && linear < end);
  }

  private noteShared(linear: number, bytes: number): void {
    const offset = linear - this.state.sharedAt;
    if (offset >= 0 && offset < this.state.plan.sharedBytes)
      this.sharedEnd = Math.max(this.sharedEnd, offset + bytes);
  }

  /** Number in the launch of a warp's first thread. */
  private firstThread(words: Int32Array, warp: number): number {
    const [x, y, z] = this.state.coordinates;
    const [width, height] = this.state.request.grid;
    const [across, down, deep] = this.state.request.block;
    const block = x + width * (y + height * z);
    return block * across * down * deep + lanes * (words[(warp + warpLayout.warpIndex) >> 2] ?? 0);
  }

  /** How far along each axis threads of the launch touch anything. */
  private noteReach(words: Int32Array, warp: number, mask: number, access: MemorySite["access"]): void {
    const block = this.state.coordinates;
    for (const [axis, places] of [warpLayout.tidX, warpLayout.tidY, warpLayout.tidZ].entries()) {
      const at = (warp + places) >> 2;
      let most = 0;
      for (let lane = 0; lane < lanes; lane += 1)
        if (((mask >>> lane) & 1) !== 0) most = Math.max(most, words[at + lane] ?? 0);
      const coordinate = block[axis as 0 | 1 | 2];
      const end = coordinate * (this.state.request.block[axis as 0 | 1 | 2] ?? 1) + most + 1;
      widen(access === "load" ? this.loadReach : this.storeReach, axis, end);
    }
  }
}

function widen(most: [number, number, number], axis: number, value: number): void {
  if (value > (most[axis] ?? 0)) most[axis] = value;
}

/** Bytes of an element of an access, negative for floating types. */
function widthOf({ instruction, bytes }: MemorySite): number {
  const operand = instruction.operands.find((each) => each.kind === "vector");
  const elements = operand?.kind === "vector" ? operand.elements.length : 1;
  const kind = instruction.matched.types.type?.kind;
  const isFloat = kind === "float" || kind === "bfloat";
  return (isFloat ? -1 : 1) * Math.max(1, bytes / elements);
}
