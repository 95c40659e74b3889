import { type Knowledge, Knowing, type Known, type Release, collectNodes, overUpTo } from "./knowledge";

/** Is the interval of another block's warp over, as far as a block knows? */
interface Question {
  readonly block: number;
  readonly other: number;
  readonly warp: number;
  readonly interval: number;
  /** The access was an atomic or a strong one. */
  readonly synchronizing: boolean;
}

/** What is kept of a block while it runs. */
class BlockView {
  /** What it has acquired of others. */
  knowledge: Knowledge | undefined;
  /** A location that has passed on all of it: what is known there now covers it. */
  source: number | undefined;
  /** What each warp released last, and what was made of it. */
  readonly released: ({ readonly release: Release; readonly own: Knowledge } | undefined)[] = [];
  /** What it passed on to its own warps alone, by location, and last. */
  readonly within = new Map<number, Known>();
  latestWithin: Known | undefined;
}

/**
 * How much is kept of a launch at most: locations (some 50 bytes each; those of a block for itself apart),
 * and twice the nodes of knowledge (some 200).
 */
export interface ReleaseLimits {
  readonly locations: number;
  readonly nodes: number;
}

/**
 * Which block knows what of which: a release (a fence, then an atomic or a strong store) passes on what the
 * block did and has acquired, an atomic or a strong load of the same location acquires it (PTX ISA section 8,
 * memory consistency model). Kept for whole blocks, as a vector clock for each location and each block at
 * work. When that grows beyond its limits all is dropped; from then on every question about another block is
 * answered with yes, and warps of a block know whatever it has fenced, since a doubt is no finding.
 */
export class Releases {
  /** The limits were reached. */
  gaveUp = false;
  private readonly knowing = new Knowing();
  private readonly locations = new Map<number, Knowledge>();
  private readonly blocks = new Map<number, BlockView>();
  /** Locations of blocks for themselves. */
  private placesWithin = 0;

  constructor(private readonly limits: ReleaseLimits = { locations: 2 ** 21, nodes: 2 ** 19 }) {}

  /** What is kept now: locations, and different nodes of knowledge. */
  get kept(): ReleaseLimits {
    const nodes = new Set<Knowledge>();
    for (const knowledge of this.locations.values()) collectNodes(knowledge, nodes);
    for (const { knowledge, released } of this.blocks.values()) {
      if (knowledge) collectNodes(knowledge, nodes);
      for (const each of released) if (each) collectNodes(each.own, nodes);
    }
    return { locations: this.locations.size + this.placesWithin, nodes: nodes.size };
  }

  /** A block passes on what it knows of its own warps. */
  release(block: number, address: number, release: Release): void {
    if (this.gaveUp) return;
    const view = this.viewOf(block);
    const own = this.ownOf(view, block, release);
    const here = this.locations.get(address);
    const isCovered = view.knowledge === undefined || (here !== undefined && view.source === address);
    const passed = isCovered || !view.knowledge ? own : this.knowing.join(view.knowledge, own);
    this.locations.set(address, here ? this.knowing.join(here, passed) : passed);
    this.limit();
  }

  /** A block learns what was released at a location; false when nothing was. */
  acquire(block: number, address: number): boolean {
    const here = this.locations.get(address);
    if (!here) return this.gaveUp;
    const view = this.viewOf(block);
    const all =
      view.knowledge === undefined || view.source === address
        ? here
        : this.knowing.join(here, view.knowledge);
    if (all === here) view.source = address;
    else if (all !== view.knowledge) view.source = undefined;
    view.knowledge = all;
    this.limit();
    return true;
  }

  /**
   * A block passes on to its own warps what it knows of them, which is no less than before and not changed
   * any more.
   */
  releaseWithin(block: number, address: number, known: Known): void {
    const view = this.viewOf(block);
    view.latestWithin = known;
    if (this.gaveUp) return;
    if (!view.within.has(address)) this.placesWithin += 1;
    view.within.set(address, known);
    this.limit();
  }

  /** What a block's own warps released at a location. */
  withinAt(block: number, address: number): Known | undefined {
    const view = this.blocks.get(block);
    return this.gaveUp ? view?.latestWithin : view?.within.get(address);
  }

  /** Whether a block knows that an interval of another block's warp is over. */
  knows({ block, other, warp, interval, synchronizing }: Question): boolean {
    if (this.gaveUp) return true;
    const knowledge = this.blocks.get(block)?.knowledge;
    return knowledge !== undefined && overUpTo(knowledge, other, { warp, synchronizing }) >= interval;
  }

  /** A block has come to its end: it will not ask any more. */
  end(block: number): void {
    this.placesWithin -= this.blocks.get(block)?.within.size ?? 0;
    this.blocks.delete(block);
  }

  private viewOf(block: number): BlockView {
    let view = this.blocks.get(block);
    if (!view) this.blocks.set(block, (view = new BlockView()));
    return view;
  }

  /** A warp releases at many locations what it knows at one time. */
  private ownOf(view: BlockView, block: number, release: Release): Knowledge {
    const last = view.released[release.warp];
    if (last?.release.known === release.known && last.release.interval === release.interval) return last.own;
    const own = this.knowing.of(block, release);
    view.released[release.warp] = { release, own };
    return own;
  }

  /** Gives up when too much is kept. Nodes are counted only after as many were made as may be there. */
  private limit(): void {
    const { knowing, limits } = this;
    const isFull = this.locations.size + this.placesWithin > limits.locations;
    if (!isFull && knowing.made <= limits.nodes) return;
    const { nodes } = this.kept;
    knowing.forget();
    knowing.made = nodes;
    if (!isFull && nodes <= limits.nodes / 2) return;
    this.gaveUp = true;
    this.locations.clear();
    this.placesWithin = 0;
    for (const view of this.blocks.values()) {
      view.knowledge = undefined;
      view.released.length = 0;
      view.within.clear();
    }
    knowing.forget();
  }
}
