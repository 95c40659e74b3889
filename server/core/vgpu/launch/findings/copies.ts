import { lanes, warpLayout } from "../../layout";
import { firstCopy } from "../../library/races/race-words";
import { join } from "./knowledge";
import type { WarpClocks } from "./warp-clocks";

interface Groups {
  /** The group that copies started now belong to; 0 while it has none. */
  open: number;
  /** Committed groups that nothing has waited for, oldest first; 0 for one without copies. */
  readonly committed: number[];
}

/**
 * Groups of asynchronous copies (PTX ISA section 9.7.9.25.3), kept for whole warps: numbered upwards, so that
 * a warp knows which are over by the number of the last.
 */
export class AsyncCopies {
  private readonly groups = new Map<number, Groups>();

  constructor(
    private readonly warps: WarpClocks,
    private readonly clocks: { nextCopy: number },
  ) {}

  /** A block starts on these warps: none is under way. */
  reset(warps: readonly number[]): void {
    if (this.groups.size > 0) for (const warp of warps) this.groups.delete(warp);
  }

  /** Number of the group of a copy that starts now, as the shadow holds it. */
  start(warp: number): number {
    const groups = this.of(warp);
    if (groups.open === 0) {
      groups.open = this.clocks.nextCopy | firstCopy;
      this.clocks.nextCopy += 1;
    }
    return groups.open;
  }

  commit(warp: number): void {
    const groups = this.of(warp);
    groups.committed.push(groups.open);
    groups.open = 0;
  }

  /**
   * The warp waits until at most so many of its groups are under way; for all copies, committed or not, when
   * negative.
   */
  wait(warp: number, remaining: number): void {
    const groups = this.of(warp);
    const over = groups.committed.splice(0, Math.max(0, groups.committed.length - Math.max(0, remaining)));
    if (remaining < 0) {
      over.push(groups.open);
      groups.open = 0;
    }
    const copies = this.warps.vector(warp, warpLayout.copies);
    const own = this.warps.read(warp, warpLayout.warpIndex);
    for (const group of over) copies[own] = Math.max(copies[own] ?? 0, group >>> 0);
    this.warps.write(warp, warpLayout.waitedAt, this.warps.read(warp, warpLayout.interval));
  }

  /** The last group that a warp has started, over or not; 0 when it has none. */
  latest(warp: number): number {
    const { open, committed } = this.of(warp);
    return Math.max(open >>> 0, ...committed.map((group) => group >>> 0));
  }

  /** Warps that meet know of each other's copies. */
  share(warps: readonly number[]): void {
    const all = new Uint32Array(lanes);
    for (const warp of warps) join(all, this.warps.vector(warp, warpLayout.copies));
    for (const warp of warps) this.warps.vector(warp, warpLayout.copies).set(all);
  }

  private of(warp: number): Groups {
    const groups = this.groups.get(warp) ?? { open: 0, committed: [] };
    this.groups.set(warp, groups);
    return groups;
  }
}
