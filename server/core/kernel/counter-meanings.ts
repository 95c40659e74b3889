import type { CounterName } from "./counters";

/** What a reader sees beside each counter. */
export const counterMeanings: Readonly<Record<CounterName, string>> = {
  instructions: "warp instructions executed", threadInstructions: "instructions summed over active lanes",
  fp32Instructions: "single-precision instructions", fp64Instructions: "double-precision instructions", fp16Instructions: "half-precision instructions",
  integerInstructions: "integer instructions", moveInstructions: "moves, logic and shifts", conversionInstructions: "conversions",
  specialInstructions: "special functions (roots, exponentials …)", tensorInstructions: "tensor-core instructions",
  memoryInstructions: "memory instructions", warpInstructions: "shuffles and votes", controlInstructions: "control instructions",
  fp16Flops: "half-precision operations", fp32Flops: "single-precision operations", fp64Flops: "double-precision operations", tensorFlops: "tensor-core operations",
  globalLoadRequests: "global load requests", globalLoadSectors: "sectors loaded (32 bytes each)", globalLoadSectorsIdeal: "sectors that coalesced loads would need",
  globalStoreRequests: "global store requests", globalStoreSectors: "sectors stored (32 bytes each)", globalStoreSectorsIdeal: "sectors that coalesced stores would need",
  globalBytesRequested: "bytes asked for in global memory", globalLoadBytes: "bytes loaded from global memory", globalStoreBytes: "bytes stored to global memory",
  sharedLoadRequests: "shared load requests", sharedStoreRequests: "shared store requests", sharedLoadBytes: "bytes loaded from shared memory", sharedStoreBytes: "bytes stored to shared memory",
  sharedWavefronts: "shared-memory wavefronts", sharedWavefrontsIdeal: "wavefronts without bank conflicts", sharedConflictWays: "greatest bank conflict (ways)",
  localRequests: "local-memory requests (spills, local arrays)", localLoadRequests: "local load requests", localStoreRequests: "local store requests",
  localLoadBytes: "bytes loaded from local memory", localStoreBytes: "bytes stored to local memory", localSectors: "sectors of local memory",
  atomics: "atomic instructions", globalAtomics: "global atomic instructions", globalAtomicLanes: "lanes of global atomics", globalAtomicSectors: "sectors that global atomics touch",
  globalAtomicPasses: "passes of global atomics, one after the other", globalAtomicWorst: "most passes of one global atomic",
  sharedAtomics: "shared atomic instructions", sharedAtomicLanes: "lanes of shared atomics", sharedAtomicPasses: "passes of shared atomics, one after the other", sharedAtomicWorst: "most passes of one shared atomic",
  branches: "branches", divergentBranches: "branches where a warp divided", barriers: "barriers",
};
