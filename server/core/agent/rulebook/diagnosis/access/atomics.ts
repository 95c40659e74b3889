import type { SectorReuse } from "../../../../timing/reuse";
import { clockGigahertz } from "../../../../timing/gpu-model";
import {
  againOf,
  type Finding,
  fraction,
  type Measured,
  shareOfTime,
  shareOn,
  sumOf,
  worstLine,
} from "../measured";
import type { DiagnosisEntry } from "../entry";
import { limitIn } from "../entry";

/** Bytes of neighbouring addresses that one slice of the second-level cache serves. */
const sliceBytes = 512;
const slicesMost = 40;
const sectorBytes = 32;
const warpSize = 32;
/** Clocks of a slice for one addition on an address: 3.5 for floats, 1 for whole numbers. */
const clocksEach = 2;

/** Atomics that many threads aim at the same few addresses, within a warp or one after the other. */
export function contendedAtomics(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  return [...inGlobalMemory(measured, entry), ...inSharedMemory(measured, entry)];
}

function inGlobalMemory(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { totals, blocks, gpu, warps } = measured;
  const lines = measured.lines.filter(({ globalAtomics }) => globalAtomics > 0);
  const worst = worstLine(lines, ({ globalAtomicPasses }) => globalAtomicPasses);
  if (worst === undefined) return [];
  const {
    globalAtomicPasses: passes,
    globalAtomics: requests,
    globalAtomicLanes: lanes,
    storeReuse,
  } = sumOf(lines);
  const touched = storeReuse === undefined ? undefined : Math.max(1, storeReuse.first);
  // A sum that each block adds once to each address is as few as one can do, where blocks are few.
  const addresses = (touched ?? lanes) * (sectorBytes / 4);
  // Lanes that add side by side hand over what their block has counted: no block does so with less. A block
  // that has loaded little for each has counted nothing, as where each row adds to sums of its columns.
  const scattered = touches(storeReuse) >= (2 * lanes) / (sectorBytes / 4);
  const { globalLoadRequests, globalLoadSectors, loadReuse } = totals;
  const fresh = loadReuse === undefined ? 1 : fraction(loadReuse.first, globalLoadSectors);
  const loaded = fresh * Math.max(globalLoadRequests * warpSize, (globalLoadSectors * sectorBytes) / 4);
  const isOfThreads =
    (scattered || loaded < limitIn(entry, "loadedEach") * lanes) && lanes >= 0.5 * warps * warpSize;
  const adding = isOfThreads ? Math.min(blocks, gpu.multiprocessors) : blocks;
  const needless = fraction(lanes - adding * Math.min(addresses, lanes / blocks), lanes);
  if (lanes < addresses * limitIn(entry, "perAddress") || needless < 0.5) return [];
  const slices = Math.min(slicesMost, Math.max(1, ((touched ?? lanes) * sectorBytes) / sliceBytes));
  // A slice takes the sectors of a warp's addresses one after the other.
  const clocks = Math.max(passes * clocksEach, touches(storeReuse));
  const inTurn = clocks / (slices * clockGigahertz(gpu));
  const crowded = shareOn(measured, ["atomics"], fraction(passes - requests, passes));
  const share = Math.max(crowded, needless * shareOfTime(measured, inTurn));
  const most = fraction(totals.globalAtomicLanes, addresses) === 0 ? lanes : Math.round(lanes / addresses);
  return [{ line: worst.line, share, blanks: { value: lanes, each: Math.max(1, most) } }];
}

function touches(reuse: SectorReuse | undefined): number {
  const { own, others } = againOf(reuse);
  return own + others + (reuse?.first ?? 0);
}

function inSharedMemory(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const { sharedAtomicPasses: passes, sharedAtomics: requests } = measured.totals;
  const worst = worstLine(measured.lines, (line) => line.sharedAtomicPasses);
  if (worst === undefined || passes < requests * limitIn(entry, "sharedRatio")) return [];
  const share = shareOn(measured, ["atomics"], fraction(passes - requests, passes));
  return [
    { line: worst.line, share, blanks: { value: passes, each: Math.round(passes / Math.max(1, requests)) } },
  ];
}

/** Elements that are stored again and again by the threads that stored them before: sums kept in memory. */
export function accumulatedInMemory(measured: Measured, entry: DiagnosisEntry): readonly Finding[] {
  const times = limitIn(entry, "times");
  // A line may store what another one has touched first, so that all of the kernel's count.
  const first = Math.max(1, measured.totals.storeReuse?.first ?? 0);
  const lines = measured.lines.filter(({ storeReuse, globalStoreBytes, globalAtomics }) => {
    if (storeReuse === undefined || globalAtomics > 0) return false;
    // Bytes decide, not sectors: a sector that is filled bit by bit is stored once.
    return globalStoreBytes >= first * sectorBytes * times && againOf(storeReuse).own >= first * times;
  });
  const worst = worstLine(lines, ({ globalStoreRequests }) => globalStoreRequests);
  if (worst === undefined) return [];
  const { globalStoreSectors, storeReuse } = sumOf(lines);
  const again = globalStoreSectors - (storeReuse?.first ?? 0);
  const { totals } = measured;
  const moved = totals.globalLoadSectors + totals.globalStoreSectors;
  // What is added to is loaded as often as it is stored.
  const loaded = Math.min(again, totals.globalLoadSectors);
  const share = shareOn(measured, ["dram", "l2", "l1", "latency"], fraction(again + loaded, moved));
  return [{ line: worst.line, share, blanks: { value: worst.globalStoreRequests } }];
}
