import { invariant } from "../../base/assert";
import { mustGet } from "../../base/known";
import { variableName } from "../../base/symbols/symbol-name";
import { DeviceArena, type FreeResult, type Room } from "./device-arena";
import { DeviceHeap } from "./device-heap";
import { functionAddress } from "../functions";
import { DeviceShadow, type Watched } from "./device-shadow";
import { HeldAllocations } from "./held-allocations";
import { HostChanges } from "./host-changes";
import { ImageObjects } from "./images";
import { addressWindows } from "../layout";
import type { PtxModule } from "../ptx/module";
import { alignUp } from "../numbers";
import { StoreWidths } from "../store-widths";

/** The detectors' ids, which grow from launch to launch: see `launch/findings/order.ts`. */
interface Clocks {
  nextInterval: number;
  nextCopy: number;
}

/** Working memory of a launch. */
export interface Scratch {
  readonly linear: number;
  /** Bytes from a byte to its shadow; 0 without detectors. */
  readonly shadow: number;
  readonly clocks: Clocks;
  /** Forgets all accesses of earlier launches. */
  readonly forget: () => void;
}

/** One range of global memory that kernels may touch. */
export interface Allocation {
  readonly name: string;
  /** 64-bit device address; a multiple of 256. */
  readonly address: bigint;
  readonly bytes: number;
  readonly readOnly: boolean;
  /** It lies in the host's memory: all that kernels read and write of it crosses the link. */
  readonly isOfHost?: boolean;
}

interface MemoryOptions {
  readonly shared?: boolean;
  readonly cleared?: WebAssembly.Memory;
}

interface AllocateOptions {
  /** Initial contents, at most as long as the allocation. Without them its bytes count as never written. */
  readonly initial?: Uint8Array;
  /** The initial contents stand there again and again, up to the end. */
  readonly repeats?: boolean;
  /** A kernel that stores here faults. */
  readonly readOnly?: boolean;
  /** The initial contents are a fill pattern and count as never written. */
  readonly unwritten?: boolean;
  /** It lies in the host's memory. */
  readonly isOfHost?: boolean;
}

/** An allocation, and its range of linear memory with guard bands. */
interface Held extends Allocation, Watched {}

/** Variables of one module. */
const maximumVariables = 1 << 30;
const guardByte = 0xdb;

/**
 * Global memory of a virtual GPU. Every allocation has its own range of addresses with guard bands on both
 * sides. Accesses are checked against the ranges, so a bad one is reported with the nearest allocation and
 * the distance. All bytes are in one WebAssembly memory, which launches share.
 */
export class DeviceMemory {
  /** Where the allocations lie. */
  readonly arena: DeviceArena<Held>;
  readonly held = new HeldAllocations<Held>();
  readonly shadow: DeviceShadow;
  private readonly clocks: Clocks = { nextInterval: 1, nextCopy: 1 };
  private readonly modules = new Map<PtxModule, ReadonlyMap<string, bigint>>();
  /** The linear memory that generated code works on. */
  readonly memory: WebAssembly.Memory;
  readonly storeWidths = new StoreWidths();
  /** Allocations that were made or that the host has written to, since whoever follows them cleared this. */
  readonly changed = new HostChanges();
  /** Texture and surface objects. */
  readonly images = new ImageObjects();
  /** The heap of malloc in kernels. */
  readonly heap = new DeviceHeap<Held>({
    reserve: (bytes) => this.arena.place(bytes).linear,
    hold: (name, bytes, room) => this.hold(name, bytes, {}, room),
    drop: (block) => this.held.remove(block),
  });

  /**
   * `shared`: host threads can share it, as code that is compiled to be spread requires. Reserves 4 GiB of
   * address space at once, unless it works on a memory of zeroes that another one has left (`SpareMemory`).
   */
  constructor({ shared = false, cleared }: MemoryOptions = {}) {
    this.arena = new DeviceArena(shared, cleared);
    this.memory = this.arena.memory;
    this.shadow = new DeviceShadow(this.arena as DeviceArena<never>);
  }

  /**
   * Reserves `bytes` (zero is allowed) and returns the device address. Throws a RangeError when 4 GiB are
   * used up.
   */
  allocate(name: string, bytes: number, options: AllocateOptions = {}): bigint {
    invariant(Number.isSafeInteger(bytes) && bytes >= 0, "an allocation has a size");
    return this.hold(name, bytes, options, this.arena.place(bytes)).address;
  }

  private hold(
    name: string,
    bytes: number,
    options: AllocateOptions,
    { linear, from, to, fresh = to }: Room,
  ): Held {
    this.shadow.clear({ from, to });
    this.shadow.follow(to, this.held.list);
    const view = new Uint8Array(this.memory.buffer);
    view.fill(guardByte, from, linear);
    view.fill(guardByte, linear + bytes, to);
    // Untouched pages of large allocations take no physical memory.
    view.fill(0, linear, Math.max(linear, Math.min(linear + bytes, fresh)));
    const address = addressWindows.global + BigInt(linear);
    const held: Held = {
      name,
      address,
      bytes,
      readOnly: options.readOnly ?? false,
      isOfHost: options.isOfHost ?? false,
      linear,
      written: false,
      from,
      to,
    };
    this.held.add(held);
    this.changed.add(address);
    if (options.initial && options.repeats) {
      repeat(view.subarray(linear, linear + bytes), options.initial);
      this.shadow.mark(held, 0, bytes);
    } else if (options.initial && options.unwritten) view.set(options.initial, linear);
    else if (options.initial) this.write(address, options.initial);
    return held;
  }

  /**
   * Frees an allocation. Its bytes stay in quarantine while there is room, so that accesses to them are
   * found. Addresses are reused only after 256 MiB more have been freed, or when memory is used up.
   */
  free(address: bigint): FreeResult {
    const found = this.heap.holds(address) ? undefined : this.held.at(address);
    if (!found)
      return this.arena.retired.some((entry) => entry.address === address) ? "freed-before" : "unknown";
    this.held.remove(found);
    this.arena.retire(found);
    this.storeWidths.forget(address);
    return "freed";
  }

  /** The allocation, live or in quarantine, that holds a byte. */
  find(address: bigint): (Allocation & { readonly freed: boolean }) | undefined {
    const live = this.held.holding(address);
    if (live) return { ...live, freed: false };
    const isInside = (entry: Held): boolean =>
      address >= entry.address && address < entry.address + BigInt(entry.bytes);
    const freed = this.arena.retired.find(isInside) ?? this.heap.retired.find(isInside);
    return freed && { ...freed, freed: true };
  }

  /** A copy of an allocation's bytes. */
  read(address: bigint): Uint8Array<ArrayBuffer> {
    const { linear, bytes } = this.held.get(address);
    return new Uint8Array(this.memory.buffer).slice(linear, linear + bytes);
  }

  /** Writes bytes from the host. They count as written. */
  write(address: bigint, bytes: Uint8Array, offset = 0): void {
    const held = this.held.get(address);
    invariant(offset >= 0 && offset + bytes.length <= held.bytes, "the bytes fit the allocation");
    new Uint8Array(this.memory.buffer).set(bytes, held.linear + offset);
    this.shadow.mark(held, offset, offset + bytes.length);
    this.changed.add(held.address);
  }

  /**
   * One byte for each byte of the allocation: 0 if nothing was ever stored there. Updated by kernels with
   * detectors.
   */
  writtenBytes(address: bigint): Uint8Array {
    return this.shadow.written(this.held.get(address));
  }

  /** Names of the allocations with overwritten guard bands; none, unless the engine itself is broken. */
  damagedGuards(): string[] {
    const view = new Uint8Array(this.memory.buffer);
    const intact = (from: number, to: number): boolean =>
      view.subarray(from, to).every((byte) => byte === guardByte);
    return this.held.list
      .filter(({ linear, bytes, from, to }) => !intact(from, linear) || !intact(linear + bytes, to))
      .map(({ name }) => name);
  }

  /** All allocations in order of address. */
  allocations(): readonly Allocation[] {
    return this.held.list;
  }

  /**
   * Address of a module's `__device__` or `__constant__` variable; undefined before the first launch of a
   * kernel that uses it.
   */
  symbol(module: PtxModule, name: string): bigint | undefined {
    return this.modules.get(module)?.get(name);
  }

  /** Allocates a module's variables once, with their initial values. Resolves addresses in initialisers. */
  loadModule(module: PtxModule): ReadonlyMap<string, bigint> {
    const known = this.modules.get(module);
    if (known) return known;
    const addresses = new Map<string, bigint>();
    const variables = [...module.variables.values()].filter(
      ({ space }) => space === "global" || space === "const",
    );
    if (variables.reduce((sum, { size }) => sum + size, 0) > maximumVariables)
      throw new RangeError("the module's variables take more than 1 GiB");
    for (const { name, size, initial, space } of variables) {
      // Device variables without an initialiser are zero at the start (PTX ISA section 5.4.4).
      addresses.set(
        name,
        this.allocate(variableName(name), size, {
          initial: initial ?? new Uint8Array(size),
          readOnly: space === "const",
        }),
      );
    }
    for (const { name, references } of variables) {
      for (const { at, symbol, offset } of references) {
        const bytes = new Uint8Array(8);
        new DataView(bytes.buffer).setBigUint64(
          0,
          (addresses.get(symbol) ?? functionAddress(module, symbol) ?? 0n) + BigInt(offset),
          true,
        );
        this.write(mustGet(addresses, name), bytes, at);
      }
    }
    this.modules.set(module, addresses);
    return addresses;
  }

  /**
   * Runs `use` with the working memory of a launch, and frees it afterwards. Throws a RangeError when it does
   * not fit. `tracked`: with shadow memory, see `device-shadow.ts`.
   */
  withScratch<Result>(bytes: number, tracked: boolean, use: (scratch: Scratch) => Result): Result {
    const linear = alignUp(this.arena.end, 256);
    const end = alignUp(linear + bytes, 256);
    if (tracked) this.shadow.cover(end, this.held.list);
    else this.shadow.follow(end, this.held.list);
    this.arena.reserve(end);
    const before = this.arena.end;
    this.arena.end = end;
    try {
      return use({
        linear,
        shadow: tracked ? this.shadow.distance : 0,
        clocks: this.clocks,
        forget: () => {
          this.shadow.forgetAccesses();
        },
      });
    } finally {
      this.arena.end = before;
    }
  }
}

/** All bytes of allocations that a launch without detectors has stored to count as written. */
export function noteStored({ held, shadow }: DeviceMemory, addresses: Iterable<bigint>): void {
  for (const address of addresses) {
    const stored = held.get(address);
    shadow.mark(stored, 0, stored.bytes);
  }
}

/** Linear address of a device address in global memory. */
export function linearAddress(address: bigint): number {
  return Number(address - addressWindows.global);
}

/** Fills a view with contents, again and again. */
function repeat(view: Uint8Array, content: Uint8Array): void {
  view.set(content.subarray(0, view.length));
  for (let filled = content.length; filled > 0 && filled < view.length; filled *= 2)
    view.copyWithin(filled, 0, Math.min(filled, view.length - filled));
}
