import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import { bytesText, forgottenBytes, linearAddress } from "../../../core/vgpu/index";
import type { DeviceStore, Place } from "../device/device-store";
import type { HostCallCount } from "../device/host/host-call-count";
import { changedSpan } from "../device/host/spans";
import { type Rectangle, statuses } from "../protocol/messages";
import type { DeviceProblem } from "../device/statuses";

const sectorBytes = 32;

/** Copies that are called so cross to the other side, also where a harness lends other memory for it. */
const hostCopies: Readonly<Record<number, "toHost" | "toDevice">> = { 1: "toDevice", 2: "toHost" };

interface CopyManner {
  /** The number of a `cudaMemcpyKind`. */
  readonly direction: number;
  readonly where: string;
}

/** What host code does with the bytes of device memory. */
export class Transfers {
  constructor(private readonly store: DeviceStore) {}

  /** Stores packed bytes that begin `skipped` bytes into the rectangle. */
  write(target: Rectangle, skipped: number, bytes: Uint8Array, where: string): Outcome<null, DeviceProblem> {
    if (skipped + bytes.byteLength > target.width * target.height)
      return fail({ status: statuses.invalidValue, message: "more bytes than the rectangle holds" });
    const found = this.store.find(target, "writes", where);
    if (!found.ok) return found;
    noteSent(this.store.log?.calls, { skipped, bytes: bytes.byteLength, where });
    for (let done = 0; done < bytes.byteLength;) {
      const at = skipped + done;
      const column = at % target.width;
      const part = bytes.subarray(done, done + target.width - column);
      const row = BigInt(Math.floor(at / target.width) * target.pitch + column);
      this.store.ledger?.noteCopy("store", target.address + row, part.byteLength);
      const place = { ...target, address: target.address + row };
      const from = found.value.offset + Number(row);
      const before = this.view(place, part.byteLength);
      const stored = { from, to: from + part.byteLength };
      if (this.store.log)
        this.store.log.wrote(found.value.allocation.address, stored, changedSpan(from, before, part));
      if (!this.canLeave() || Buffer.compare(before, part) !== 0)
        this.store.memory.write(found.value.allocation.address, part, from);
      done += part.byteLength;
    }
    return succeed(null);
  }

  /** What the program reads: a sanitizer tells of bytes that nobody wrote. */
  read(source: Rectangle, where: string): Outcome<Uint8Array, DeviceProblem> {
    const found = this.store.find(source, "reads", where);
    if (!found.ok) return found;
    this.checkWritten(found.value, source, where);
    this.store.memory.changed.noteRead();
    this.store.effects?.reading(found.value.allocation.address);
    this.store.log?.calls.copied("toHost", source.width * source.height);
    this.store.log?.acted("read", source.address, source.pitch, source.width, source.height);
    return this.fetch(source, where, "read");
  }

  /** What the host is given of device memory: as `rows`, and noted. `how`: see MemoryLog. */
  fetch(
    source: Rectangle,
    where: string,
    how: "read" | "fetched" | "shared" = where === "" ? "shared" : "fetched",
  ): Outcome<Uint8Array, DeviceProblem> {
    const rows = this.rows(source, where);
    if (rows.ok) this.note("load", source);
    if (rows.ok) this.store.log?.gave(rows.value, source.address, how);
    return rows;
  }

  /** The rectangle's bytes, packed. One row is a view of the device's memory, good until the next request. */
  private rows(source: Rectangle, where: string): Outcome<Uint8Array, DeviceProblem> {
    const found = this.store.find(source, "reads", where);
    if (!found.ok) return found;
    if (source.height === 1 || source.pitch === source.width)
      return succeed(this.view(source, source.width * source.height));
    const packed = new Uint8Array(source.width * source.height);
    for (let row = 0; row < source.height; row += 1)
      packed.set(this.view(rowOf(source, row), source.width), row * source.width);
    return succeed(packed);
  }

  /** Repeats a value of 1, 2 or 4 bytes over each row. */
  fill(target: Rectangle, value: number, unit: number, where: string): Outcome<null, DeviceProblem> {
    if (![1, 2, 4].includes(unit) || target.width % unit !== 0)
      return fail({
        status: statuses.invalidValue,
        message: `${target.width} bytes cannot be filled with values of ${unit} bytes`,
      });
    const found = this.store.find(target, "writes", where);
    if (!found.ok) return found;
    this.store.log?.moved(sectorBytesOf(target));
    this.store.log?.acted("fill", target.address, target.pitch, target.width, target.height, value, unit);
    this.note("store", target);
    if (unit === 1 && this.holds(target, value & 0xff)) return succeed(null);
    const pattern = Uint8Array.from({ length: unit }, (_, byte) => (value >>> (8 * byte)) & 0xff);
    let row: Uint8Array | undefined;
    for (let index = 0; index < target.height; index += 1) {
      const there = this.view(rowOf(target, index), target.width);
      if (this.canLeave() && repeats(there, pattern)) continue;
      row ??= new Uint8Array(Buffer.alloc(target.width, pattern));
      this.store.memory.write(found.value.allocation.address, row, found.value.offset + index * target.pitch);
    }
    return succeed(null);
  }

  /**
   * Whether bytes that are there already need not be stored: benchmarks clear and upload the same between
   * equal launches, which are then known to start from the same memory. Those who watch want to see it.
   */
  private canLeave(): boolean {
    return !this.store.sanitizes && this.store.ledger === undefined;
  }

  /**
   * Both rectangles have the same width and height. They must not overlap (CUDA Runtime API, "cudaMemcpy"): a
   * sanitizer tells when they do.
   */
  copy(target: Rectangle, source: Rectangle, { direction, where }: CopyManner): Outcome<null, DeviceProblem> {
    const read = this.store.find(source, "reads", where);
    if (!read.ok) return read;
    const found = this.store.find(target, "writes", where);
    if (!found.ok) return found;
    const [from, to] = [read.value.allocation.address, found.value.allocation.address];
    this.store.log?.moved(sectorBytesOf(source) + sectorBytesOf(target));
    const [{ address, pitch }, { width, height }] = [target, source];
    const way = hostCopies[direction];
    if (way !== undefined) this.store.log?.calls.copied(way, width * height);
    this.store.log?.acted("copy", source.address, source.pitch, address, pitch, width, height);
    this.note("load", source);
    this.note("store", target);
    const shared = this.store.sanitizes ? overlapOf(target, source) : 0;
    if (shared > 0) {
      const { name } = found.value.allocation;
      const message = `overlapping copy: target and source share ${bytesText(shared)} of "${name}", and what is there afterwards is undefined`;
      this.store.note({
        kind: "overlapping-copy",
        message,
        where,
        allocation: { name, where: this.store.originOf(name).where },
      });
    }
    for (let row = 0; row < source.height; row += 1) {
      const [readAt, writeAt] = [
        read.value.offset + row * source.pitch,
        found.value.offset + row * target.pitch,
      ];
      const known = this.store.sanitizes
        ? this.store.memory.writtenBytes(from).slice(readAt, readAt + source.width)
        : undefined;
      this.store.memory.write(to, this.view(rowOf(source, row), source.width), writeAt);
      // A copy of bytes that were never written is not wrong yet: whoever reads them later is told.
      if (known) this.store.memory.writtenBytes(to).set(known, writeAt);
    }
    return succeed(null);
  }

  /** A copy that the program's runtime refused. */
  misuse(message: string, where: string): void {
    this.store.note({ kind: "invalid-copy", message: `invalid copy: ${message}`, where });
  }

  /** A sanitizer tells of bytes that go to the host although nothing ever wrote them. */
  private checkWritten({ allocation, offset }: Place, source: Rectangle, where: string): void {
    if (!this.store.sanitizes) return;
    const written = this.store.memory.writtenBytes(allocation.address);
    const widest = this.store.memory.storeWidths.of(allocation.address);
    let missing = 0;
    for (let row = 0; row < source.height; row += 1) {
      const from = offset + row * source.pitch;
      missing += forgottenBytes(written, { from, to: from + source.width }, widest);
    }
    if (missing === 0) return;
    const message = `never written: ${missing} of the ${source.width * source.height} bytes that the host reads from "${allocation.name}"`;
    this.store.note({
      kind: "never-written",
      message,
      where,
      allocation: { name: allocation.name, where: this.store.originOf(allocation.name).where },
    });
  }

  private note(access: "load" | "store", rectangle: Rectangle): void {
    if (this.store.ledger === undefined) return;
    for (let row = 0; row < rectangle.height; row += 1)
      this.store.ledger.noteCopy(access, rowOf(rectangle, row).address, rectangle.width);
  }

  /**
   * True for memory in which a fill changes nothing, as that of benchmarks which fill the same between all
   * launches. A sanitizer has to see each.
   */
  private holds({ address, pitch, width, height }: Rectangle, byte: number): boolean {
    if (this.store.sanitizes || width === 0 || (height > 1 && pitch !== width)) return false;
    const bytes = Buffer.from(this.store.memory.memory.buffer, linearAddress(address), width * height);
    return bytes[0] === byte && bytes.compare(bytes, 1, bytes.length, 0, bytes.length - 1) === 0;
  }

  private view({ address }: Rectangle, bytes: number): Uint8Array {
    return new Uint8Array(this.store.memory.memory.buffer, linearAddress(address), bytes);
  }
}

/** Tells of bytes that come from the host; without a place the runtime or a harness sends them itself. */
function noteSent(
  calls: HostCallCount | undefined,
  { skipped, bytes, where }: { readonly skipped: number; readonly bytes: number; readonly where: string },
): void {
  if (where === "") calls?.shared(bytes);
  else if (bytes > 0) calls?.copied("toDevice", bytes, skipped === 0);
}

/** True when the bytes are the pattern again and again. */
function repeats(bytes: Uint8Array, pattern: Uint8Array): boolean {
  const unit = pattern.byteLength;
  if (Buffer.compare(bytes.subarray(0, unit), pattern) !== 0) return false;
  return Buffer.compare(bytes.subarray(unit), bytes.subarray(0, bytes.byteLength - unit)) === 0;
}

/** Bytes that the first rows which overlap share; 0 when none do. A copy onto itself changes nothing. */
function overlapOf(target: Rectangle, source: Rectangle): number {
  const distance = Number(target.address - source.address);
  if (distance === 0 && target.pitch === source.pitch) return 0;
  const [width, rows] = [source.width, source.height];
  for (let row = 0; row < rows; row += 1) {
    const from = row * source.pitch - distance;
    const nearest = target.pitch === 0 ? 0 : Math.min(rows - 1, Math.max(0, Math.round(from / target.pitch)));
    const apart = Math.abs(from - nearest * target.pitch);
    if (apart < width) return width - apart;
  }
  return 0;
}

/** Bytes of the sectors that the rows of a rectangle touch, each row for itself. */
function sectorBytesOf({ address, pitch, width, height }: Rectangle): number {
  if (width === 0) return 0;
  // Rows that lie one behind the other are one.
  const [rows, bytes] = pitch === width ? [1, width * height] : [height, width];
  const begins = Number(address % BigInt(sectorBytes));
  let sum = 0;
  for (let row = 0; row < rows; row += 1)
    sum += Math.ceil((((begins + row * pitch) % sectorBytes) + bytes) / sectorBytes) * sectorBytes;
  return sum;
}

function rowOf(rectangle: Rectangle, row: number): Rectangle {
  return { ...rectangle, address: rectangle.address + BigInt(row * rectangle.pitch), height: 1 };
}
