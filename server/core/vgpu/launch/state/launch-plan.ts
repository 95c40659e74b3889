import type { CompiledKernel } from "../../compile-kernel";
import { blockLayout, lanes, siteLayout, stampsBeyond } from "../../layout";
import { residentBlocks } from "../../modelled-gpu";
import { alignUp } from "../../numbers";
import { type ReuseArea, planReuse } from "./reuse-area";
import { clusterSize } from "./clusters/cluster-blocks";
import type { LaunchRequest } from "./types";

/** Where the parts of a launch's working memory lie: bytes from its start. */
export interface LaunchPlan {
  readonly sites: number;
  readonly blocks: number;
  readonly shared: number;
  readonly sharedBytes: number;
  /** Target of suppressed accesses: for each lane zeroes to read, then for each lane room to write to. */
  readonly sink: number;
  readonly warps: number;
  readonly local: number;
  readonly total: number;
  readonly warpCount: number;
  /** Bytes from one slot (shared memory, warps and local memory of one resident block) to the next. */
  readonly slotBytes: number;
  /** Number of slots. */
  readonly slots: number;
  /** Start of the reuse area and its parts. */
  readonly reuse: number;
  readonly reuseArea: ReuseArea;
  /** See `staticLayout.stamps`. */
  readonly stamps: number;
}

/**
 * The most memory (bytes) for the slots of an ordinary launch; reserved, but not touched before it is needed.
 * Less with detectors, whose own memory is several times as large.
 */
const slotMemory = 64 * 1024 * 1024;
const watchedSlotMemory = 16 * 1024 * 1024;

/** Unused bytes on either side of shared memory, so that an overrun meets nothing of the launch's. */
export const sharedGap = 256;

/** Bytes of one lane's share of the sink: the largest access of a lane. */
export const sinkBytes = 64;

/** Lays out the working memory of a launch. */
export function planLaunch(kernel: CompiledKernel, request: LaunchRequest): LaunchPlan {
  const threads = request.block[0] * request.block[1] * request.block[2];
  const warpCount = Math.ceil(threads / lanes);
  const sharedBytes =
    request.dynamicSharedBytes > 0 ? kernel.sharedBytes + request.dynamicSharedBytes : kernel.sharedEnd;
  const sites = alignUp(kernel.code.staticBytes, 256);
  const blocks = alignUp(sites + kernel.code.sites.length * siteLayout.size, 256);
  const sink = alignUp(blocks + kernel.code.blocks.length * blockLayout.size, 256);
  const reuse = alignUp(sink + 2 * lanes * sinkBytes, 256);
  const reuseArea = planReuse(request.memory, kernel.options.counters);
  const stamps = alignUp(reuse + reuseArea.size, 16);
  const firstSlot = alignUp(stamps + (kernel.options.counters ? sharedBytes + stampsBeyond : 0), 256);
  const shared = firstSlot + sharedGap;
  const warps = alignUp(shared + sharedBytes + sharedGap, 256);
  const local = alignUp(warps + warpCount * kernel.code.warpBytes, 256);
  const slotBytes = alignUp(local + warpCount * lanes * kernel.localBytes + sharedGap, 256) - firstSlot;
  const slots = countSlots(kernel, request, slotBytes);
  const total = firstSlot + slots * slotBytes;
  return {
    sites,
    blocks,
    shared,
    sharedBytes,
    sink,
    warps,
    local,
    total,
    warpCount,
    slotBytes,
    slots,
    reuse,
    reuseArea,
    stamps,
  };
}

/**
 * How many blocks of a launch can be resident at once. One when its threads never wait for each other; else
 * as many as the modelled GPU holds, within the bound on memory unless the launch is cooperative.
 */
function countSlots(kernel: CompiledKernel, request: LaunchRequest, slotBytes: number): number {
  const waitsForGrid = request.gridBefore !== undefined && kernel.code.dependence.waits;
  const size = clusterSize(kernel, request);
  if (!kernel.code.spins && !waitsForGrid) return size;
  const [x, y, z] = request.grid;
  const bound = kernel.options.detectors ? watchedSlotMemory : slotMemory;
  const room = request.cooperative ? Infinity : Math.max(1, Math.floor(bound / slotBytes));
  const most = Math.min(x * y * z, mostResident(kernel, request), room);
  return Math.max(size, most - (most % size));
}

/** Blocks of a launch that the modelled GPU holds at the same time. */
export function mostResident(
  kernel: CompiledKernel,
  { block: [x, y, z], dynamicSharedBytes, residentBlocks: given }: LaunchRequest,
): number {
  return given ?? residentBlocks(x * y * z, kernel.sharedBytes + dynamicSharedBytes);
}
