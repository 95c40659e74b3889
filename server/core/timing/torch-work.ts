import { type GpuModel, modelConstants } from "./gpu-model";

/** What torch computed in an entry beside its kernels: the calls of one operation together. */
export interface TorchOperation {
  /** As torch calls it: `aten.mm`. */
  readonly name: string;
  readonly calls: number;
  /** What it reads and writes once. */
  readonly bytes: number;
  /** Of products and convolutions; `halfFlops` those of 16-bit and 8-bit types, which tensor cores do. */
  readonly flops: number;
  readonly halfFlops: number;
}

/**
 * Modelled nanoseconds of torch's operations on a GPU: each is a launch of its own, bound by its bytes or by
 * its arithmetic at the full rate. A floor: no kernel of a library reaches it.
 */
export function torchNanoseconds(operations: readonly TorchOperation[], gpu: GpuModel): number {
  return operations.reduce((sum, { calls, bytes, flops, halfFlops }) => {
    // A gigabyte a second is a byte a nanosecond, a teraflop a second a thousand operations.
    const moving = bytes / gpu.memoryGigabytesPerSecond;
    const computing = flops / (gpu.floatTeraflops * 1000) + halfFlops / (gpu.tensorTeraflops * 1000);
    return sum + Math.max(moving, computing) + calls * modelConstants.launchGapNanoseconds;
  }, 0);
}
