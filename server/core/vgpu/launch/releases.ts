/** One number for each warp of a block: the last interval of it that is known to be over. */
export type Known = Uint32Array;

/** Raises each number of `target` to that of `source`. */
export function join(target: Known, source: Known): void {
  for (let index = 0; index < target.length; index += 1) target[index] = Math.max(target[index] ?? 0, source[index] ?? 0);
}

/** What one block has passed on at a location, up to the release number `at`. */
interface Passed {
  readonly at: number;
  readonly known: Known;
  /**
   * The same for atomics and strong accesses, up to the release itself: it comes before whoever acquires it, although it stands behind the
   * fence (a last block may reset the counter that it was counted by).
   */
  readonly knownSynchronizing: Known;
}

/** What a block passes on: what it knows of its own warps, and the warp and interval that do so. */
interface Release {
  readonly known: Known;
  readonly warp: number;
  readonly interval: number;
}

/** Is the interval of another block's warp over, as far as a block knows? */
interface Question {
  readonly block: number;
  readonly other: number;
  readonly warp: number;
  readonly interval: number;
  /** The access was an atomic or a strong one. */
  readonly synchronizing: boolean;
}

/** How many releases of another location a block had acquired when it released here for the `at`-th time. */
interface Source {
  readonly at: number;
  readonly releases: number;
}

/** What one block has released at a location. Only what is new is kept: threads that wait release the same again and again. */
class Contribution {
  readonly passed: Passed[] = [];
  readonly sources = new Map<Location, Source[]>();

  pass(at: number, known: Known, warp: number, interval: number): void {
    const last = this.passed.at(-1);
    if (last && (last.knownSynchronizing[warp] ?? 0) >= interval && covers(last.known, known)) return;
    const all = (last?.known ?? new Uint32Array(known.length)).slice();
    join(all, known);
    const knownSynchronizing = (last?.knownSynchronizing ?? all).slice();
    join(knownSynchronizing, all);
    knownSynchronizing[warp] = Math.max(knownSynchronizing[warp] ?? 0, interval);
    this.passed.push({ at, known: all, knownSynchronizing });
  }

  passOn(at: number, location: Location, releases: number): void {
    const list = this.sources.get(location) ?? [];
    this.sources.set(location, list);
    if ((list.at(-1)?.releases ?? -1) < releases) list.push({ at, releases });
  }
}

/** Nothing in `part` is beyond `whole`. */
function covers(whole: Known, part: Known): boolean {
  return part.every((value, index) => value <= (whole[index] ?? 0));
}

/** The last entry that was made up to the release number `releases`; entries stand in the order of their numbers. */
function lastUpTo<Entry extends { readonly at: number }>(entries: readonly Entry[], releases: number): Entry | undefined {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.at ?? 0) <= releases) low = middle + 1;
    else high = middle;
  }
  return entries[low - 1];
}

/** A location in memory through which blocks synchronise. */
class Location {
  /** Releases so far. */
  releases = 0;
  readonly blocks = new Map<number, Contribution>();
}

/** Places looked at for one question; with more, the answer is yes, since a doubt is no finding. */
const mostSteps = 20_000;

/**
 * Which block knows what of which: a release (a fence, then an atomic or a strong store) passes on what the block did and has acquired, an
 * atomic or a strong load of the same location acquires it (PTX ISA section 8, memory consistency model). Kept for whole blocks.
 */
export class Releases {
  private readonly locations = new Map<number, Location>();
  private readonly acquired = new Map<number, Map<Location, number>>();
  private readonly answers = new Map<string, number>();
  /** What blocks passed on to their own warps alone, by location and block. */
  private readonly within = new Map<string, Known>();

  /** A block passes on what it knows of its own warps. */
  release(block: number, address: number, { known, warp, interval }: Release): void {
    const location = this.locations.get(address) ?? new Location();
    this.locations.set(address, location);
    location.releases += 1;
    const contribution = location.blocks.get(block) ?? new Contribution();
    location.blocks.set(block, contribution);
    contribution.pass(location.releases, known, warp, interval);
    for (const [source, releases] of this.acquired.get(block) ?? []) if (source !== location) contribution.passOn(location.releases, source, releases);
  }

  /** A block learns what was released at a location; false when nothing was. */
  acquire(block: number, address: number): boolean {
    const location = this.locations.get(address);
    if (!location) return false;
    const own = this.acquired.get(block) ?? new Map<Location, number>();
    this.acquired.set(block, own);
    own.set(location, location.releases);
    return true;
  }

  /** A block passes on to its own warps what it knows of them. */
  releaseWithin(block: number, address: number, known: Known): void {
    const place = `${block} ${address}`;
    const all = this.within.get(place) ?? new Uint32Array(known.length);
    this.within.set(place, all);
    join(all, known);
  }

  /** What a block's own warps released at a location. */
  withinAt(block: number, address: number): Known | undefined {
    return this.within.get(`${block} ${address}`);
  }

  /** Whether a block knows that an interval of another block's warp is over. */
  knows({ block, other, warp, interval, synchronizing }: Question): boolean {
    const question = `${block} ${other} ${warp} ${synchronizing}`;
    if ((this.answers.get(question) ?? 0) >= interval) return true;
    const open = [...this.acquired.get(block) ?? []];
    const seen = new Map<Location, number>();
    for (let step = 0; step < open.length; step += 1) {
      const [location, releases] = open[step] ?? [];
      if (!location || releases === undefined || (seen.get(location) ?? -1) >= releases) continue;
      seen.set(location, releases);
      const passed = lastUpTo(location.blocks.get(other)?.passed ?? [], releases);
      const known = (synchronizing ? passed?.knownSynchronizing : passed?.known)?.[warp] ?? 0;
      if (known >= interval) {
        this.answers.set(question, known);
        return true;
      }
      if (step > mostSteps) return true;
      for (const { sources } of location.blocks.values()) {
        for (const [source, entries] of sources) open.push([source, lastUpTo(entries, releases)?.releases ?? -1]);
      }
    }
    return false;
  }
}
