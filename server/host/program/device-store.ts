import { type Outcome, fail, succeed } from "../../core/base/outcome";
import { DeviceMemory, type Allocation } from "../../core/vgpu/index";
import type { FindingList, ProgramFinding } from "./report";
import { statuses, type DeviceProblem } from "./statuses";

/** `height` rows of `width` bytes that start `pitch` bytes apart. */
export interface Rectangle {
  readonly address: bigint;
  readonly pitch: number;
  readonly width: number;
  readonly height: number;
}

export interface Place {
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

/** Allocations of device memory and where the program made and freed them, with the checks of a CUDA runtime and of a sanitizer. */
export class DeviceStore {
  readonly memory = new DeviceMemory();
  private readonly live = new Map<bigint, Origin>();
  private readonly freed: Freed[] = [];
  private count = 0;

  /** `findings`: where a sanitizer's findings go; left out when the device does not sanitize. */
  constructor(private readonly findings: FindingList | undefined) {}

  get sanitizes(): boolean {
    return this.findings !== undefined;
  }

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

  /** The live allocation that holds the whole rectangle. `done`: for the message. */
  find(rectangle: Rectangle, done: "read" | "written", where: string): Outcome<Place, DeviceProblem> {
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

  /** A finding about host code; lost unless the device sanitizes. */
  note(finding: Omit<ProgramFinding, "file" | "line" | "count">): void {
    const { allocation, ...rest } = finding;
    this.findings?.add({ ...rest, file: "", line: 0, count: 1, ...(allocation ? { allocation: { name: allocation.name, where: allocation.where } } : {}) });
  }
}
