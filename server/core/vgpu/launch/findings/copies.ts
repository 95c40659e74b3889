import { lanes, warpLayout } from "../../layout";
import { firstCopy } from "../../library/races/race-words";
import { join, raise } from "./knowledge";
import type { WarpClocks } from "./warp-clocks";

/** A warp's groups of asynchronous copies. */
interface Groups {
  /** The group that new copies join; 0 while it has no copy. */
  open: number;
  /** Committed groups in flight, oldest first; 0 for an empty one. */
  readonly committed: number[];
  /** The latest bulk copy; 0 before the first. */
  bulk: number;
}

/**
 * Groups of asynchronous copies (PTX ISA section 9.7.9.25.3), tracked per warp. Group ids grow, so a warp
 * knows which groups are complete by the id of the latest.
 */
export class AsyncCopies {
  private readonly groups = new Map<number, Groups>();

  constructor(
    private readonly warps: WarpClocks,
    private readonly clocks: { nextCopy: number },
  ) {}

  /** A block starts on these warps: none of their copies is in flight. */
  reset(warps: readonly number[]): void {
    if (this.groups.size > 0) for (const warp of warps) this.groups.delete(warp);
  }

  /** Group id, as the shadow memory holds it, of a copy that starts now. */
  start(warp: number): number {
    const groups = this.of(warp);
    if (groups.open === 0) {
      groups.open = this.clocks.nextCopy | firstCopy;
      this.clocks.nextCopy += 1;
    }
    return groups.open;
  }

  /** Id of a bulk copy that starts now: a barrier object or a group of its own kind tells of its end. */
  startBulk(warp: number): number {
    const groups = this.of(warp);
    groups.bulk = this.clocks.nextCopy | firstCopy;
    this.clocks.nextCopy += 1;
    return groups.bulk;
  }

  /** Bulk copies of the block see what a warp knows. */
  show(warp: number): void {
    const known = this.warps.knownOf(warp);
    for (const each of this.warps.all()) join(this.warps.vector(each, warpLayout.proxied), known);
  }

  /** Commits the open group. */
  commit(warp: number): void {
    const groups = this.of(warp);
    groups.committed.push(groups.open);
    groups.open = 0;
  }

  /** The warp waits until at most `remaining` groups are in flight; if negative, for all copies. */
  wait(warp: number, remaining: number): void {
    const groups = this.of(warp);
    const done = groups.committed.splice(0, Math.max(0, groups.committed.length - Math.max(0, remaining)));
    if (remaining < 0) {
      done.push(groups.open);
      groups.open = 0;
    }
    const copies = this.warps.vector(warp, warpLayout.copies);
    const own = this.warps.read(warp, warpLayout.warpIndex);
    for (const group of done) raise(copies, own, group >>> 0);
    this.warps.write(warp, warpLayout.waitedAt, this.warps.read(warp, warpLayout.interval));
  }

  /** Id of the latest group that a warp has started, complete or not; 0 when there is none. */
  latest(warp: number): number {
    const { open, committed, bulk } = this.of(warp);
    return Math.max(open >>> 0, bulk >>> 0, ...committed.map((group) => group >>> 0));
  }

  /** Warps that synchronise see each other's completed copies. */
  share(warps: readonly number[]): void {
    const all = new Uint32Array(lanes);
    for (const warp of warps) join(all, this.warps.vector(warp, warpLayout.copies));
    for (const warp of warps) this.warps.vector(warp, warpLayout.copies).set(all);
  }

  private of(warp: number): Groups {
    const groups = this.groups.get(warp) ?? { open: 0, committed: [], bulk: 0 };
    this.groups.set(warp, groups);
    return groups;
  }
}
