import type { Known } from "./knowledge";

/** What a block has released to itself alone, by a fence or an access whose scope is the block. */
export interface NarrowRelease {
  readonly block: number;
  /** What is released: of each warp of the block, the last interval. Not changed any more. */
  readonly known: Known;
  /** Where: the index of the `.loc` of the fence or access. */
  readonly location: number;
}

/** A warp's interval in one block, about which another block asks. */
interface Question {
  readonly block: number;
  readonly other: number;
  readonly warp: number;
  readonly interval: number;
}

/**
 * Locations, blocks that have released at one and that have looked at any, and locations that each of these
 * remembers.
 */
const mostLocations = 4096;
const mostReleases = 256;
const mostHeard = 8;

/**
 * Releases that would have ordered blocks if their scope had held them: what a finding about two blocks says
 * beside "nothing orders them". Only for messages; more than the first few thousand are not remembered.
 */
export class NarrowReleases {
  /** By location and block, each with the time of its last release. */
  private readonly locations = new Map<
    number,
    Map<number, { readonly release: NarrowRelease; readonly time: number }>
  >();
  /** Of each block: locations that it looked at, with the time. */
  private readonly heard = new Map<number, Map<number, number>>();
  private time = 0;

  /** A block stores to a location behind its narrow release. */
  release(address: number, release: NarrowRelease): void {
    const here = this.locations.get(address) ?? new Map<number, { release: NarrowRelease; time: number }>();
    if (here.size === 0 && this.locations.size >= mostLocations) return;
    if (here.size >= mostReleases && !here.has(release.block)) return;
    this.time += 1;
    here.set(release.block, { release, time: this.time });
    this.locations.set(address, here);
  }

  /** A block looks at a location in a way that acquires what was released there. */
  hear(block: number, address: number): void {
    if (!this.locations.has(address)) return;
    const addresses = this.heard.get(block) ?? new Map<number, number>();
    if (addresses.size === 0 && this.heard.size >= mostLocations) return;
    if (addresses.size >= mostHeard && !addresses.has(address)) return;
    addresses.set(address, this.time);
    this.heard.set(block, addresses);
  }

  /** Where the release stands (its `.loc`) that ends the interval, and that the asking block has seen. */
  find({ block, other, warp, interval }: Question): number | undefined {
    for (const [address, seen] of this.heard.get(block) ?? []) {
      const found = this.locations.get(address)?.get(other);
      if (found && found.time <= seen && (found.release.known[warp] ?? 0) >= interval)
        return found.release.location;
    }
    return undefined;
  }

  /** A block has come to its end: it will not ask any more. */
  end(block: number): void {
    this.heard.delete(block);
  }
}
