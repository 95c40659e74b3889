import { type Outcome, fail, succeed } from "../../core/base/outcome";
import { DeviceMemory, linearAddress, type Allocation } from "../../core/vgpu/index";
import type { FindingList, ProgramFinding } from "./report";
import { statuses, type DeviceProblem } from "./statuses";

/** `height` rows of `width` bytes that start `pitch` bytes apart. */
export interface Rectangle {
  readonly address: bigint;
  readonly pitch: number;
  readonly width: number;
  readonly height: number;
}

interface Place {
  readonly allocation: Allocation;
  /** Byte offset of the first row in the allocation. */
  readonly offset: number;
}

interface Origin {
  readonly name: string;
  readonly where: string;
}

interface Freed extends Origin {
  readonly address: bigint;
  readonly bytes: number;
  readonly freedAt: string;
}

/** Freed allocations that are remembered, so that a late use can be told. */
const rememberedFrees = 4096;

/** What the program does with device memory from its host code, with the checks of a CUDA runtime and, while sanitizing, those of a sanitizer. */
export class DeviceStore {
  readonly memory = new DeviceMemory();
  private readonly live = new Map<bigint, Origin>();
  private readonly freed: Freed[] = [];
  private count = 0;

  /** `findings`: where a sanitizer's findings go; left out when the device does not sanitize. */
  constructor(private readonly findings: FindingList | undefined) {}

  allocate(bytes: number, name: string, where: string): Outcome<bigint, DeviceProblem> {
    this.count += 1;
    const called = name === "" ? `allocation ${this.count}` : `${name} ${this.count}`;
    try {
      const address = this.memory.allocate(called, bytes);
      this.live.set(address, { name: called, where });
      return succeed(address);
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      return fail({ status: statuses.memoryAllocation, message: thrown.message });
    }
  }

  free(address: bigint, where: string): Outcome<null, DeviceProblem> {
    const origin = this.live.get(address);
    const allocation = origin && this.memory.allocations().find((each) => each.address === address);
    if (origin === undefined || allocation === undefined) return this.badFree(address, where);
    this.live.delete(address);
    this.freed.push({ ...origin, address, bytes: allocation.bytes, freedAt: where });
    if (this.freed.length > rememberedFrees) this.freed.shift();
    return succeed(null);
  }

  /** Everything that the program has allocated. */
  allocated(): readonly bigint[] {
    return [...this.live.keys()];
  }

  /** Where the program made an allocation, by its name. */
  originOf(name: string): string {
    for (const origin of this.live.values()) if (origin.name === name) return origin.where;
    return this.freed.find((each) => each.name === name)?.where ?? "";
  }

  /** Bytes of the allocation that an address lies in; 0 when there is none. */
  sizeAt(address: bigint): number {
    return this.memory.allocations().find((each) => address >= each.address && address < each.address + BigInt(each.bytes))?.bytes ?? 0;
  }

  usedBytes(): number {
    return this.memory.memory.buffer.byteLength;
  }

  /** Stores packed bytes that begin `skipped` bytes into the rectangle. */
  write(target: Rectangle, skipped: number, bytes: Uint8Array, where: string): Outcome<null, DeviceProblem> {
    if (skipped + bytes.byteLength > target.width * target.height) return fail({ status: statuses.invalidValue, message: "more bytes than the rectangle holds" });
    const found = this.find(target, "written", where);
    if (!found.ok) return found;
    for (let done = 0; done < bytes.byteLength; ) {
      const at = skipped + done;
      const column = at % target.width;
      const part = bytes.subarray(done, done + target.width - column);
      this.memory.write(found.value.allocation.address, part, found.value.offset + Math.floor(at / target.width) * target.pitch + column);
      done += part.byteLength;
    }
    return succeed(null);
  }

  /** The rectangle's bytes, packed. One row is a view of the device's memory, good until the next request. */
  read(source: Rectangle, where: string): Outcome<Uint8Array, DeviceProblem> {
    const found = this.find(source, "read", where);
    if (!found.ok) return found;
    this.checkWritten(found.value, source, where);
    if (source.height === 1 || source.pitch === source.width) return succeed(this.view(source, source.width * source.height));
    const packed = new Uint8Array(source.width * source.height);
    for (let row = 0; row < source.height; row += 1) packed.set(this.view(rowOf(source, row), source.width), row * source.width);
    return succeed(packed);
  }

  /** Repeats a value of 1, 2 or 4 bytes over each row. */
  fill(target: Rectangle, value: number, unit: number, where: string): Outcome<null, DeviceProblem> {
    if (![1, 2, 4].includes(unit) || target.width % unit !== 0) return fail({ status: statuses.invalidValue, message: `${target.width} bytes cannot be filled with values of ${unit} bytes` });
    const row = new Uint8Array(target.width);
    for (let byte = 0; byte < unit; byte += 1) {
      const part = (value >>> (8 * byte)) & 0xff;
      if (unit === 1) row.fill(part);
      else for (let at = byte; at < row.length; at += unit) row[at] = part;
    }
    const found = this.find(target, "written", where);
    if (!found.ok) return found;
    for (let index = 0; index < target.height; index += 1) this.memory.write(found.value.allocation.address, row, found.value.offset + index * target.pitch);
    return succeed(null);
  }

  /** Both rectangles have the same width and height. Overlapping ones are copied as if through a buffer. */
  copy(target: Rectangle, source: Rectangle, where: string): Outcome<null, DeviceProblem> {
    const read = this.find(source, "read", where);
    if (!read.ok) return read;
    const found = this.find(target, "written", where);
    if (!found.ok) return found;
    const known = this.findings && this.memory.writtenBytes(read.value.allocation.address).slice();
    const rows = Array.from({ length: source.height }, (_, row) => this.view(rowOf(source, row), source.width).slice());
    for (const [row, bytes] of rows.entries()) {
      const at = found.value.offset + row * target.pitch;
      this.memory.write(found.value.allocation.address, bytes, at);
      // A copy of bytes that were never written is not wrong yet: whoever reads them later is told.
      if (known) this.memory.writtenBytes(found.value.allocation.address).set(known.subarray(read.value.offset + row * source.pitch).subarray(0, source.width), at);
    }
    return succeed(null);
  }

  private view({ address }: Rectangle, bytes: number): Uint8Array {
    return new Uint8Array(this.memory.memory.buffer, linearAddress(address), bytes);
  }

  /** The live allocation that holds the whole rectangle. */
  private find(rectangle: Rectangle, done: "read" | "written", where: string): Outcome<Place, DeviceProblem> {
    const { address, pitch, width, height } = rectangle;
    const bytes = width === 0 || height === 0 ? 0 : (height - 1) * pitch + width;
    if (height > 1 && pitch < width) return fail({ status: statuses.invalidValue, message: `a pitch of ${pitch} bytes is less than the width of ${width}` });
    const allocation = this.memory.allocations().find((each) => address >= each.address && address + BigInt(bytes) <= each.address + BigInt(each.bytes));
    if (allocation !== undefined && !this.freed.some((each) => each.address === allocation.address)) return succeed({ allocation, offset: Number(address - allocation.address) });
    return fail({ status: statuses.invalidValue, message: this.noteBadRange(address, bytes, { done, where }) });
  }

  private noteBadRange(address: bigint, bytes: number, { done, where }: { readonly done: string; readonly where: string }): string {
    const late = this.freed.findLast((each) => address >= each.address && address < each.address + BigInt(each.bytes));
    if (late !== undefined) {
      const message = `${bytes} bytes of "${late.name}" are ${done} by the host after it was freed`;
      this.note({ kind: "use-after-free", message, where, allocation: late, other: { what: "freed", file: "", line: 0, where: late.freedAt } });
      return message;
    }
    const near = this.memory.allocations().find((each) => address >= each.address && address < each.address + BigInt(each.bytes));
    const told = near ? `the range ends ${address + BigInt(bytes) - near.address - BigInt(near.bytes)} bytes behind the end of "${near.name}" (${near.bytes} bytes)` : `address 0x${address.toString(16)} belongs to no allocation`;
    const message = `${bytes} bytes are ${done} by the host out of bounds: ${told}`;
    this.note({ kind: "out-of-bounds", message, where, ...(near ? { allocation: { name: near.name, where: this.originOf(near.name) } } : {}) });
    return message;
  }

  private badFree(address: bigint, where: string): Outcome<null, DeviceProblem> {
    const again = this.freed.findLast((each) => each.address === address);
    const message = again ? `"${again.name}" is freed a second time` : `free of 0x${address.toString(16)}, which is no allocation`;
    this.note({ kind: again ? "double-free" : "invalid-free", message, where, ...(again ? { allocation: again, other: { what: "freed first", file: "", line: 0, where: again.freedAt } } : {}) });
    return fail({ status: statuses.invalidValue, message });
  }

  /** A sanitizer tells of bytes that go to the host although nothing ever wrote them. */
  private checkWritten({ allocation, offset }: Place, source: Rectangle, where: string): void {
    if (this.findings === undefined) return;
    const written = this.memory.writtenBytes(allocation.address);
    let missing = 0;
    for (let row = 0; row < source.height; row += 1) {
      const from = offset + row * source.pitch;
      for (let at = written.indexOf(0, from); at >= 0 && at < from + source.width; at = written.indexOf(0, at + 1)) missing += 1;
    }
    if (missing === 0) return;
    const message = `${missing} of ${source.width * source.height} bytes that the host reads from "${allocation.name}" were never written`;
    this.note({ kind: "never-written", message, where, allocation: { name: allocation.name, where: this.originOf(allocation.name) } });
  }

  private note(finding: Omit<ProgramFinding, "file" | "line" | "count">): void {
    const { allocation, ...rest } = finding;
    this.findings?.add({ ...rest, file: "", line: 0, count: 1, ...(allocation ? { allocation: { name: allocation.name, where: allocation.where } } : {}) });
  }
}

function rowOf(rectangle: Rectangle, row: number): Rectangle {
  return { ...rectangle, address: rectangle.address + BigInt(row * rectangle.pitch), height: 1 };
}
