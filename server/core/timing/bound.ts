import { at } from "../base/known";
import type { CounterSums } from "./counters";
import { noMachineWork } from "./execution/machine-work";
import { type GpuModel, clockGigahertz, commonLimits, limitsOf, modelConstants } from "./gpu-model";
import { type HostCalls, hostTime, noHostCalls, weighedHostTime } from "./host/host-calls";
import { type LaunchProfile, type LaunchShape, timesOf } from "./launch-profile";
import { type Occupancy, occupancy } from "./occupancy";
import { type CacheShare, type SectorReuse, type ServedSectors, servedSectors } from "./reuse";
import { type TorchOperation, torchNanoseconds } from "./torch-work";
import type { ModelledBound } from "../judge/verdict";

/** Bytes of a sector of global memory. */
export const sectorBytes = 32;
const nobody: ServedSectors = { firstLevel: 0, secondLevel: 0, memory: 0 };

/** Terms of the modelled bound; docs/model.md explains each. */
export type BoundTermName =
  | "dram"
  | "l2"
  | "l1"
  | "shared"
  | "issue"
  | "fp32"
  | "fp64"
  | "fp16"
  | "integer"
  | "conversion"
  | "special"
  | "tensor"
  | "atomics"
  | "latency"
  | "copies"
  | "torch"
  | "launch";

type Terms = Record<Exclude<BoundTermName, "copies" | "torch" | "launch">, number>;

/** What an entry has the GPU do beside its kernels. */
export interface HostCost {
  /** Bytes that copies and fills read and write. */
  readonly movedBytes?: number | undefined;
  /** Copies and fills: each is a call of its own, as a launch is. */
  readonly moves?: number | undefined;
  readonly torch?: readonly TorchOperation[] | undefined;
  /** What host code asks of the runtime, whose time is told apart from the GPU's. */
  readonly hostCalls?: HostCalls | undefined;
}

/**
 * Modelled run time of launches one after the other on one GPU, in nanoseconds; never a measurement.
 * Deterministic, and no term falls when a counter rises. Each launch costs its greatest term (all others
 * overlap with it); further launches, copies and fills cost a gap each. What host code has done between
 * them is added. The terms and their assumptions are explained in docs/model.md.
 */
export function modelledBound(
  launches: readonly LaunchProfile[],
  gpu: GpuModel,
  { movedBytes = 0, moves = 0, torch = [], hostCalls = noHostCalls }: HostCost = {},
): ModelledBound {
  const total: Record<string, number> = {};
  let nanoseconds = 0;
  for (const launch of launches) {
    const terms = launchTerms(launch, gpu);
    nanoseconds += Math.max(...Object.values(terms));
    for (const [name, value] of Object.entries(terms)) total[name] = (total[name] ?? 0) + value;
  }
  const gaps =
    Math.max(0, launches.reduce((sum, launch) => sum + timesOf(launch), moves) - 1) *
    modelConstants.launchGapNanoseconds;
  if (gaps > 0) total["launch"] = gaps;
  // A gigabyte a second is a byte a nanosecond.
  const copies = movedBytes / gpu.memoryGigabytesPerSecond;
  if (copies > 0) total["copies"] = copies;
  const operations = torchNanoseconds(torch, gpu);
  if (operations > 0) total["torch"] = operations;
  const binding = Object.entries(total).reduce(
    (most, each) => (each[1] > most[1] ? each : most),
    ["dram", -1],
  );
  const beside = gaps + copies + operations;
  const simulated = simulatedSum(launches, gpu);
  const crossedBytes = launches.reduce((sum, { counters }) => sum + (counters.machine?.crossedBytes ?? 0), 0);
  const host = hostTime(crossedBytes > 0 ? { ...hostCalls, crossedBytes } : hostCalls, gpu);
  return {
    gpu: gpu.name,
    nanoseconds: nanoseconds + beside,
    terms: total,
    binding: binding[0],
    ...(simulated === undefined ? {} : { simulatedNanoseconds: simulated + beside }),
    ...(host && { host }),
  };
}

/** A bound that says so where it has a simulated time of launches that do not all fill the GPU. */
export function withFill(
  bound: ModelledBound,
  launches: readonly LaunchProfile[],
  gpu: GpuModel,
): ModelledBound {
  const fillsGpu = launches.every((launch) => launch.blocks >= waveOf(launch, gpu));
  return fillsGpu || bound.simulatedNanoseconds === undefined ? bound : { ...bound, fillsGpu };
}

/** Simulated time of launches; undefined where there is none, or one was not simulated on this GPU. */
function simulatedSum(launches: readonly LaunchProfile[], gpu: GpuModel): number | undefined {
  if (launches.length === 0) return undefined;
  let sum = 0;
  for (const { simulated } of launches) {
    if (simulated?.gpu !== gpu.name) return undefined;
    sum += simulated.nanoseconds;
  }
  return sum;
}

/** One term of a bound, in nanoseconds; 0 for one that nothing was spent on. */
export function termOf({ terms }: Pick<ModelledBound, "terms">, name: string): number {
  return terms[name] ?? 0;
}

/** The bound of cases, at least one, of which each is run so many times, one after the other. */
export function weighedBound(
  cases: readonly { readonly bound: ModelledBound; readonly weight: number }[],
): ModelledBound {
  const terms: Record<string, number> = {};
  let nanoseconds = 0;
  for (const { bound, weight } of cases) {
    nanoseconds += weight * bound.nanoseconds;
    for (const [name, value] of Object.entries(bound.terms))
      terms[name] = (terms[name] ?? 0) + weight * value;
  }
  const [binding = "dram"] = Object.entries(terms).reduce(
    (most, each) => (each[1] > most[1] ? each : most),
    ["dram", -1],
  );
  const simulated = cases.map(({ bound, weight }) => weight * (bound.simulatedNanoseconds ?? Number.NaN));
  const sum = simulated.reduce((all, each) => all + each, 0);
  const host = weighedHostTime(cases.map((each) => ({ host: each.bound.host, weight: each.weight })));
  const whole = { gpu: at(cases, 0).bound.gpu, nanoseconds, terms, binding, ...(host && { host }) };
  // Of a part of the cases it would say nothing about all.
  if (Number.isNaN(sum)) return whole;
  const fillsGpu = cases.every(({ bound }) => bound.fillsGpu !== false);
  const longest = at(cases, simulated.indexOf(Math.max(...simulated))).bound;
  return {
    ...whole,
    simulatedNanoseconds: sum,
    ...(longest.simulatedLimit !== undefined && { simulatedLimit: longest.simulatedLimit }),
    ...(fillsGpu ? {} : { fillsGpu }),
  };
}

/** What a line would cost if nothing else ran, in nanoseconds of the model. */
export interface LineCost {
  readonly nanoseconds: number;
  /** The term that costs most. */
  readonly binding: string;
}

/**
 * The greatest term of one line's counters alone, without the rounds of the whole launch. For ranking lines;
 * the costs of all lines do not add up to the bound.
 */
export function lineCost(counters: CounterSums, shape: LaunchShape, gpu: GpuModel): LineCost {
  const [binding, nanoseconds] = Object.entries(launchTerms({ ...shape, counters }, gpu))
    .filter(([name]) => name !== "latency")
    .reduce((most, each) => (each[1] > most[1] ? each : most));
  return { nanoseconds, binding };
}

/** Occupancy of a launch on a GPU. */
export function launchOccupancy(shape: LaunchShape, gpu: GpuModel): Occupancy {
  return occupancy({
    architecture: architectureOf(gpu),
    threadsPerBlock: shape.threadsPerBlock,
    registersPerThread: shape.registersPerThread,
    sharedBytes: shape.sharedBytes,
  });
}

function architectureOf(gpu: GpuModel): string {
  return `sm_${gpu.capability.replace(".", "")}`;
}

/**
 * Global traffic by the level that serves it, in sectors; undefined for counters that nobody looked at reuse
 * for.
 */
export interface Traffic {
  readonly loads: ServedSectors;
  /** Stores and atomics: `memory` is written back to DRAM, the rest ends in the second level. */
  readonly stores: ServedSectors;
}

/** Which level serves a launch's loads and takes its stores on a GPU. */
export function trafficOf(counters: CounterSums, shape: LaunchShape, gpu: GpuModel): Traffic | undefined {
  const { loadReuse, storeReuse } = counters;
  if (loadReuse === undefined && storeReuse === undefined) return undefined;
  const cache = cacheShare(shape, gpu);
  const served = (reuse: SectorReuse | undefined, share: CacheShare): ServedSectors =>
    reuse === undefined ? nobody : servedSectors(reuse, share);
  // Stores are written through the first level.
  return { loads: served(loadReuse, cache), stores: served(storeReuse, { ...cache, firstLevelBytes: 0 }) };
}

/** Bytes that a launch moves between caches, and between them and DRAM. */
interface BytesOverLevels {
  readonly secondLevelLoads: number;
  /** Stores and atomics. */
  readonly secondLevelStores: number;
  readonly memoryLoads: number;
  readonly memoryStores: number;
}

/**
 * The bytes that the terms `l2` and `dram` are made of. Where reuse is not known, all of DRAM's are loads.
 */
export function bytesOverLevels(launch: LaunchProfile, gpu: GpuModel): BytesOverLevels {
  const { counters } = launch;
  const traffic = trafficOf(counters, launch, gpu);
  const stores = counters.globalStoreSectors + counters.globalAtomicSectors;
  return {
    secondLevelLoads: (secondLevelSectors(counters, traffic) - stores) * sectorBytes,
    secondLevelStores: stores * sectorBytes,
    memoryLoads: traffic ? traffic.loads.memory * sectorBytes : memoryBytes(launch, traffic),
    memoryStores: traffic ? traffic.stores.memory * sectorBytes : 0,
  };
}

/**
 * Caches as one block has them: shared memory takes the smallest step that holds the resident blocks, the
 * rest is divided among them.
 */
function cacheShare(shape: LaunchShape, gpu: GpuModel): CacheShare {
  const limits = limitsOf(architectureOf(gpu));
  const resident = residentBlocks(shape, gpu);
  const shared = shape.sharedBytes === 0 ? 0 : resident * (shape.sharedBytes + limits.reservedSharedBytes);
  const carved = limits.sharedStepsBytes.find((step) => step >= shared) ?? limits.sharedBytesPerSm;
  return {
    firstLevelBytes: Math.max(0, limits.firstLevelBytesPerSm - carved) / resident,
    secondLevelBytes: gpu.secondLevelMegabytes * 2 ** 20,
    blocksAtOnce: Math.min(Math.max(1, shape.blocks), resident * gpu.multiprocessors),
  };
}

/** Blocks of a launch that a GPU has resident at the same time. */
export function waveOf(shape: LaunchShape, gpu: GpuModel): number {
  return Math.max(1, launchOccupancy(shape, gpu).blocksPerSm) * gpu.multiprocessors;
}

/** Blocks on the busiest multiprocessor at the same time, at least one. */
function residentBlocks(shape: LaunchShape, gpu: GpuModel): number {
  const fitting = Math.max(1, launchOccupancy(shape, gpu).blocksPerSm);
  return Math.min(fitting, Math.max(1, Math.ceil(shape.blocks / gpu.multiprocessors)));
}

/** Each term of one launch alone, in nanoseconds. */
function launchTerms(launch: LaunchProfile, gpu: GpuModel): Terms {
  const { counters } = launch;
  const clock = clockGigahertz(gpu);
  const busiest = busiestShare(launch.blocks, gpu.multiprocessors);
  const limits = limitsOf(architectureOf(gpu));
  const perClock = (work: number, rate: number): number => (work * busiest) / (rate * clock);
  const pipe = (instructions: number, lanesPerClock: number): number =>
    perClock(instructions * commonLimits.warpSize, lanesPerClock);
  const traffic = trafficOf(counters, launch, gpu);
  const warps = residentWarps(launch, gpu);
  const { rates } = limits;
  const hidden = counters.machine ?? noMachineWork;
  return {
    dram: memoryBytes(launch, traffic) / gpu.memoryGigabytesPerSecond,
    l2: perClock(
      secondLevelSectors(counters, traffic) * sectorBytes,
      modelConstants.secondLevelBytesPerClockPerSm,
    ),
    l1: perClock(
      (counters.globalLoadSectors + counters.globalStoreSectors + counters.localSectors) * sectorBytes,
      limits.firstLevelBytesPerClock,
    ),
    shared: perClock(counters.sharedWavefronts, modelConstants.sharedWavefrontsPerClock),
    issue: perClock(counters.instructions + hidden.instructions, Math.min(commonLimits.subPartitions, warps)),
    fp32: pipe(counters.fp32Instructions + hidden.fp32, rates.fp32),
    fp64: pipe(counters.fp64Instructions + hidden.fp64, rates.fp64),
    fp16: pipe(2 * counters.fp16Instructions, rates.fp16),
    integer: pipe(counters.integerInstructions + hidden.integer, rates.integer),
    conversion: pipe(counters.conversionInstructions, rates.conversion),
    special: pipe(counters.specialInstructions + hidden.special, rates.special),
    tensor: (counters.tensorFlops * busiest * gpu.multiprocessors) / (gpu.tensorTeraflops * 1000),
    atomics: perClock(
      counters.sharedAtomicPasses + counters.globalAtomicPasses,
      modelConstants.atomicPassesPerClockPerSm,
    ),
    latency: latency(launch, gpu, { traffic, warps, busiest }) + (hidden.sleptNanoseconds * busiest) / warps,
  };
}

/**
 * Share of all work that the busiest multiprocessor does when blocks are alike: with fewer blocks than
 * multiprocessors some idle, and the last, partly filled round counts whole (the tail).
 */
function busiestShare(blocks: number, multiprocessors: number): number {
  const count = Math.max(1, blocks);
  return Math.ceil(count / multiprocessors) / count;
}

function residentWarps(shape: LaunchShape, gpu: GpuModel): number {
  return residentBlocks(shape, gpu) * Math.max(1, Math.ceil(shape.threadsPerBlock / commonLimits.warpSize));
}

/**
 * Bytes over DRAM: what no cache holds, by the distances of reuse. Where those are not known: what is touched
 * once, and of the traffic beyond that an assumed share.
 */
function memoryBytes(launch: LaunchProfile, traffic: Traffic | undefined): number {
  if (traffic) return (traffic.loads.memory + traffic.stores.memory) * sectorBytes;
  const moved = (launch.counters.globalLoadSectors + launch.counters.globalStoreSectors) * sectorBytes;
  const once = Math.min(moved, launch.footprintBytes);
  return once + (moved - once) * modelConstants.missShare;
}

/**
 * Sectors between multiprocessors and the second-level cache: loads that the first level does not hold, all
 * stores and atomics.
 */
function secondLevelSectors(counters: CounterSums, traffic: Traffic | undefined): number {
  const loads = traffic ? traffic.loads.secondLevel + traffic.loads.memory : counters.globalLoadSectors;
  return loads + counters.globalStoreSectors + counters.globalAtomicSectors;
}

/** Sectors of a coalesced request of 4 bytes a lane. */
const sectorsPerRequest = 4;

/**
 * Waiting for memory, the longer of two: each round of resident blocks waits for one access at the least; and
 * by Little's law no more can be on its way at any time than the resident warps ask for, so that all loads
 * take requests × latency / requests in flight. How many requests wait for which level is taken from the
 * sectors, as if all were coalesced, but no more than there are.
 */
function latency(
  launch: LaunchProfile,
  gpu: GpuModel,
  known: { readonly traffic: Traffic | undefined; readonly warps: number; readonly busiest: number },
): number {
  const { counters } = launch;
  if (counters.globalLoadRequests + counters.globalStoreRequests + counters.globalAtomicSectors === 0)
    return 0;
  const {
    firstLevelLatencyNanoseconds: near,
    secondLevelLatencyNanoseconds: far,
    memoryLatencyNanoseconds: farthest,
    requestsInFlightPerWarp,
  } = modelConstants;
  const perRound = Math.max(1, launchOccupancy(launch, gpu).blocksPerSm) * gpu.multiprocessors;
  const rounds = timesOf(launch) * Math.ceil(Math.max(1, launch.blocks) / perRound) * farthest;
  const { firstLevel, secondLevel, memory } = known.traffic?.loads ?? {
    firstLevel: 0,
    secondLevel: counters.globalLoadSectors,
    memory: 0,
  };
  const waits = Math.min(
    counters.globalLoadRequests * farthest,
    (firstLevel * near + secondLevel * far + memory * farthest) / sectorsPerRequest,
  );
  return Math.max(rounds, (waits * known.busiest) / (known.warps * requestsInFlightPerWarp));
}
