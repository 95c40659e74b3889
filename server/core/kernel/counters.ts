/** Where a number comes from. A number without an origin is never shown. */
export type CounterOrigin = "virtual-gpu" | "cubin" | "ptxas" | "ncu" | "proton";

/**
 * Counters of one source line, defined as Nsight Compute defines its address-based counters (a request is one warp-level memory
 * instruction; a sector is 32 bytes; a wavefront is one pass through the shared-memory banks).
 */
export interface LineCounters {
  /** POSIX path relative to the candidate's tree, or absolute for a header outside of it. */
  readonly file: string;
  /** One-based, as compilers count. */
  readonly line: number;
  /** Warp-level instructions executed. */
  readonly instructions: number;
  /** Sum over those of the active lanes. */
  readonly threadInstructions: number;
  readonly globalLoadRequests: number;
  readonly globalLoadSectors: number;
  readonly globalLoadSectorsIdeal: number;
  readonly globalStoreRequests: number;
  readonly globalStoreSectors: number;
  readonly globalStoreSectorsIdeal: number;
  readonly sharedWavefronts: number;
  readonly sharedWavefrontsIdeal: number;
  /** Greatest number of wavefronts that one shared request needed, 1 when free of conflicts, 0 when the line touches no shared memory. */
  readonly sharedConflictWays: number;
  readonly branches: number;
  readonly divergentBranches: number;
  readonly atomics: number;
  readonly barriers: number;
  /** Tensor-core instructions (mma), warp level. */
  readonly tensorInstructions: number;
  /** Bytes asked for by active lanes, global loads and stores. */
  readonly globalBytesRequested: number;
  readonly localRequests: number;
}

export type CounterName = Exclude<keyof LineCounters, "file" | "line">;

/** Counters of one launch. `totals` has the same fields summed (the conflict ways: the maximum). */
export interface KernelCounters {
  readonly origin: CounterOrigin;
  readonly lines: readonly LineCounters[];
  readonly totals: Omit<LineCounters, "file" | "line">;
}

export const counterNames: readonly CounterName[] = [
  "instructions", "threadInstructions",
  "globalLoadRequests", "globalLoadSectors", "globalLoadSectorsIdeal",
  "globalStoreRequests", "globalStoreSectors", "globalStoreSectorsIdeal",
  "sharedWavefronts", "sharedWavefrontsIdeal", "sharedConflictWays",
  "branches", "divergentBranches", "atomics", "barriers", "tensorInstructions",
  "globalBytesRequested", "localRequests",
];

/** All zero: the start of a sum. */
export function noCounters(): Omit<LineCounters, "file" | "line"> {
  return Object.fromEntries(counterNames.map((name) => [name, 0])) as Omit<LineCounters, "file" | "line">;
}

/** Adds counters field by field; the conflict ways are a maximum, not a sum. */
export function sumCounters(parts: Iterable<Omit<LineCounters, "file" | "line">>): Omit<LineCounters, "file" | "line"> {
  const sum: Record<CounterName, number> = noCounters();
  for (const part of parts) {
    for (const name of counterNames) {
      sum[name] = name === "sharedConflictWays" ? Math.max(sum[name], part[name]) : sum[name] + part[name];
    }
  }
  return sum;
}

/** Merges several launches (of one candidate on one shape) into one table, line by line, sorted by file and line. */
export function mergeCounters(launches: readonly KernelCounters[]): KernelCounters {
  const byLine = new Map<string, LineCounters>();
  for (const launch of launches) {
    for (const entry of launch.lines) {
      const key = `${entry.file}\n${entry.line}`;
      const known = byLine.get(key);
      byLine.set(key, known ? { file: entry.file, line: entry.line, ...sumCounters([known, entry]) } : entry);
    }
  }
  const lines = [...byLine.values()].sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  return { origin: launches[0]?.origin ?? "virtual-gpu", lines, totals: sumCounters(lines) };
}
