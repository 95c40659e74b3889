import { exactArithmetic } from "../../exact-arithmetic";
import { blockLayout, lanes, siteLayout, stampsBeyond, staticLayout, warpLayout } from "../../layout";
import type { CompiledKernel } from "../../compile-kernel";
import { writeArguments } from "./arguments";
import { type ReuseArea, initializeReuse, planReuse, renumberReuse } from "./reuse-area";
import type { Scratch } from "../../memory/device-memory";
import { residentBlocks } from "../../modelled-gpu";
import { Sanitizer, sinkSize } from "../findings/sanitizer";
import { SurfaceUnit } from "../units/surface-unit";
import { SystemCalls } from "../units/system-calls";
import { TextureUnit } from "../units/texture-unit";
import { VirtualClock } from "./virtual-clock";
import { gridWorkspace } from "./workspace";
import type { LaunchRequest, Triple } from "./types";
import { alignUp } from "../../numbers";

/** Linear addresses of a launch's working memory. */
export interface MachineLayout {
  readonly static: number;
  readonly sites: number;
  readonly blocks: number;
  readonly shared: number;
  readonly sharedBytes: number;
  /** Where suppressed accesses go. */
  readonly sink: number;
  readonly warps: number;
  readonly local: number;
  readonly total: number;
  readonly warpCount: number;
  /**
   * Bytes from the shared memory, warps and local memory of one resident block to those of the next, and for
   * how many there is room.
   */
  readonly slotBytes: number;
  readonly slots: number;
  /** Start of the reuse area and its parts. */
  readonly reuse: number;
  readonly reuseArea: ReuseArea;
  /** See `staticLayout.stamps`. */
  readonly stamps: number;
}

/** Visits of a block of code by the same lanes, seeing the same, after which they seem to wait for others. */
const patience = 256;

/**
 * The most memory (bytes) for blocks that wait for other blocks in an ordinary launch; reserved, but not
 * touched before it is needed. Less with detectors, whose own memory is several times as large.
 */
const slotMemory = 64 * 1024 * 1024;
const watchedSlotMemory = 16 * 1024 * 1024;

/** Room behind shared memory that belongs to nothing. */
export const sharedGap = 256;

export function planMachine(kernel: CompiledKernel, request: LaunchRequest): MachineLayout {
  const threads = request.block[0] * request.block[1] * request.block[2];
  const warpCount = Math.ceil(threads / lanes);
  const sharedBytes =
    request.dynamicSharedBytes > 0 ? kernel.sharedBytes + request.dynamicSharedBytes : kernel.sharedEnd;
  const sites = alignUp(kernel.code.staticBytes, 256);
  const blocks = alignUp(sites + kernel.code.sites.length * siteLayout.size, 256);
  const sink = alignUp(blocks + kernel.code.blocks.length * blockLayout.size, 256);
  const reuse = alignUp(sink + sinkSize, 256);
  const reuseArea = planReuse(request.memory, kernel.options.counters);
  const stamps = alignUp(reuse + reuseArea.size, 16);
  const firstSlot = alignUp(stamps + (kernel.options.counters ? sharedBytes + stampsBeyond : 0), 256);
  const shared = firstSlot + sharedGap;
  const warps = alignUp(shared + sharedBytes + sharedGap, 256);
  const local = alignUp(warps + warpCount * kernel.code.warpBytes, 256);
  const slotBytes = alignUp(local + warpCount * lanes * kernel.localBytes + sharedGap, 256) - firstSlot;
  const slots = countSlots(kernel, request, slotBytes);
  return {
    static: 0,
    sites,
    blocks,
    shared,
    sharedBytes,
    sink,
    warps,
    local,
    total: firstSlot + slots * slotBytes,
    warpCount,
    slotBytes,
    slots,
    reuse,
    reuseArea,
    stamps,
  };
}

/**
 * How many blocks of a launch can be there at the same time: as many as the modelled GPU holds when its
 * threads can wait for each other, for an ordinary launch within a bound of memory; one when they cannot.
 */
function countSlots(kernel: CompiledKernel, request: LaunchRequest, slotBytes: number): number {
  if (!kernel.code.spins) return 1;
  const [x, y, z] = request.grid;
  const room = request.cooperative
    ? Infinity
    : Math.max(1, Math.floor((kernel.options.detectors ? watchedSlotMemory : slotMemory) / slotBytes));
  return Math.min(x * y * z, mostResident(kernel, request), room);
}

/** Blocks of a launch that the modelled GPU holds at the same time. */
export function mostResident(
  kernel: CompiledKernel,
  { block: [x, y, z], dynamicSharedBytes, residentBlocks: given }: LaunchRequest,
): number {
  return given ?? residentBlocks(x * y * z, kernel.sharedBytes + dynamicSharedBytes);
}

/**
 * A kernel instantiated on a device memory, with the registers and shared memory of the blocks of threads
 * that are at work.
 */
export class Machine {
  /** Runs the range of blocks on, until something is up: see `blockStates`. */
  readonly runBlocks: () => number;
  readonly resume: (warp: number) => void;
  readonly base: number;
  /** Instructions executed before the last gift of fuel, and that gift. */
  private spent = 0;
  private gift = 0;
  readonly sanitizer = new Sanitizer(this);
  readonly clock = new VirtualClock(() => this.spent + this.gift - this.remainingFuel());
  private readonly fuel = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
  private readonly shared = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
  /** Number of the resident block at work. */
  slot = 0;

  constructor(
    readonly kernel: CompiledKernel,
    readonly request: LaunchRequest,
    readonly layout: MachineLayout,
    readonly scratch: Scratch,
  ) {
    this.base = scratch.linear;
    const { base } = this;
    const constant = (value: number): WebAssembly.Global => new WebAssembly.Global({ value: "i32" }, value);
    const host: Record<string, WebAssembly.ImportValue> = {
      memory: request.memory.memory,
      ...this.sanitizer.imports(),
      exact: (operation: number, rounding: number, width: number, ...values: [number, number, number]) =>
        exactArithmetic(operation, rounding, width, ...values),
      clock: () => this.clock.read(),
      static: constant(base + layout.static),
      shared: this.shared,
      sharedBytes: constant(layout.sharedBytes),
      localBytes: constant(kernel.localBytes),
      sites: constant(base + layout.sites),
      blocks: constant(base + layout.blocks),
      shadow: constant(scratch.shadow),
      fuel: this.fuel,
      system: new SystemCalls(this).entry,
      texture: new TextureUnit(this).fetch,
      surface: new SurfaceUnit(this).locate,
      reuse: constant(base + layout.reuse),
      renumber: () => renumberReuse(request.memory.memory.buffer, base + layout.reuse, layout.reuseArea),
    };
    const { exports } = new WebAssembly.Instance(kernel.code.module, { host });
    this.runBlocks = exports["run_blocks"] as () => number;
    this.resume = exports["resume_warp"] as (warp: number) => void;
    this.initialize();
    this.sanitizer.start();
  }

  /** A fresh view: the memory's buffer is replaced when it grows. */
  get view(): DataView {
    return new DataView(this.request.memory.memory.buffer);
  }

  warpAt(index: number): number {
    return (
      this.base + this.layout.warps + this.slot * this.layout.slotBytes + index * this.kernel.code.warpBytes
    );
  }

  /** Linear address of the shared memory of the block at work. */
  get sharedAt(): number {
    return this.base + this.layout.shared + this.slot * this.layout.slotBytes;
  }

  /**
   * Makes another slot the one at work; what the static area holds about the block has to be exchanged as
   * well: see `Slots`.
   */
  useSlot(slot: number): void {
    this.slot = slot;
    this.shared.value = this.sharedAt;
  }

  /** Gives the code `amount` instructions before it yields. */
  refuel(amount: number): void {
    this.spent += this.gift - this.remainingFuel();
    this.gift = amount;
    this.fuel.value = amount;
  }

  remainingFuel(): number {
    return Number(this.fuel.value);
  }

  private initialize(): void {
    const { kernel, request, layout, base } = this;
    const { view } = this;
    new Uint8Array(request.memory.memory.buffer, base, layout.shared - sharedGap).fill(0);
    const word = (offset: number, value: number): void => view.setInt32(base + offset, value, true);
    request.block.forEach((size, axis) => word(staticLayout.ntid + 4 * axis, size));
    request.grid.forEach((size, axis) => word(staticLayout.nctaid + 4 * axis, size));
    word(staticLayout.dynamicShared, request.dynamicSharedBytes);
    word(staticLayout.totalShared, kernel.sharedBytes + request.dynamicSharedBytes);
    word(staticLayout.warpCount, layout.warpCount);
    word(staticLayout.patience, patience);
    word(staticLayout.stamps, base + layout.stamps);
    if (request.cooperative)
      view.setBigUint64(base + staticLayout.workspace, gridWorkspace(request.memory), true);
    for (let lane = 0; lane < lanes; lane += 1) word(staticLayout.lane + 4 * lane, lane);
    if (kernel.options.counters) initializeReuse(view, base + layout.reuse, layout.reuseArea);
    writeArguments(view, base + kernel.code.parametersAt, kernel.parameters, request.arguments);
    const symbols =
      kernel.code.symbols.size > 0 ? request.memory.loadModule(kernel.code.ptx) : new Map<string, bigint>();
    for (const { at, wide, bits, symbol } of kernel.code.constants) {
      const value = bits + (symbol === undefined ? 0n : (symbols.get(symbol) ?? 0n));
      for (let lane = 0; lane < lanes; lane += 1) {
        if (wide) view.setBigInt64(base + at + 8 * lane, BigInt.asIntN(64, value), true);
        else view.setInt32(base + at + 4 * lane, Number(BigInt.asIntN(32, value)), true);
      }
    }
    kernel.code.sites.forEach((site, index) => {
      if (site.space !== "shared") return;
      const record = base + layout.sites + index * siteLayout.size;
      view.setBigInt64(record + siteLayout.limit, BigInt(layout.sharedBytes), true);
      view.setInt32(record + siteLayout.linear, base + layout.shared, true);
    });
    this.initializeSlot();
  }

  /** Makes the slot at work ready for its first block. */
  initializeSlot(): void {
    const { view, layout, base, sharedAt } = this;
    new Uint8Array(view.buffer, sharedAt - sharedGap, layout.slotBytes).fill(0);
    this.useSlot(this.slot);
    view.setInt32(base + staticLayout.firstWarp, this.warpAt(0), true);
    view.setInt32(base + staticLayout.endOfWarps, this.warpAt(layout.warpCount), true);
    view.setInt32(base + staticLayout.lastWarp, this.warpAt(0), true);
    for (let warp = 0; warp < layout.warpCount; warp += 1) this.initializeWarp(view, warp);
  }

  /** What stays the same for every block: thread numbers, lane masks, where local memory lies. */
  private initializeWarp(view: DataView, warp: number): void {
    const at = this.warpAt(warp);
    const [width, height, depth] = this.request.block;
    const count = Math.min(lanes, width * height * depth - warp * lanes);
    view.setInt32(at + warpLayout.lanesAtStart, count === lanes ? -1 : (1 << count) - 1, true);
    view.setInt32(
      at + warpLayout.localBase,
      this.base +
        this.layout.local +
        this.slot * this.layout.slotBytes +
        warp * lanes * this.kernel.localBytes,
      true,
    );
    view.setInt32(at + warpLayout.warpIndex, warp, true);
    for (let lane = 0; lane < lanes; lane += 1) {
      const thread = warp * lanes + lane;
      const set = (offset: number, value: number): void => view.setInt32(at + offset + 4 * lane, value, true);
      set(warpLayout.tidX, thread % width);
      set(warpLayout.tidY, Math.floor(thread / width) % height);
      set(warpLayout.tidZ, Math.floor(thread / (width * height)));
      set(warpLayout.laneId, lane);
      set(warpLayout.warpId, warp);
      const bit = 1 << lane;
      set(warpLayout.laneMaskEqual, bit);
      set(warpLayout.laneMaskLess, bit - 1);
      set(warpLayout.laneMaskLessEqual, bit | (bit - 1));
      set(warpLayout.laneMaskGreater, ~(bit | (bit - 1)));
      set(warpLayout.laneMaskGreaterEqual, ~(bit - 1));
    }
  }

  /** Of the block at work. */
  get coordinates(): Triple {
    const { view, base } = this;
    const read = (axis: number): number => view.getInt32(base + staticLayout.ctaid + 4 * axis, true);
    return [read(0), read(1), read(2)];
  }

  threadOf(warp: number, lane: number): Triple {
    const { view } = this;
    const read = (offset: number): number => view.getInt32(warp + offset + 4 * lane, true);
    return [read(warpLayout.tidX), read(warpLayout.tidY), read(warpLayout.tidZ)];
  }
}
