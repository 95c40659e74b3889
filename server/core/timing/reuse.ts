/**
 * How far apart the accesses to each 32-byte sector of global memory are, counted in other sectors touched
 * between (the LRU stack distance). Class 0 holds distances below 64 sectors (2 KiB), class k those from
 * 2^(k+5) up to 2^(k+6); the last one all from 2^22 (128 MiB) on.
 */
export interface SectorReuse {
  /** Sectors touched for the first time in the launch. */
  readonly first: number;
  /** By class, where the same block of threads was the last to touch the sector. */
  readonly sameBlock: readonly number[];
  /** By class, where another block was. */
  readonly otherBlocks: readonly number[];
}

export const reuseClasses = 18;
/** Sectors below which a distance is of class 0, as a power of two. */
export const firstClassBits = 6;
const sectorBytes = 32;

/** Class of a distance in sectors. */
export function reuseClassOf(distance: number): number {
  return Math.min(
    reuseClasses - 1,
    distance < 2 ** firstClassBits ? 0 : Math.floor(Math.log2(distance)) - firstClassBits + 1,
  );
}

/** Sums class by class. */
export function addReuse(first: SectorReuse | undefined, second: SectorReuse): SectorReuse {
  if (first === undefined) return second;
  const add = (a: readonly number[], b: readonly number[]): readonly number[] =>
    Array.from({ length: Math.max(a.length, b.length) }, (_, at) => (a[at] ?? 0) + (b[at] ?? 0));
  return {
    first: first.first + second.first,
    sameBlock: add(first.sameBlock, second.sameBlock),
    otherBlocks: add(first.otherBlocks, second.otherBlocks),
  };
}

/** So many times a reuse, in whole sectors. */
export function scaledReuse({ first, sameBlock, otherBlocks }: SectorReuse, factor: number): SectorReuse {
  const scaled = (sectors: number): number => Math.round(sectors * factor);
  return {
    first: scaled(first),
    sameBlock: sameBlock.map(scaled),
    otherBlocks: otherBlocks.map(scaled),
  };
}

/** What the caches hold, as one block of threads sees it. */
export interface CacheShare {
  /** Bytes of the first-level cache for each block on a multiprocessor. */
  readonly firstLevelBytes: number;
  readonly secondLevelBytes: number;
  /**
   * Blocks that run at the same time on the whole GPU: between two accesses of one block all others touch as
   * much.
   */
  readonly blocksAtOnce: number;
}

/** Sectors by the level that serves them. */
export interface ServedSectors {
  readonly firstLevel: number;
  readonly secondLevel: number;
  readonly memory: number;
}

/**
 * Which level serves the sectors: the first level what the block itself touched within its share of that
 * cache, the second level what fits there, DRAM the rest and all first touches. Within a class distances are
 * taken to be spread evenly. Never takes from DRAM when a class grows.
 */
export function servedSectors(reuse: SectorReuse, cache: CacheShare): ServedSectors {
  let [firstLevel, secondLevel, memory] = [0, 0, reuse.first];
  reuse.sameBlock.forEach((count, at) => {
    const near = shareWithin(at, cache.firstLevelBytes);
    const held = Math.max(near, shareWithin(at, cache.secondLevelBytes / Math.max(1, cache.blocksAtOnce)));
    firstLevel += count * near;
    secondLevel += count * (held - near);
    memory += count * (1 - held);
  });
  reuse.otherBlocks.forEach((count, at) => {
    const held = shareWithin(at, cache.secondLevelBytes);
    secondLevel += count * held;
    memory += count * (1 - held);
  });
  return { firstLevel, secondLevel, memory };
}

/** Share of a class's distances that a cache of so many bytes catches, 0 to 1. */
function shareWithin(at: number, bytes: number): number {
  const sectors = bytes / sectorBytes;
  const from = at === 0 ? 0 : 2 ** (at + firstClassBits - 1);
  const to = 2 ** (at + firstClassBits);
  if (at === reuseClasses - 1) return 0;
  return Math.min(1, Math.max(0, (sectors - from) / (to - from)));
}
