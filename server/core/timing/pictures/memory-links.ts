import { bytesOverLevels, sectorBytes } from "../bound";
import { sumCounters } from "../counters";
import type { GpuModel } from "../gpu-model";
import type { LaunchProfile } from "../launch-profile";
import { wavefrontBytes } from "./ceilings";

/** The ways that data takes between a kernel and the levels of memory. */
export const linkNames = [
  "globalLoads",
  "globalStores",
  "globalAtomics",
  "local",
  "shared",
  "secondLevelLoads",
  "secondLevelStores",
  "memoryLoads",
  "memoryStores",
] as const;
export type LinkName = (typeof linkNames)[number];

/** What moves on one of the ways. A transaction is a sector of 32 bytes, in shared memory a wavefront. */
export interface MemoryLink {
  readonly name: LinkName;
  /** What the kernel asked for; null between caches, where nobody asks. */
  readonly askedBytes: number | null;
  readonly bytes: number;
  readonly transactions: number;
  /** The fewest that would do; null where that is not known. */
  readonly idealTransactions: number | null;
}

/**
 * What launches move on each way; ways on which nothing moves are left out. What crosses caches is modelled
 * from distances of reuse.
 */
export function memoryLinks(launches: readonly LaunchProfile[], gpu: GpuModel): readonly MemoryLink[] {
  const totals = sumCounters(launches.map(({ counters }) => counters));
  const levels = launches.map((launch) => bytesOverLevels(launch, gpu));
  const sumOf = (level: keyof (typeof levels)[number]): number =>
    levels.reduce((sum, each) => sum + each[level], 0) / sectorBytes;
  const [loaded, stored] = [totals.loadReuse?.first ?? null, totals.storeReuse?.first ?? null];
  const between = (name: LinkName, sectors: number, ideal: number | null): MemoryLink => ({
    ...{ name, askedBytes: null, bytes: sectors * sectorBytes },
    ...{ transactions: Math.round(sectors), idealTransactions: ideal },
  });
  const links: readonly MemoryLink[] = [
    {
      ...between("globalLoads", totals.globalLoadSectors, totals.globalLoadSectorsIdeal),
      askedBytes: totals.globalLoadBytes,
    },
    {
      ...between("globalStores", totals.globalStoreSectors, totals.globalStoreSectorsIdeal),
      askedBytes: totals.globalStoreBytes,
    },
    between("globalAtomics", totals.globalAtomicSectors, null),
    {
      ...between("local", totals.localSectors, null),
      askedBytes: totals.localLoadBytes + totals.localStoreBytes,
    },
    {
      ...between("shared", totals.sharedWavefronts, totals.sharedWavefrontsIdeal),
      askedBytes: totals.sharedLoadBytes + totals.sharedStoreBytes,
      bytes: totals.sharedWavefronts * wavefrontBytes,
    },
    between("secondLevelLoads", sumOf("secondLevelLoads"), loaded),
    between("secondLevelStores", sumOf("secondLevelStores"), stored),
    between("memoryLoads", sumOf("memoryLoads"), loaded),
    between("memoryStores", sumOf("memoryStores"), stored),
  ];
  return links.filter(({ bytes }) => bytes > 0);
}
