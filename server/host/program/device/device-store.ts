import { type Outcome, fail, succeed } from "../../../core/base/outcome";
import {
  type AccessLedger,
  DeviceMemory,
  type Allocation,
  addressWindow,
  bytesText,
} from "../../../core/vgpu/index";
import type { LentBuffer } from "../../../core/ports/entry-programs";
import { isOfHost, numberedName } from "./allocation-names";
import type { FindingList, ProgramFinding } from "./report";
import { type Rectangle, statuses } from "../protocol/messages";
import type { HostCallCount } from "./host/host-call-count";
import type { Span } from "./host/spans";
import type { DeviceLaunch } from "./launch-checks";
import type { DeviceProblem } from "./statuses";

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
  readonly freedAt: string;
}

/** Is told what host code does with the bytes of device memory. */
export interface MemoryLog {
  /** What the host asks of the runtime beside work for the GPU. */
  readonly calls: HostCallCount;
  /**
   * The host was given these, which begin there: the program read them, a library computes with them, or the
   * runtime keeps up to date what both sides share.
   */
  gave(content: Uint8Array, address: bigint, how: "read" | "fetched" | "shared"): void;
  /** The host stored something in the allocation that begins there, of which so much was not there before. */
  wrote(start: bigint, stored: Span, changed: Span): void;
  /** The host had the device do something else; whole numbers of 64 bits are addresses. */
  acted(what: string, ...told: readonly (bigint | number | string)[]): void;
  /** So many bytes, in whole sectors, were read or written by a copy or a fill on the device. */
  moved(bytes: number): void;
  /** A kernel is about to see what is there; which, where it is known. */
  settle(launch?: DeviceLaunch): void;
}

/** Is told of allocations while their contents are there. */
interface AllocationLog {
  allocated(address: bigint, bytes: number): void;
  freeing(address: bigint): void;
  /** The program copies some of it to the host. */
  reading(address: bigint): void;
}

type FoundAllocation = NonNullable<ReturnType<DeviceMemory["find"]>>;

/** Freed allocations that are remembered, so that a late use can be told. */
const rememberedFrees = 4096;

/**
 * Allocations of device memory and where the program made and freed them, with the checks of a CUDA runtime
 * and of a sanitizer.
 */
export class DeviceStore {
  readonly memory: DeviceMemory;
  /** Threads of the host can share the memory. */
  readonly isShared: boolean;
  /** Allocations that anything was written to. */
  readonly touched = new Set<bigint>();
  private readonly live = new Map<bigint, Origin>();
  private readonly freed: Freed[] = [];
  private count = 0;
  /** Told what host code does with device memory, where somebody asks. */
  log: MemoryLog | undefined;
  /** Told which bytes kernels and copies touch, in a probe. */
  ledger: AccessLedger | undefined;
  /** Told what is allocated, read and freed, where somebody asks. */
  effects: AllocationLog | undefined;

  /**
   * `findings`: where a sanitizer's findings go; left out when the device does not sanitize. `shared`:
   * threads of the host are to share the memory, where the system gives its address space.
   */
  constructor(
    public findings: FindingList | undefined,
    shared = false,
  ) {
    const memory = shared ? sharedMemory() : undefined;
    this.isShared = memory !== undefined;
    this.memory = memory ?? new DeviceMemory();
  }

  get sanitizes(): boolean {
    return this.findings !== undefined;
  }

  allocate(bytes: number, name: string, where: string): Outcome<bigint, DeviceProblem> {
    this.count += 1;
    const called = numberedName(name, this.count);
    try {
      const address = this.memory.allocate(called, bytes, { isOfHost: isOfHost(name) });
      this.live.set(address, { name: called, where });
      this.effects?.allocated(address, bytes);
      this.log?.calls.took(bytes, name);
      return succeed(address);
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      return fail({ status: statuses.memoryAllocation, message: thrown.message });
    }
  }

  /**
   * Memory that the program has not asked for, under its own name. Throws a RangeError when there is no room.
   */
  lend({ name, content, isUnwritten, isReadOnly, room }: LentBuffer): bigint {
    const address = this.memory.allocate(name, room?.bytes ?? content.byteLength, {
      initial: content,
      repeats: room !== undefined,
      unwritten: isUnwritten,
      readOnly: isReadOnly,
    });
    this.live.set(address, { name, where: "" });
    return address;
  }

  free(address: bigint, where: string): Outcome<null, DeviceProblem> {
    const origin = this.live.get(address);
    if (origin !== undefined) this.effects?.freeing(address);
    if (origin === undefined || this.memory.free(address) !== "freed") return this.badFree(address, where);
    this.live.delete(address);
    this.touched.delete(address);
    this.freed.push({ ...origin, address, freedAt: where });
    if (this.freed.length > rememberedFrees) this.freed.shift();
    return succeed(null);
  }

  /** Everything that the program has allocated. */
  allocated(): readonly bigint[] {
    return [...this.live.keys()];
  }

  /** Where the program made an allocation and where it freed it, by its name. */
  originOf(name: string): { readonly where: string; readonly freedAt?: string } {
    for (const origin of this.live.values()) if (origin.name === name) return origin;
    return this.freed.findLast((each) => each.name === name) ?? { where: "" };
  }

  /** Bytes of the allocation that an address lies in; 0 when there is none. */
  sizeAt(address: bigint): number {
    const found = this.memory.find(address);
    return found === undefined || found.freed ? 0 : found.bytes;
  }

  /** The live allocation that holds the whole rectangle. `done`: for the message. */
  find(rectangle: Rectangle, done: "reads" | "writes", where: string): Outcome<Place, DeviceProblem> {
    const { address, pitch, width, height } = rectangle;
    const bytes = width === 0 || height === 0 ? 0 : (height - 1) * pitch + width;
    if (height > 1 && pitch < width)
      return fail({
        status: statuses.invalidValue,
        message: `a pitch of ${pitch} bytes is less than the width of ${width}`,
      });
    const allocation = this.memory.find(address);
    const inside =
      allocation !== undefined &&
      !allocation.freed &&
      address + BigInt(bytes) <= allocation.address + BigInt(allocation.bytes);
    if (inside) {
      if (done === "writes") this.touched.add(allocation.address);
      return succeed({ allocation, offset: Number(address - allocation.address) });
    }
    return fail({
      status: statuses.invalidValue,
      message: this.noteBadRange(rectangle, bytes, { done, where, allocation }),
    });
  }

  private noteBadRange(
    { address }: Rectangle,
    bytes: number,
    {
      done,
      where,
      allocation,
    }: { readonly done: string; readonly where: string; readonly allocation: FoundAllocation | undefined },
  ): string {
    const origin = allocation && this.originOf(allocation.name);
    if (allocation?.freed === true) {
      const message = `use after free: the host ${done} ${bytesText(bytes)} of "${allocation.name}"`;
      this.note({
        kind: "use-after-free",
        message,
        where,
        allocation: { name: allocation.name, where: origin?.where ?? "" },
        other: { what: "freed", file: "", line: 0, where: origin?.freedAt ?? "" },
      });
      return message;
    }
    const behind = allocation && address + BigInt(bytes) - allocation.address - BigInt(allocation.bytes);
    const told = allocation
      ? `, and they end ${bytesText(Number(behind))} behind the end of "${allocation.name}" (${bytesText(allocation.bytes)})`
      : ` at ${unknownAddress(address)}`;
    const message = `out of bounds: the host ${done} ${bytesText(bytes)}${told}`;
    this.note({
      kind: "out-of-bounds",
      message,
      where,
      ...(allocation ? { allocation: { name: allocation.name, where: origin?.where ?? "" } } : {}),
    });
    return message;
  }

  private badFree(address: bigint, where: string): Outcome<null, DeviceProblem> {
    const again = this.freed.findLast((each) => each.address === address);
    const message = again
      ? `double free: "${again.name}" is freed a second time`
      : `invalid free: ${this.insideOf(address)}`;
    this.note({
      kind: again ? "double-free" : "invalid-free",
      message,
      where,
      ...(again
        ? { allocation: again, other: { what: "freed first", file: "", line: 0, where: again.freedAt } }
        : {}),
    });
    return fail({ status: statuses.invalidValue, message });
  }

  /** What an address that cannot be freed is. */
  private insideOf(address: bigint): string {
    const found = this.memory.find(address);
    if (found === undefined || found.freed) return `the address is ${unknownAddress(address)}`;
    return `0x${address.toString(16)} is not the start of an allocation but lies ${bytesText(Number(address - found.address))} into "${found.name}"`;
  }

  /** A finding about host code; lost unless the device sanitizes. */
  note(finding: Omit<ProgramFinding, "file" | "line" | "count">): void {
    const { allocation, ...rest } = finding;
    this.findings?.add({
      ...rest,
      file: "",
      line: 0,
      count: 1,
      ...(allocation ? { allocation: { name: allocation.name, where: allocation.where } } : {}),
    });
  }
}

function sharedMemory(): DeviceMemory | undefined {
  try {
    return new DeviceMemory({ shared: true });
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

function unknownAddress(address: bigint): string {
  if (address === 0n) return "0x0, which is a null pointer";
  const isDevice =
    address >= addressWindow.base && address < addressWindow.base + BigInt(addressWindow.bytes);
  return `0x${address.toString(16)}, which ${isDevice ? "belongs to no allocation" : "is no address of device memory"}`;
}
