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

/** A location in memory through which blocks synchronise. */
class Location {
  /** Releases so far. */
  releases = 0;
  readonly blocks = new Map<number, Passed[]>();
  /** What those who released here had acquired elsewhere: for each place the most releases of it. */
  readonly sources: { readonly at: number; readonly location: Location; readonly releases: number }[] = [];
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
    const list = location.blocks.get(block) ?? [];
    location.blocks.set(block, list);
    const all = (list.at(-1)?.known ?? new Uint32Array(known.length)).slice();
    join(all, known);
    const knownSynchronizing = (list.at(-1)?.knownSynchronizing ?? all).slice();
    join(knownSynchronizing, all);
    knownSynchronizing[warp] = Math.max(knownSynchronizing[warp] ?? 0, interval);
    list.push({ at: location.releases, known: all, knownSynchronizing });
    for (const [source, releases] of this.acquired.get(block) ?? []) {
      if (source !== location) location.sources.push({ at: location.releases, location: source, releases });
    }
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
      const passed = location.blocks.get(other)?.findLast(({ at }) => at <= releases);
      const known = (synchronizing ? passed?.knownSynchronizing : passed?.known)?.[warp] ?? 0;
      if (known >= interval) {
        this.answers.set(question, known);
        return true;
      }
      if (step > mostSteps) return true;
      for (const source of location.sources) if (source.at <= releases) open.push([source.location, source.releases]);
    }
    return false;
  }
}
