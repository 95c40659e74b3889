import type { Known } from "./knowledge";

/** A release to the own block alone, by a fence or an access whose scope is the block. */
interface NarrowRelease {
  readonly block: number;
  /** The released vector clock. Immutable. */
  readonly known: Known;
  /** `.loc` index of the fence or access. */
  readonly location: number;
}

/** `block` asks about an interval of a warp of the `other` block. */
interface Question {
  readonly block: number;
  readonly other: number;
  readonly warp: number;
  readonly interval: number;
}

/**
 * Limits: locations (and reading blocks), releasing blocks of each, and locations each reading block keeps.
 */
const mostLocations = 4096;
const mostReleases = 256;
const mostHeard = 8;

/**
 * Releases that would have ordered two blocks with a wider scope. They only explain a finding: beyond the
 * first few thousand they are not tracked.
 */
export class NarrowReleases {
  /** By location and block: the last release, and its time. */
  private readonly locations = new Map<
    number,
    Map<number, { readonly release: NarrowRelease; readonly time: number }>
  >();
  /** Of each block: the locations that it has read, with the time. */
  private readonly heard = new Map<number, Map<number, number>>();
  private time = 0;

  /** A block stores to a location after its narrow fence. */
  release(address: number, release: NarrowRelease): void {
    const here = this.locations.get(address) ?? new Map<number, { release: NarrowRelease; time: number }>();
    if (here.size === 0 && this.locations.size >= mostLocations) return;
    if (here.size >= mostReleases && !here.has(release.block)) return;
    this.time += 1;
    here.set(release.block, { release, time: this.time });
    this.locations.set(address, here);
  }

  /** A block acquires a location. */
  hear(block: number, address: number): void {
    if (!this.locations.has(address)) return;
    const addresses = this.heard.get(block) ?? new Map<number, number>();
    if (addresses.size === 0 && this.heard.size >= mostLocations) return;
    if (addresses.size >= mostHeard && !addresses.has(address)) return;
    addresses.set(address, this.time);
    this.heard.set(block, addresses);
  }

  /** `.loc` index of the narrow release that covers the interval and that the asking block has read. */
  find({ block, other, warp, interval }: Question): number | undefined {
    for (const [address, seen] of this.heard.get(block) ?? []) {
      const found = this.locations.get(address)?.get(other);
      if (found && found.time <= seen && (found.release.known[warp] ?? 0) >= interval)
        return found.release.location;
    }
    return undefined;
  }

  /** A block has ended and will not ask again. */
  end(block: number): void {
    this.heard.delete(block);
  }
}
