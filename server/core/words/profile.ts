import { known } from "../base/known";
import type { ToolRun } from "../hardware/measurement";
import { type Traffic, launchOccupancy, lineCost, modelledBound, trafficOf } from "../timing/bound";
import type { LaunchProfile, LaunchShape } from "../timing/launch-profile";
import { countersWith } from "../timing/counter-catalogue";
import type { CounterSums, KernelCounters, LineCounters } from "../timing/counters";
import { machineLineOf } from "./lines/machine-line";
import { type GpuModel, limitsOf } from "../timing/gpu-model";
import { timesOf } from "../timing/launch-profile";
import { lineFaults, repeatedLoads } from "./line-faults";
import type { Occupancy } from "../timing/occupancy";
import type { CompiledFacts, MachineLine, ModelledBound } from "../judge/verdict";

/** All launches of one kernel that were counted. */
export interface KernelProfile {
  readonly kernel: string;
  /** Merged over the launches. */
  readonly counters: KernelCounters;
  /** Each launch, or launches of one shape together. */
  readonly profiles: readonly LaunchProfile[];
  readonly facts: readonly CompiledFacts[];
  /** What NVIDIA's tools said of it on a GPU, where they were asked. */
  readonly toolRuns?: readonly ToolRun[];
}

/** The launches of all kernels, each with the name of its kernel. */
export function namedLaunches(kernels: readonly KernelProfile[]): readonly LaunchProfile[] {
  return kernels.flatMap(({ kernel, facts, profiles }) =>
    profiles.map((launch) => ({ kernel: facts[0]?.kernel ?? kernel, ...launch })),
  );
}

/** Bytes that a kernel asked for and that moved, by space, direction and level. */
export interface MovedBytes {
  readonly globalLoadAsked: number;
  readonly globalStoreAsked: number;
  readonly globalLoadSectors: number;
  readonly globalStoreSectors: number;
  /** Of the loads' sectors by the level that serves them; absent where reuse was not looked at. */
  readonly fromFirstLevel?: number;
  readonly fromSecondLevel?: number;
  readonly fromMemory?: number;
  /** Written back to DRAM by stores and atomics. */
  readonly toMemory?: number;
  readonly sharedLoad: number;
  readonly sharedStore: number;
  readonly localLoad: number;
  readonly localStore: number;
  readonly localSectors: number;
}

export interface ProfiledLine {
  readonly counters: LineCounters;
  /**
   * What the line would cost if nothing else ran, in nanoseconds of the model, and over the sum of all lines'
   * costs.
   */
  readonly cost: number;
  readonly share: number;
  readonly bytes: MovedBytes;
  /** Sentences, worst first. */
  readonly faults: readonly string[];
  /** Machine instructions and their static stall cycles, where a cubin was read. */
  readonly machine?: {
    readonly instructions: number;
    readonly staticStallCycles: number;
    readonly spillInstructions: number;
  };
}

export interface ProfileSummary {
  readonly kernel: string;
  readonly gpu: string;
  readonly multiprocessors: number;
  readonly architecture: string;
  readonly launches: number;
  /** Of the launch that executed most. */
  readonly shape: LaunchShape;
  readonly bound: ModelledBound;
  readonly occupancy: Occupancy & { readonly warpsAtMost: number };
  /** Executed warp instructions by class, greatest first, without classes that do not occur. */
  readonly classes: Readonly<Record<string, number>>;
  /** Lanes that are active in an average instruction, 0 to 32. */
  readonly activeLanes: number;
  readonly bytes: MovedBytes;
  readonly flops: {
    readonly fp16: number;
    readonly fp32: number;
    readonly fp64: number;
    readonly tensor: number;
  };
  /** Operations for each byte to or from DRAM; absent without such bytes or where reuse was not looked at. */
  readonly operationsPerByte?: number;
  /** The costliest line first. */
  readonly lines: readonly ProfiledLine[];
}

const sectorBytes = 32;

/**
 * Everything that is known about a kernel's launches on one GPU. Registers and spills are those of the
 * architecture it was compiled for.
 */
export function summarizeProfile(profile: KernelProfile, gpu: GpuModel): ProfileSummary {
  const shape = greatestLaunch(profile.profiles);
  const { totals } = profile.counters;
  const bytes = bytesOf(
    totals,
    sumTraffic(profile.profiles.map((launch) => trafficOf(launch.counters, launch, gpu))),
  );
  const flops = {
    fp16: totals.fp16Flops,
    fp32: totals.fp32Flops,
    fp64: totals.fp64Flops,
    tensor: totals.tensorFlops,
  };
  const moved = (bytes.fromMemory ?? 0) + (bytes.toMemory ?? 0);
  const architecture = `sm_${gpu.capability.replace(".", "")}`;
  return {
    kernel: profile.kernel,
    gpu: gpu.name,
    multiprocessors: gpu.multiprocessors,
    architecture,
    launches: profile.profiles.reduce((sum, launch) => sum + timesOf(launch), 0),
    shape,
    bound: modelledBound(profile.profiles, gpu),
    occupancy: { ...launchOccupancy(shape, gpu), warpsAtMost: limitsOf(architecture).warpsPerSm },
    classes: classesOf(totals),
    activeLanes: totals.instructions === 0 ? 0 : totals.threadInstructions / totals.instructions,
    bytes,
    flops,
    ...(moved > 0
      ? { operationsPerByte: (flops.fp16 + flops.fp32 + flops.fp64 + flops.tensor) / moved }
      : {}),
    lines: profiledLines(profile, shape, gpu),
  };
}

function greatestLaunch(launches: readonly LaunchProfile[]): LaunchShape {
  const none: LaunchShape = {
    blocks: 0,
    threadsPerBlock: 1,
    registersPerThread: 0,
    sharedBytes: 0,
    footprintBytes: 0,
  };
  const [first] = [...launches].sort((a, b) => b.counters.instructions - a.counters.instructions);
  if (first === undefined) return none;
  const { blocks, threadsPerBlock, registersPerThread, sharedBytes, footprintBytes } = first;
  return { blocks, threadsPerBlock, registersPerThread, sharedBytes, footprintBytes };
}

function classesOf(counters: CounterSums): Readonly<Record<string, number>> {
  const present = countersWith("instructionClass")
    .map(([counter, name]) => [name, counters[counter]] as const)
    .filter(([, count]) => count > 0);
  return Object.fromEntries(present.sort((a, b) => b[1] - a[1]));
}

function sumTraffic(parts: readonly (Traffic | undefined)[]): Traffic | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length === 0) return undefined;
  const add = (which: keyof Traffic, level: keyof Traffic["loads"]): number =>
    known.reduce((sum, part) => sum + part[which][level], 0);
  const all = (which: keyof Traffic): Traffic["loads"] => ({
    firstLevel: add(which, "firstLevel"),
    secondLevel: add(which, "secondLevel"),
    memory: add(which, "memory"),
  });
  return { loads: all("loads"), stores: all("stores") };
}

function bytesOf(counters: CounterSums, traffic: Traffic | undefined): MovedBytes {
  const inBytes = (sectors: number): number => Math.round(sectors) * sectorBytes;
  return {
    globalLoadAsked: counters.globalLoadBytes,
    globalStoreAsked: counters.globalStoreBytes,
    globalLoadSectors: counters.globalLoadSectors * sectorBytes,
    globalStoreSectors: counters.globalStoreSectors * sectorBytes,
    ...(traffic
      ? {
          fromFirstLevel: inBytes(traffic.loads.firstLevel),
          fromSecondLevel: inBytes(traffic.loads.secondLevel),
          fromMemory: inBytes(traffic.loads.memory),
          toMemory: inBytes(traffic.stores.memory),
        }
      : {}),
    sharedLoad: counters.sharedLoadBytes,
    sharedStore: counters.sharedStoreBytes,
    localLoad: counters.localLoadBytes,
    localStore: counters.localStoreBytes,
    localSectors: counters.localSectors * sectorBytes,
  };
}

/** Missing reuse is told of loads that have no worse fault. */
function faultTexts(
  line: LineCounters,
  machine: MachineLine | undefined,
  cost: Parameters<typeof repeatedLoads>[1],
): readonly string[] {
  const faults = lineFaults(line, machine);
  const isScattered = faults.some(({ counter }) => counter === "globalLoadSectors");
  return [...faults.map(({ text }) => text), ...(isScattered ? [] : repeatedLoads(line, cost))];
}

function profiledLines(
  { counters, facts }: KernelProfile,
  shape: LaunchShape,
  gpu: GpuModel,
): readonly ProfiledLine[] {
  const costs = counters.lines.map((line) => lineCost(line, shape, gpu));
  const total = Math.max(
    Number.MIN_VALUE,
    costs.reduce((sum, { nanoseconds }) => sum + nanoseconds, 0),
  );
  return counters.lines
    .map((line, at): ProfiledLine => {
      const { nanoseconds: cost, binding } = known(costs[at], "each line has a cost");
      const share = cost / total;
      const machine = machineLineOf(facts, line.file, line.line);
      return {
        counters: line,
        cost,
        share,
        bytes: bytesOf(line, trafficOf(line, shape, gpu)),
        faults: faultTexts(line, machine, { share, binding }),
        ...(machine
          ? {
              machine: {
                instructions: machine.instructions,
                staticStallCycles: machine.staticStallCycles,
                spillInstructions: machine.spillInstructions,
              },
            }
          : {}),
      };
    })
    .sort((a, b) => b.cost - a.cost || a.counters.line - b.counters.line);
}
