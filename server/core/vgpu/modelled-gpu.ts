/**
 * Size of the GPU that launches are modelled on: an A100 (compute capability 8.0; CUDA C++ Programming Guide,
 * technical specifications by compute capability). It bounds how many blocks of threads are there at the same
 * time.
 */
export const modelledGpu = {
  multiprocessors: 108,
  /** Of one multiprocessor. */
  threads: 2048,
  blocks: 32,
  sharedBytes: 167_936,
  /** Taken by the system for each block. */
  sharedBytesReserved: 1024,
} as const;

/**
 * Blocks of a launch that the modelled GPU holds at the same time, as far as threads and shared memory
 * (static and dynamic, bytes) go; registers are not known to the virtual GPU. At least one a multiprocessor,
 * since a block that fits a larger GPU runs here too.
 */
export function residentBlocks(threads: number, sharedBytes: number): number {
  const { multiprocessors, blocks, sharedBytesReserved } = modelledGpu;
  const warps = Math.ceil(threads / 32);
  const byThreads = Math.floor(modelledGpu.threads / 32 / warps);
  const byShared = Math.floor(modelledGpu.sharedBytes / (sharedBytes + sharedBytesReserved));
  return multiprocessors * Math.max(1, Math.min(blocks, byThreads, byShared));
}
