/**
 * What the counters of memory accesses should be, by definition: addresses are enumerated, nothing is clever.
 */

/** One warp-level instruction: the byte offset of each lane, undefined where it is not active. */
export type Request = readonly (number | undefined)[];

function active(request: Request): number[] {
  return request.filter((offset) => offset !== undefined);
}

function sectorsOf(request: Request): number[] {
  return [...new Set(active(request).map((offset) => Math.floor(offset / 32)))];
}

function greatest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function tally<Key>(keys: readonly Key[]): number[] {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts.values()];
}

/** Global memory: sectors, the least that the distinct bytes need, bytes and passes of atomics. */
export function globalModel(
  requests: readonly Request[],
  bytes: number,
): { requests: number; sectors: number; ideal: number; bytes: number; passes: number; worst: number } {
  const used = requests.filter((request) => active(request).length > 0);
  const passes = used.map((request) => greatest(tally(active(request))));
  return {
    requests: used.length,
    sectors: used.reduce((sum, request) => sum + sectorsOf(request).length, 0),
    ideal: used.reduce((sum, request) => sum + Math.ceil((new Set(active(request)).size * bytes) / 32), 0),
    bytes: used.reduce((sum, request) => sum + active(request).length * bytes, 0),
    passes: passes.reduce((sum, each) => sum + each, 0),
    worst: greatest(passes),
  };
}

/**
 * Shared memory: accesses of 8 bytes go by half warps, of 16 by quarters. A group takes as many passes as the
 * most distinct words of one bank.
 */
export function sharedModel(
  requests: readonly Request[],
  bytes: number,
): { requests: number; wavefronts: number; ideal: number; ways: number; bytes: number } {
  const width = Math.min(32, 128 / bytes);
  const used = requests.filter((request) => active(request).length > 0);
  const groups = used
    .flatMap((request) =>
      Array.from({ length: 32 / width }, (_, at) => active(request.slice(at * width, (at + 1) * width))),
    )
    .filter((group) => group.length > 0);
  const passes = groups.map((group) => {
    const words = new Set(
      group.flatMap((offset) =>
        Array.from({ length: Math.max(1, bytes / 4) }, (_, at) => Math.floor(offset / 4) + at),
      ),
    );
    return greatest(tally([...words].map((word) => word % 32)));
  });
  return {
    requests: used.length,
    wavefronts: passes.reduce((sum, each) => sum + each, 0),
    ideal: groups.length,
    ways: greatest(passes),
    bytes: used.reduce((sum, request) => sum + active(request).length * bytes, 0),
  };
}

/** Local memory: word w of lane l lies at 128 · w + 4 · l. */
export function localSectors(requests: readonly Request[], bytes: number): number {
  return requests.reduce(
    (sum, request) =>
      sum +
      new Set(
        request.flatMap((offset, lane) =>
          offset === undefined
            ? []
            : Array.from({ length: Math.max(1, bytes / 4) }, (_, at) =>
                Math.floor((128 * (Math.floor(offset / 4) + at) + 4 * lane) / 32),
              ),
        ),
      ).size,
    0,
  );
}

export interface Touch {
  readonly sector: number;
  readonly block: number;
  readonly isStore: boolean;
  readonly site: string;
}

/** Distances of each site, in the order of the touches: an LRU stack as a plain list. */
export class StackModel {
  private readonly stack: number[] = [];
  private readonly last = new Map<number, { block: number; dirty: boolean }>();
  readonly sites = new Map<string, { first: number; sameBlock: number[]; otherBlocks: number[] }>();

  touch({ sector, block, isStore, site }: Touch): void {
    const counts = this.sites.get(site) ?? { first: 0, sameBlock: [], otherBlocks: [] };
    this.sites.set(site, counts);
    const known = this.last.get(sector);
    const at = this.stack.indexOf(sector);
    if (!known || (isStore && !known.dirty)) counts.first += 1;
    else (known.block === block ? counts.sameBlock : counts.otherBlocks).push(at);
    if (at >= 0) this.stack.splice(at, 1);
    this.stack.unshift(sector);
    this.last.set(sector, { block, dirty: isStore || (known?.dirty ?? false) });
  }
}
