import { type Knowledge, Knowing, type Known, type Release, collectNodes, overUpTo } from "./knowledge";

/** Does this interval of another block's warp happen before what `block` does now? */
export interface Question {
  readonly block: number;
  readonly other: number;
  readonly warp: number;
  readonly interval: number;
  /** The access was an atomic or a strong one. */
  readonly synchronizing: boolean;
}

/** A block's view while it runs. */
class BlockView {
  /** Its acquired knowledge of other blocks. */
  knowledge: Knowledge | undefined;
  /** A location whose knowledge covers all of the block's. */
  source: number | undefined;
  /** The last release of each warp, and its knowledge. */
  readonly released: ({ readonly release: Release; readonly own: Knowledge } | undefined)[] = [];
  /** Releases to its own warps alone: by location, and the latest. */
  readonly within = new Map<number, Known>();
  latestWithin: Known | undefined;
}

/**
 * Limits of what is tracked for a launch: locations (about 50 bytes each), and nodes of knowledge (about 200
 * bytes each, up to twice as many for a short time).
 */
interface ReleaseLimits {
  readonly locations: number;
  readonly nodes: number;
}

/**
 * Happens-before between blocks. A release (a fence, then an atomic or a strong store) passes on what the
 * block has done and acquired; an atomic or a strong load of the same location acquires it (PTX ISA section
 * 8, memory consistency model). Tracked as one vector clock for each location and each running block. Beyond
 * the limits all is dropped: from then on other blocks count as ordered, and the warps of a block as ordered
 * by any of its fences, since a doubt is no finding.
 */
export class Releases {
  /** True once a limit was exceeded. */
  gaveUp = false;
  private readonly knowing = new Knowing();
  private readonly locations = new Map<number, Knowledge>();
  private readonly blocks = new Map<number, BlockView>();
  /** Locations of releases within blocks. */
  private placesWithin = 0;

  constructor(private readonly limits: ReleaseLimits = { locations: 2 ** 21, nodes: 2 ** 19 }) {}

  /** What is tracked now: locations, and distinct nodes of knowledge. */
  get kept(): ReleaseLimits {
    const nodes = new Set<Knowledge>();
    for (const knowledge of this.locations.values()) collectNodes(knowledge, nodes);
    for (const { knowledge, released } of this.blocks.values()) {
      if (knowledge) collectNodes(knowledge, nodes);
      for (const each of released) if (each) collectNodes(each.own, nodes);
    }
    return { locations: this.locations.size + this.placesWithin, nodes: nodes.size };
  }

  /** A block releases at a location. */
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

  /** Whether other blocks than one could learn something from a location. */
  has(address: number): boolean {
    return this.gaveUp || this.locations.has(address);
  }

  /** A block acquires a location; false when nothing was released there. */
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

  /** A block releases to its own warps. `known`: no less than at its last release, and immutable. */
  releaseWithin(block: number, address: number, known: Known): void {
    const view = this.viewOf(block);
    view.latestWithin = known;
    if (this.gaveUp) return;
    if (!view.within.has(address)) this.placesWithin += 1;
    view.within.set(address, known);
    this.limit();
  }

  /** The latest release at a location by a block to its own warps. */
  withinAt(block: number, address: number): Known | undefined {
    const view = this.blocks.get(block);
    return this.gaveUp ? view?.latestWithin : view?.within.get(address);
  }

  /** Whether what was released at a location covers an interval. */
  tells(address: number, { other, warp, interval, synchronizing }: Question): boolean {
    const here = this.locations.get(address);
    return here !== undefined && overUpTo(here, other, { warp, synchronizing }) >= interval;
  }

  /** Whether an interval of another block's warp happens before what a block does now. */
  knows({ block, other, warp, interval, synchronizing }: Question): boolean {
    if (this.gaveUp) return true;
    const knowledge = this.blocks.get(block)?.knowledge;
    return knowledge !== undefined && overUpTo(knowledge, other, { warp, synchronizing }) >= interval;
  }

  /** A block has ended and will not ask again. */
  end(block: number): void {
    this.placesWithin -= this.blocks.get(block)?.within.size ?? 0;
    this.blocks.delete(block);
  }

  private viewOf(block: number): BlockView {
    let view = this.blocks.get(block);
    if (!view) this.blocks.set(block, (view = new BlockView()));
    return view;
  }

  /** Knowledge of a release, reused when a warp releases the same vector clock at many locations. */
  private ownOf(view: BlockView, block: number, release: Release): Knowledge {
    const last = view.released[release.warp];
    if (last?.release.known === release.known && last.release.interval === release.interval) return last.own;
    const own = this.knowing.of(block, release);
    view.released[release.warp] = { release, own };
    return own;
  }

  /** Gives up beyond a limit. Counts nodes only once as many have been made as the limit allows. */
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
