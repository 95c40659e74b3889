import { type SectorReuse, addReuse } from "./reuse";

/** Where a number comes from. A number without an origin is never shown. */
export type CounterOrigin = "virtual-gpu" | "cubin" | "ptxas" | "ncu" | "proton";

/**
 * Counters of one source line, defined as Nsight Compute defines its counters where it has them (a request is
 * one warp-level memory instruction with an active lane; a sector is 32 bytes; a wavefront is one pass
 * through the shared-memory banks). Instructions are those of the PTX, which ptxas may merge or split.
 * docs/model.md has the definitions in full.
 */
export interface LineCounters extends ReuseCounters {
  /** POSIX path relative to the candidate's tree, or absolute for a header outside of it. */
  readonly file: string;
  /** One-based, as compilers count. */
  readonly line: number;
  /**
   * Warp-level instructions executed (smsp__inst_executed). The classes below and tensorInstructions add up
   * to it.
   */
  readonly instructions: number;
  /** Sum over those of the active lanes (smsp__thread_inst_executed). */
  readonly threadInstructions: number;
  readonly fp32Instructions: number;
  readonly fp64Instructions: number;
  /** On halves of either format, packed or not. */
  readonly fp16Instructions: number;
  readonly integerInstructions: number;
  /** Moves, logic, shifts, selections. */
  readonly moveInstructions: number;
  readonly conversionInstructions: number;
  /** Reciprocals, roots, exponentials, logarithms, sine and cosine. */
  readonly specialInstructions: number;
  /** Tensor-core instructions (mma), warp level. */
  readonly tensorInstructions: number;
  /** Loads, stores, atomics and copies in any space. */
  readonly memoryInstructions: number;
  /** Shuffles, votes and the like. */
  readonly warpInstructions: number;
  /** Branches, barriers, calls, returns, fences. */
  readonly controlInstructions: number;
  /**
   * Operations of active lanes: an addition or multiplication is one, a fused multiply-add two
   * (smsp__sass_thread_inst_executed_op_fadd, fmul and twice ffma).
   */
  readonly fp16Flops: number;
  readonly fp32Flops: number;
  readonly fp64Flops: number;
  /**
   * Multiplications and additions of matrix instructions, by their shape; those of integer matrices are
   * counted too.
   */
  readonly tensorFlops: number;
  readonly globalLoadRequests: number;
  /**
   * Distinct 32-byte pieces that the lanes of each request touch
   * (l1tex__t_sectors_pipe_lsu_mem_global_op_ld).
   */
  readonly globalLoadSectors: number;
  readonly globalLoadSectorsIdeal: number;
  readonly globalStoreRequests: number;
  readonly globalStoreSectors: number;
  readonly globalStoreSectorsIdeal: number;
  /** Bytes asked for by active lanes, global loads and stores. */
  readonly globalBytesRequested: number;
  readonly globalLoadBytes: number;
  readonly globalStoreBytes: number;
  readonly sharedLoadRequests: number;
  readonly sharedStoreRequests: number;
  readonly sharedLoadBytes: number;
  readonly sharedStoreBytes: number;
  /** Passes through the banks that the addresses need (derived__memory_l1_wavefronts_shared). */
  readonly sharedWavefronts: number;
  readonly sharedWavefrontsIdeal: number;
  /**
   * Greatest number of wavefronts that one shared request needed, 1 when free of conflicts, 0 when the line
   * touches no shared memory.
   */
  readonly sharedConflictWays: number;
  /** Requests to local memory: register spills, local arrays. */
  readonly localRequests: number;
  readonly localLoadRequests: number;
  readonly localStoreRequests: number;
  readonly localLoadBytes: number;
  readonly localStoreBytes: number;
  /** Sectors of local memory as it is laid out: the same word of neighbouring lanes lies side by side. */
  readonly localSectors: number;
  /** Atomic instructions, global and shared. */
  readonly atomics: number;
  readonly globalAtomics: number;
  readonly globalAtomicLanes: number;
  /** Distinct sectors that atomics touch in the second-level cache, where they are carried out. */
  readonly globalAtomicSectors: number;
  /**
   * Passes one after the other: for each atomic instruction the greatest number of lanes that want one
   * address.
   */
  readonly globalAtomicPasses: number;
  /** The most passes of one instruction; 0 without atomics. */
  readonly globalAtomicWorst: number;
  readonly sharedAtomics: number;
  readonly sharedAtomicLanes: number;
  readonly sharedAtomicPasses: number;
  readonly sharedAtomicWorst: number;
  readonly branches: number;
  /** Branches at which the active lanes of a warp went different ways. */
  readonly divergentBranches: number;
  readonly barriers: number;
}

/**
 * By how much other data the accesses to a sector are apart; absent where nobody looked, as in counters
 * recorded by earlier versions.
 */
export interface ReuseCounters {
  readonly loadReuse?: SectorReuse;
  /**
   * `first` counts the stores after which a sector that agreed with DRAM does not any more: each is written
   * back once.
   */
  readonly storeReuse?: SectorReuse;
}

export type CounterName = Exclude<keyof LineCounters, "file" | "line" | keyof ReuseCounters>;

/** Counters without a place. */
export type CounterSums = Omit<LineCounters, "file" | "line">;

/** Counters of one launch. `totals` has the same fields summed (ways and worst cases: the maximum). */
export interface KernelCounters {
  readonly origin: CounterOrigin;
  readonly lines: readonly LineCounters[];
  readonly totals: CounterSums;
}

export const counterNames: readonly CounterName[] = [
  "instructions",
  "threadInstructions",
  "fp32Instructions",
  "fp64Instructions",
  "fp16Instructions",
  "integerInstructions",
  "moveInstructions",
  "conversionInstructions",
  "specialInstructions",
  "tensorInstructions",
  "memoryInstructions",
  "warpInstructions",
  "controlInstructions",
  "fp16Flops",
  "fp32Flops",
  "fp64Flops",
  "tensorFlops",
  "globalLoadRequests",
  "globalLoadSectors",
  "globalLoadSectorsIdeal",
  "globalStoreRequests",
  "globalStoreSectors",
  "globalStoreSectorsIdeal",
  "globalBytesRequested",
  "globalLoadBytes",
  "globalStoreBytes",
  "sharedLoadRequests",
  "sharedStoreRequests",
  "sharedLoadBytes",
  "sharedStoreBytes",
  "sharedWavefronts",
  "sharedWavefrontsIdeal",
  "sharedConflictWays",
  "localRequests",
  "localLoadRequests",
  "localStoreRequests",
  "localLoadBytes",
  "localStoreBytes",
  "localSectors",
  "atomics",
  "globalAtomics",
  "globalAtomicLanes",
  "globalAtomicSectors",
  "globalAtomicPasses",
  "globalAtomicWorst",
  "sharedAtomics",
  "sharedAtomicLanes",
  "sharedAtomicPasses",
  "sharedAtomicWorst",
  "branches",
  "divergentBranches",
  "barriers",
];

const maxima: ReadonlySet<CounterName> = new Set([
  "sharedConflictWays",
  "globalAtomicWorst",
  "sharedAtomicWorst",
]);

/** All zero: the start of a sum. */
export function noCounters(): Record<CounterName, number> {
  return Object.fromEntries(counterNames.map((name) => [name, 0])) as Record<CounterName, number>;
}

/**
 * Adds counters field by field; ways and worst cases are maxima. A counter that a part lacks (an earlier
 * version wrote it) counts as 0.
 */
export function sumCounters(parts: Iterable<Partial<CounterSums>>): CounterSums {
  const sum: Record<CounterName, number> = noCounters();
  const reuse: { loadReuse?: SectorReuse; storeReuse?: SectorReuse } = {};
  for (const part of parts) {
    for (const name of counterNames) {
      const value = part[name] ?? 0;
      sum[name] = maxima.has(name) ? Math.max(sum[name], value) : sum[name] + value;
    }
    if (part.loadReuse) reuse.loadReuse = addReuse(reuse.loadReuse, part.loadReuse);
    if (part.storeReuse) reuse.storeReuse = addReuse(reuse.storeReuse, part.storeReuse);
  }
  return { ...sum, ...reuse };
}

/**
 * Merges several launches (of one candidate on one shape) into one table, line by line, sorted by file and
 * line.
 */
export function mergeCounters(launches: readonly KernelCounters[]): KernelCounters {
  const byLine = new Map<string, LineCounters>();
  for (const launch of launches) {
    for (const entry of launch.lines) {
      const key = `${entry.file}\n${entry.line}`;
      const known = byLine.get(key);
      byLine.set(key, known ? { file: entry.file, line: entry.line, ...sumCounters([known, entry]) } : entry);
    }
  }
  const lines = [...byLine.values()].sort((a, b) =>
    a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1,
  );
  return {
    origin: launches[0]?.origin ?? "virtual-gpu",
    lines,
    totals: sumCounters(launches.map(({ totals }) => totals)),
  };
}
