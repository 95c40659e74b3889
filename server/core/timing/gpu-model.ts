import { at, entry, known } from "../base/known";
import limits from "./gpu-limits.json";

/** Limits of one compute capability. Bytes, unless the name says otherwise. */
interface ArchitectureLimits {
  readonly warpsPerSm: number;
  readonly blocksPerSm: number;
  readonly sharedBytesPerSm: number;
  /** The most that one block may ask for (opt-in). */
  readonly sharedBytesPerBlock: number;
  /** What the system takes of each block's shared memory. */
  readonly reservedSharedBytes: number;
  readonly floatLanesPerSm: number;
  /** Sizes that the shared part of the unified L1 can be set to. */
  readonly sharedStepsBytes: readonly number[];
  readonly sharedGranularityBytes: number;
  /** The memory that shared memory and the first-level cache divide up. */
  readonly firstLevelBytesPerSm: number;
  readonly firstLevelBytesPerClock: number;
  /** Results a clock of one multiprocessor. */
  readonly rates: PipeRates;
}

/** Lanes a clock of each arithmetic pipe; halves count one by one. */
export interface PipeRates {
  readonly fp32: number;
  readonly fp64: number;
  readonly fp16: number;
  readonly integer: number;
  readonly conversion: number;
  readonly special: number;
}

/** A GPU one can buy, with the peaks of its data sheet. */
export interface GpuModel {
  readonly name: string;
  /** What its driver calls it, where that is not `name`: without the maker and the family. */
  readonly reported?: string;
  /** `8.0`. */
  readonly capability: string;
  readonly multiprocessors: number;
  readonly floatTeraflops: number;
  readonly tensorTeraflops: number;
  readonly memoryGigabytesPerSecond: number;
  readonly memoryBusBits: number;
  readonly secondLevelMegabytes: number;
  readonly default: boolean;
}

/** The same for all capabilities that we know. */
export const commonLimits = limits.common;

/** Constants of the model, explained in docs/model.md. */
export const modelConstants = limits.model;

const capabilities: Readonly<Record<string, ArchitectureLimits>> = limits.architectures;
const gpus: readonly GpuModel[] = limits.gpus;

/** `8.0` of `sm_80`, `9.0` of `sm_90a`, `12.0` of `sm_120`. */
export function capabilityOf(architecture: string): string {
  const digits = known(
    /^sm_(\d{2,3})[a-z]?$/.exec(architecture)?.[1],
    `the capability of "${architecture}": an architecture such as sm_80 was expected`,
  );
  return `${digits.slice(0, -1)}.${digits.slice(-1)}`;
}

/** The oldest code that the virtual GPU runs. */
const oldestExecuted = 80;

/**
 * The number of the code that the virtual GPU runs as a modelled GPU: 90 of `sm_90` and `sm_90a`, 80 of an
 * older GPU than `sm_80` and where none is named.
 */
export function executedCode(architecture: string | undefined): number {
  if (architecture === undefined) return oldestExecuted;
  return Math.max(oldestExecuted, Math.round(Number(capabilityOf(architecture)) * 10));
}

/**
 * As `executedCode`, with the letter of code that one architecture alone has: `90a` of `sm_90a` (PTX ISA
 * section 11.1.2), which the GPU of that number runs.
 */
export function executedName(architecture: string): string {
  const letter = /[a-z]$/.exec(architecture)?.[0] ?? "";
  return `${executedCode(architecture)}${letter}`;
}

/** The first code that has instructions of its architecture alone. */
const firstWithOwn = 90;

/** Whether the assembler says that instructions may be in an architecture's own code, not its plain one. */
export function saysOtherTarget(said: string, architecture: string): boolean {
  const isPlain = /\d$/.test(architecture) && executedCode(architecture) >= firstWithOwn;
  return isPlain && said.includes(`not supported on .target '${architecture}'`);
}

/** Architectures that have limits and a GPU of their own, from `sm_70` up. */
export function knownArchitectures(): readonly string[] {
  return [...new Set(gpus.map((gpu) => gpu.capability))]
    .sort((a, b) => Number(a) - Number(b))
    .map((capability) => `sm_${capability.replace(".", "")}`);
}

/** The known architectures that today's compilers have code for. */
export function compiledArchitectures(): readonly string[] {
  return knownArchitectures().filter(
    (architecture) => Number(capabilityOf(architecture)) >= Number(limits.compilers.oldest),
  );
}

/** Whether an architecture can be modelled: `sm_90`, and `sm_90a` with it. */
export function isKnownArchitecture(architecture: string): boolean {
  return knownArchitectures().includes(architecture.replace(/(?<=\d)[af]$/, ""));
}

/** Limits of an architecture; one that the table lacks has those of the nearest lower known one. */
export function limitsOf(architecture: string): ArchitectureLimits {
  const wanted = Number(capabilityOf(architecture));
  const listed = Object.keys(capabilities).sort((a, b) => Number(a) - Number(b));
  return entry(capabilities, listed.findLast((each) => Number(each) <= wanted) ?? at(listed, 0));
}

/** The GPU that stands for an architecture when none is named: the table marks one for each capability. */
export function defaultGpu(architecture: string): GpuModel {
  const wanted = Number(capabilityOf(architecture));
  const marked = gpus
    .filter((gpu) => gpu.default)
    .sort((a, b) => Number(a.capability) - Number(b.capability));
  return marked.findLast((gpu) => Number(gpu.capability) <= wanted) ?? at(marked, 0);
}

/** The names of all GPUs of the table, in its order. */
export function gpuNames(): readonly string[] {
  return gpus.map(({ name }) => name);
}

/** The GPU of a name, as the table writes it: `RTX A6000`. */
export function gpuNamed(name: string): GpuModel {
  return known(
    gpus.find((gpu) => gpu.name === name),
    `GPU ${name} in gpu-limits.json`,
  );
}

/** The GPU whose limits and speed stand for a target. `model`: its row of the table, where that is known. */
export function gpuOfTarget({
  architecture,
  model,
}: {
  readonly architecture: string;
  readonly model?: string;
}): GpuModel {
  return model === undefined ? defaultGpu(architecture) : gpuNamed(model);
}

/** The GPU that a driver names, `NVIDIA GeForce RTX 4090`; undefined where the table lacks it. */
export function gpuReported(driverName: string): GpuModel | undefined {
  const own = driverName.replace(/^NVIDIA /, "").replace(/^(GeForce|Tesla) /, "");
  return gpus.find(({ name, reported }) => (reported ?? name) === own);
}

/** Boost clock in GHz, from the peak: FP32 teraflops = multiprocessors × lanes × 2 × clock. */
export function clockGigahertz(gpu: GpuModel): number {
  return (
    (gpu.floatTeraflops * 1000) /
    (gpu.multiprocessors * limitsOf(`sm_${gpu.capability.replace(".", "")}`).floatLanesPerSm * 2)
  );
}
