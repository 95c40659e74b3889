import { type CounterName, counterCatalogue, counterNames } from "./counter-catalogue";
import { type MachineWork, addMachineWork } from "./execution/machine-work";
import { type SectorReuse, addReuse, scaledReuse } from "./reuse";

export { type CounterName, counterNames } from "./counter-catalogue";

/** Where a number comes from. A number without an origin is never shown. */
type CounterOrigin = "virtual-gpu" | "cubin" | "ptxas" | "ncu" | "proton";

/**
 * Counters of one source line, defined as Nsight Compute defines its counters where it has them (a request is
 * one warp-level memory instruction with an active lane; a sector is 32 bytes; a wavefront is one pass
 * through the shared-memory banks). Instructions are those of the PTX, which ptxas may merge or split.
 * counter-rows.ts has the definition of each; docs/counters.md is written from it.
 */
export interface LineCounters extends Readonly<Record<CounterName, number>>, ReuseCounters {
  /** POSIX path relative to the candidate's tree, or absolute for a header outside of it. */
  readonly file: string;
  /** One-based, as compilers count. */
  readonly line: number;
}

/**
 * By how much other data the accesses to a sector are apart, and work of the machine code; absent where
 * nobody looked, as in counters recorded by earlier versions.
 */
export interface ReuseCounters {
  readonly loadReuse?: SectorReuse;
  /**
   * `first` counts the stores after which a sector that agreed with DRAM does not any more: each is written
   * back once.
   */
  readonly storeReuse?: SectorReuse;
  /** Work that PTX does not show; absent where there is none. */
  readonly machine?: MachineWork;
}

/** Counters without a place. */
export type CounterSums = Omit<LineCounters, "file" | "line">;

/** Counters of one launch. `totals` has the same fields summed (ways and worst cases: the maximum). */
export interface KernelCounters {
  readonly origin: CounterOrigin;
  readonly lines: readonly LineCounters[];
  readonly totals: CounterSums;
}

/** All zero: the start of a sum. */
export function noCounters(): Record<CounterName, number> {
  return Object.fromEntries(counterNames.map((name) => [name, 0])) as Record<CounterName, number>;
}

/** Adds a part to a sum; ways and worst cases are maxima. */
export function addCounter(sum: Record<CounterName, number>, name: CounterName, part: number): void {
  sum[name] = counterCatalogue[name].greatest === true ? Math.max(sum[name], part) : sum[name] + part;
}

/**
 * Adds counters field by field; ways and worst cases are maxima. A counter that a part lacks (an earlier
 * version wrote it) counts as 0.
 */
export function sumCounters(parts: Iterable<Partial<CounterSums>>): CounterSums {
  const sum: Record<CounterName, number> = noCounters();
  const reuse: { -readonly [Name in keyof ReuseCounters]: ReuseCounters[Name] } = {};
  for (const part of parts) {
    for (const name of counterNames) addCounter(sum, name, part[name] ?? 0);
    if (part.loadReuse) reuse.loadReuse = addReuse(reuse.loadReuse, part.loadReuse);
    if (part.storeReuse) reuse.storeReuse = addReuse(reuse.storeReuse, part.storeReuse);
    if (part.machine) reuse.machine = addMachineWork(reuse.machine, part.machine);
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
  const lines = [...byLine.values()].sort(byPlace);
  return {
    origin: launches[0]?.origin ?? "virtual-gpu",
    lines,
    totals: sumCounters(launches.map(({ totals }) => totals)),
  };
}

/**
 * So many times the counters, in whole numbers, as of more or fewer equal launches; ways and worst cases
 * stay.
 */
export function scaledCounters(counters: KernelCounters, factor: number): KernelCounters {
  const lines = counters.lines.map(({ file, line, ...sums }) => ({
    file,
    line,
    ...scaledSums(sums, factor),
  }));
  return { ...counters, lines, totals: scaledSums(counters.totals, factor) };
}

function scaledSums(sums: CounterSums, factor: number): CounterSums {
  const scaled = counterNames.map((name) => {
    const isGreatest = counterCatalogue[name].greatest === true;
    return [name, isGreatest ? sums[name] : Math.round(sums[name] * factor)] as const;
  });
  const { loadReuse, storeReuse, machine } = sums;
  return {
    ...(Object.fromEntries(scaled) as Record<CounterName, number>),
    ...(loadReuse && { loadReuse: scaledReuse(loadReuse, factor) }),
    ...(storeReuse && { storeReuse: scaledReuse(storeReuse, factor) }),
    ...(machine && { machine: addMachineWork(undefined, machine, factor) }),
  };
}

/** By file, then by line. */
export function byPlace(
  a: Pick<LineCounters, "file" | "line">,
  b: Pick<LineCounters, "file" | "line">,
): number {
  if (a.file === b.file) return a.line - b.line;
  return a.file < b.file ? -1 : 1;
}
