import { invariant } from "../../../base/assert";
import { lanes, siteLayout, staticLayout, warpLayout } from "../../layout";
import { clusterOf } from "./clusters/cluster-blocks";
import { writeArguments } from "./arguments";
import { sharedGap } from "./launch-plan";
import type { LaunchState } from "./launch-state";
import { initializeReuse } from "./reuse-area";
import { gridWorkspace } from "./workspace";

/**
 * Visits of a code block by the same lanes with unchanged observations, after which they count as waiting.
 */
const patience = 256;
/**
 * The same where blocks start from the last: what waits a limited number of times, and then goes on without
 * what it waits for, has tried as often as such limits are high.
 */
const longPatience = 1 << 20;
/** Lanes that come apart from the others there: those with an even number of bits in their own number. */
const apart = 0x69969669 | 0;

/**
 * Fills the working memory of a launch: geometry, arguments, constants, memory windows and the first slot.
 */
export function initializeLaunch(state: LaunchState): void {
  const { kernel, request, plan, base, view } = state;
  new Uint8Array(view.buffer, base, plan.shared - sharedGap).fill(0);
  const word = (offset: number, value: number): void => view.setInt32(base + offset, value, true);
  request.block.forEach((size, axis) => word(staticLayout.ntid + 4 * axis, size));
  request.grid.forEach((size, axis) => word(staticLayout.nctaid + 4 * axis, size));
  word(staticLayout.dynamicShared, request.dynamicSharedBytes);
  word(staticLayout.totalShared, kernel.sharedBytes + request.dynamicSharedBytes);
  word(staticLayout.warpCount, plan.warpCount);
  const isOther = request.order === "descending";
  word(staticLayout.patience, isOther ? longPatience : patience);
  word(staticLayout.together, isOther ? apart : -1);
  word(staticLayout.stamps, base + plan.stamps);
  const cluster = clusterOf(kernel, request);
  (cluster ?? [1, 1, 1]).forEach((size, axis) => word(staticLayout.clusterSize + 4 * axis, size));
  if (cluster) word(staticLayout.explicitCluster, 1);
  if (request.gridBefore) word(staticLayout.gridBefore, 1);
  if (request.cooperative)
    view.setBigUint64(base + staticLayout.workspace, gridWorkspace(request.memory), true);
  for (let lane = 0; lane < lanes; lane += 1) word(staticLayout.lane + 4 * lane, lane);
  if (kernel.options.counters) initializeReuse(view, base + plan.reuse, plan.reuseArea);
  writeArguments(view, base + kernel.code.parametersAt, kernel.parameters, request.arguments);
  writeConstants(state);
  kernel.code.sites.forEach((site, index) => {
    if (site.space !== "shared") return;
    const record = base + plan.sites + index * siteLayout.size;
    view.setBigInt64(record + siteLayout.limit, BigInt(plan.sharedBytes), true);
    view.setInt32(record + siteLayout.linear, base + plan.shared, true);
  });
  initializeSlot(state);
}

/** Writes the kernel's constant vectors: bits, or the addresses of module variables. */
function writeConstants({ kernel: { code }, request: { memory }, base, view }: LaunchState): void {
  const symbols = code.symbols.size > 0 ? memory.loadModule(code.ptx) : new Map<string, bigint>();
  const addressOf = (symbol: string): bigint => {
    const address = symbols.get(symbol);
    invariant(address !== undefined, `the module has a variable ${symbol}`);
    return address;
  };
  for (const { at, wide, bits, symbol } of code.constants) {
    const value = bits + (symbol === undefined ? 0n : addressOf(symbol));
    for (let lane = 0; lane < lanes; lane += 1) {
      if (wide) view.setBigInt64(base + at + 8 * lane, BigInt.asIntN(64, value), true);
      else view.setInt32(base + at + 4 * lane, Number(BigInt.asIntN(32, value)), true);
    }
  }
}

/** Prepares the current slot for its first block. */
export function initializeSlot(state: LaunchState): void {
  const { view, plan, base, sharedAt } = state;
  new Uint8Array(view.buffer, sharedAt - sharedGap, plan.slotBytes).fill(0);
  state.useSlot(state.slot);
  view.setInt32(base + staticLayout.firstWarp, state.warpAt(0), true);
  view.setInt32(base + staticLayout.endOfWarps, state.warpAt(plan.warpCount), true);
  view.setInt32(base + staticLayout.lastWarp, state.warpAt(0), true);
  for (let warp = 0; warp < plan.warpCount; warp += 1) initializeWarp(state, view, warp);
}

/** Writes what is the same for every block: thread coordinates, lane masks, the place of local memory. */
function initializeWarp(state: LaunchState, view: DataView, warp: number): void {
  const { base, plan, request, kernel, slot } = state;
  const at = state.warpAt(warp);
  const [width, height, depth] = request.block;
  const count = Math.min(lanes, width * height * depth - warp * lanes);
  const localBase = base + plan.local + slot * plan.slotBytes + warp * lanes * kernel.localBytes;
  view.setInt32(at + warpLayout.lanesAtStart, count === lanes ? -1 : (1 << count) - 1, true);
  view.setInt32(at + warpLayout.localBase, localBase, true);
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
