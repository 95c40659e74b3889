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
  /** Units that this work may use at best: the tensor cores where data of 16 bits or fewer are read. */
  readonly units: "tensor cores" | "fp32 units";
  /**
   * No version is below this in the model: the bytes, and one wait for memory. Operations have no part in it,
   * since how many the task needs is not known.
   */
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
  const bytes = leastBytes(spec, baseline);
  const operations = totals.fp16Flops + totals.fp32Flops + totals.fp64Flops + totals.tensorFlops;
  return {
    operations,
    // A teraflop a second is 1000 operations a nanosecond.
    plainNanoseconds: operations / (gpu.floatTeraflops * 1000),
    tensorNanoseconds: operations / (gpu.tensorTeraflops * 1000),
    units: totals.tensorFlops > 0 || readsHalves(spec) ? "tensor cores" : "fp32 units",
    gapNanoseconds: spec.program === undefined ? 0 : modelConstants.launchGapNanoseconds,
    ...memoryFloor(bytes, gpu),
  };
}

/** What as many operations as the baseline's take on the best units that they may use. */
export function operationsNanoseconds(roofline: Roofline): number {
  const { units, plainNanoseconds, tensorNanoseconds } = roofline;
  return units === "tensor cores" ? tensorNanoseconds : plainNanoseconds;
}

/** Whether nothing is left to gain on any shape of the objective. */
export function isEveryShapeAtFloor(
  spec: KernelSpec,
  baseline: CorrectVerdict,
  { bound: whole, shapeBounds = [], ...verdict }: CorrectVerdict,
  gpu: GpuModel,
): boolean {
  const profiled = rooflineOf(spec, baseline, gpu);
  if (!isAtFloor(profiledBound({ ...verdict, bound: whole, shapeBounds }), profiled)) return false;
  const isSimulated = whole.simulatedNanoseconds !== undefined;
  return shapeBounds.slice(1).every(({ sizes, bound }) => {
    const roofline = { ...profiled, ...memoryFloor(leastBytesElsewhere(spec, baseline, sizes), gpu) };
    // What is below a floor shows that not all is touched there, so that the floor is not known.
    const isKnown = bound.nanoseconds * atFloor >= roofline.floorNanoseconds;
    // A time that decides and is not known of this shape may still become less.
    const isWhole = !isSimulated || bound.simulatedNanoseconds !== undefined;
    return isKnown && isWhole && isAtFloor(bound, roofline);
  });
}

function memoryFloor(
  bytes: number,
  gpu: GpuModel,
): Pick<Roofline, "bytes" | "memoryNanoseconds" | "floorNanoseconds"> {
  // A gigabyte a second is a byte a nanosecond.
  const memoryNanoseconds = bytes / gpu.memoryGigabytesPerSecond;
  const floorNanoseconds = Math.max(memoryNanoseconds, modelConstants.memoryLatencyNanoseconds);
  return { bytes, memoryNanoseconds, floorNanoseconds };
}

/** On the profiled shape. */
function leastBytes(spec: KernelSpec, { counters, evidence }: CorrectVerdict): number {
  const { totals } = counters;
  const used = usedShares(spec, totals);
  return (
    used.loads * touchedBytes(wholeBytes(spec.inputs, evidence.sizes), totals.loadReuse) +
    used.stores * touchedBytes(wholeBytes(spec.outputs, evidence.sizes), totals.storeReuse)
  );
}

/** On another shape: nothing of what the baseline touches in part, whose part is not known there. */
function leastBytesElsewhere(
  spec: KernelSpec,
  { counters, evidence }: CorrectVerdict,
  sizes: Readonly<Record<string, number>>,
): number {
  const { totals } = counters;
  const used = usedShares(spec, totals);
  const part = (tensors: KernelSpec["inputs"], touched: SectorReuse | undefined): number => {
    const whole = wholeBytes(tensors, evidence.sizes);
    return touchedBytes(whole, touched) < whole ? 0 : wholeBytes(tensors, sizes);
  };
  return (
    used.loads * part(spec.inputs, totals.loadReuse) + used.stores * part(spec.outputs, totals.storeReuse)
  );
}

function usedShares(
  spec: KernelSpec,
  totals: CorrectVerdict["counters"]["totals"],
): { readonly loads: number; readonly stores: number } {
  // A program may lay its data out anew, so that sectors hold nothing but what is used.
  const isLaidOut = spec.program === undefined;
  return {
    loads: isLaidOut ? 1 : share(totals.globalLoadSectorsIdeal, totals.globalLoadSectors),
    stores: isLaidOut ? 1 : share(totals.globalStoreSectorsIdeal, totals.globalStoreSectors),
  };
}

function readsHalves({ inputs }: KernelSpec): boolean {
  return Object.values(inputs).some(({ dtype }) => /float(8|16)/.test(dtype));
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

function wholeBytes(
  tensors: Readonly<Record<string, TensorSpec>>,
  sizes: Readonly<Record<string, number>>,
): number {
  return Object.values(tensors).reduce((sum, tensor) => sum + bytesOf(tensor, sizes), 0);
}

function touchedBytes(whole: number, touched: SectorReuse | undefined): number {
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
