import { isClearlyApart, isFarApart } from "../../judge/time-that-counts";
import type { CorrectVerdict, ModelledBound } from "../../judge/verdict";
import { type GpuModel, modelConstants } from "../../timing/gpu-model";
import type { SectorReuse } from "../../timing/reuse";
import type { DataType, KernelSpec, TensorSpec } from "../../workload/spec";
import { evaluateSizeExpression } from "../../workload/size-expression";

/** The least that a task takes on its profiled shape, however it is written. */
export interface Roofline {
  /**
   * Bytes that must cross to or from DRAM: inputs read and outputs written once, as far as the baseline
   * touches them.
   */
  readonly bytes: number;
  /** Floating-point operations as the baseline does them; another algorithm may need fewer. */
  readonly operations: number;
  readonly memoryNanoseconds: number;
  /** The operations on the units for single precision, and on the tensor cores. */
  readonly plainNanoseconds: number;
  readonly tensorNanoseconds: number;
  /** No version is below this in the model: the bytes, and one wait for memory. */
  readonly floorNanoseconds: number;
  /** The gap behind a launch that a program made, which the price of the launch alone does not have. */
  readonly gapNanoseconds: number;
}

/** A bound this close to the floor is at it: the thresholds of a win are as wide. */
const atFloor = 1.02;
/** What a simulated time is above the floor at best, besides one wait: blocks start and end one by one. */
const simulatedAtFloor = 1.25;
/** The share of a bound that fewer launches of a program may save, and be no gain. */
const smallGap = 0.1;
const sectorBytes = 32;

/** `baseline`: its counters say what is touched, its sizes which shape is meant. */
export function rooflineOf(spec: KernelSpec, baseline: CorrectVerdict, gpu: GpuModel): Roofline {
  const { totals } = baseline.counters;
  const { sizes } = baseline.evidence;
  // A program may lay its data out anew, so that sectors hold nothing but what is used.
  const isLaidOut = spec.program === undefined;
  const used = {
    loads: isLaidOut ? 1 : share(totals.globalLoadSectorsIdeal, totals.globalLoadSectors),
    stores: isLaidOut ? 1 : share(totals.globalStoreSectorsIdeal, totals.globalStoreSectors),
  };
  const bytes =
    used.loads * leastBytes(spec.inputs, sizes, totals.loadReuse) +
    used.stores * leastBytes(spec.outputs, sizes, totals.storeReuse);
  const operations = totals.fp16Flops + totals.fp32Flops + totals.fp64Flops + totals.tensorFlops;
  // A gigabyte a second is a byte a nanosecond, a teraflop a second 1000 operations.
  const memoryNanoseconds = bytes / gpu.memoryGigabytesPerSecond;
  return {
    bytes,
    operations,
    memoryNanoseconds,
    plainNanoseconds: operations / (gpu.floatTeraflops * 1000),
    tensorNanoseconds: operations / (gpu.tensorTeraflops * 1000),
    floorNanoseconds: Math.max(memoryNanoseconds, modelConstants.memoryLatencyNanoseconds),
    gapNanoseconds: spec.program === undefined ? 0 : modelConstants.launchGapNanoseconds,
  };
}

/** Whether nothing is left to gain on the shape of the bound, by the bound or by what is above it. */
export function isAtFloor(bound: ModelledBound, roofline: Roofline): boolean {
  return isBoundAtFloor(bound, roofline) && !isSlowerThanFloor(bound, roofline);
}

/** Whether the bound alone can become no lower. */
export function isBoundAtFloor(bound: ModelledBound, roofline: Roofline): boolean {
  return isLaunchAtFloor(bound, roofline) && roofline.gapNanoseconds <= bound.nanoseconds * smallGap;
}

/** The same but for the gaps between the launches of a program, of which there may be fewer. */
export function isLaunchAtFloor({ nanoseconds }: ModelledBound, { floorNanoseconds }: Roofline): boolean {
  return nanoseconds <= floorNanoseconds * atFloor;
}

/** Whether a version with the same bound could have a simulated time that decides for it. */
function isSlowerThanFloor(
  { simulatedNanoseconds, fillsGpu = true }: ModelledBound,
  { floorNanoseconds }: Roofline,
): boolean {
  const least = floorNanoseconds * simulatedAtFloor + modelConstants.memoryLatencyNanoseconds;
  if (simulatedNanoseconds === undefined || simulatedNanoseconds <= least) return false;
  return fillsGpu ? isClearlyApart(least, simulatedNanoseconds) : isFarApart(least, simulatedNanoseconds);
}

/** The bound of the profiled shape alone. */
export function profiledBound({ bound, shapeBounds }: CorrectVerdict): ModelledBound {
  return shapeBounds?.[0]?.bound ?? bound;
}

/** 1 where nothing is moved: no sector is wasted. */
function share(ideal: number, moved: number): number {
  return moved === 0 ? 1 : Math.min(1, ideal / moved);
}

function leastBytes(
  tensors: Readonly<Record<string, TensorSpec>>,
  sizes: Readonly<Record<string, number>>,
  touched: SectorReuse | undefined,
): number {
  const whole = Object.values(tensors).reduce((sum, tensor) => sum + bytesOf(tensor, sizes), 0);
  return touched === undefined ? whole : Math.min(whole, touched.first * sectorBytes);
}

/** 0 for a size that cannot be known: the floor may be too low, never too high. */
function bytesOf({ dtype, shape }: TensorSpec, sizes: Readonly<Record<string, number>>): number {
  return shape.reduce<number>((product, size) => {
    const value = evaluateSizeExpression(size, sizes);
    return value.ok ? product * value.value : 0;
  }, bytesOfType(dtype));
}

/** `float16` has 2, `bool` 1. */
function bytesOfType(dtype: DataType): number {
  const bits = /\d+$/.exec(dtype)?.[0];
  return bits === undefined ? 1 : Number(bits) / 8;
}
