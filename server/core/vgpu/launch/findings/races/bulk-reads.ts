import { lanes, staticLayout, warpLayout } from "../../../layout";
import { bulkReadEvents, firstBulkRead, infoBits, whoMask } from "../../../library/races/race-words";
import { shadowPlanes } from "../../../memory/device-shadow";
import type { MemorySite } from "../../../emit/emitters/memory-site";
import type { LaunchState } from "../../state/launch-state";
import { causeText } from "../../state/call-sites";
import { type FindingDraft, type FindingLog, threadText } from "../findings";
import { tripleOf } from "./race-text";
import type { WarpClocks } from "../warp-clocks";

/** A bulk copy to global memory that may still be reading shared memory, of one thread. */
interface BulkRead {
  readonly id: number;
  /** As the shadow memory holds it: see `infoBits`. */
  readonly info: number;
  /** Linear number of the block. */
  readonly block: number;
  readonly from: number;
  /** Linear address behind the last byte. */
  to: number;
}

/** The bulk copies of a thread. */
interface Groups {
  /** Those that the thread has not committed. */
  open: BulkRead[];
  /** Committed groups that it has not waited for, oldest first. */
  readonly committed: BulkRead[][];
}

/** Bytes of a piece of a bulk copy, and of a word of the shadow memory. */
const [pieceBytes, wordBytes] = [16, 4];
const readerPlanes = [shadowPlanes.reader, shadowPlanes.lastReader];

/**
 * What bulk copies to global memory read of shared memory (PTX ISA section 9.7.9.25.3.2): until the thread
 * that started one has waited for its group, it may still be read, so no other access is ordered behind it,
 * and the block has to stay. Groups belong to threads. In the shadow memory such a read has an id of its own,
 * in place of an interval; the wait makes it an ordinary read of the waiting thread at that time.
 */
export class BulkReads {
  /** By the linear address of the warp and the lane. */
  private readonly groups = new Map<number, Groups>();

  constructor(
    private readonly state: LaunchState,
    private readonly warps: WarpClocks,
    private readonly log: FindingLog,
    private readonly ids: { nextCopy: number },
  ) {}

  /** Called by generated code: one of `bulkReadEvents`. `mask`: the lanes that take part. */
  event(event: number, warp: number, mask: number, operand: number): number {
    if (event === bulkReadEvents.start) return this.start();
    for (let lane = 0; lane < lanes; lane += 1) {
      if (((mask >>> lane) & 1) === 0) continue;
      if (event === bulkReadEvents.piece) this.read(warp, lane, operand >>> 0);
      else if (event === bulkReadEvents.commit) this.commit(warp, lane);
      else this.wait(warp, lane, operand);
    }
    return 0;
  }

  /** The block of these warps has ended: tells of copies that may still read its shared memory. */
  end(warps: readonly number[]): void {
    if (this.groups.size === 0) return;
    for (const warp of warps) for (let lane = 0; lane < lanes; lane += 1) this.leave(warp, lane);
  }

  private leave(warp: number, lane: number): void {
    const { open, committed } = this.groups.get(warp + lane) ?? { open: [], committed: [] };
    this.groups.delete(warp + lane);
    for (const read of [...open, ...committed.flat()]) this.tell(read);
  }

  /** The id of a copy that starts now. */
  private start(): number {
    const id = (this.ids.nextCopy | firstBulkRead) >>> 0;
    this.ids.nextCopy += 1;
    return id;
  }

  /** A piece of a copy has been read, and recorded as a read of the current interval. */
  private read(warp: number, lane: number, id: number): void {
    const at = this.warps.read(this.state.base, staticLayout.addresses + wordBytes * lane);
    const interval = this.warps.read(warp, warpLayout.interval);
    const who =
      (this.warps.read(warp, warpLayout.warpIndex) << infoBits.warpShift) | (lane << infoBits.laneShift);
    const info = this.replace({ from: at, to: at + pieceBytes, who, of: interval }, id);
    const { open } = this.of(warp, lane);
    const last = open.at(-1);
    if (last?.id === id && last.to === at) last.to += pieceBytes;
    else if (info !== undefined)
      open.push({ id, info, block: this.warps.blockOf(warp), from: at, to: at + pieceBytes });
  }

  private commit(warp: number, lane: number): void {
    const groups = this.of(warp, lane);
    groups.committed.push(groups.open);
    groups.open = [];
  }

  /** The thread waits until at most `remaining` groups are in flight. */
  private wait(warp: number, lane: number, remaining: number): void {
    const { committed } = this.of(warp, lane);
    const interval = this.warps.read(warp, warpLayout.interval);
    for (const { id, info, from, to } of committed
      .splice(0, Math.max(0, committed.length - remaining))
      .flat())
      this.replace({ from, to, who: info & whoMask, of: id }, interval);
  }

  /**
   * Replaces the interval or id of a thread's recorded reads; gives the info of one of them, undefined where
   * there is none.
   */
  private replace(
    read: { readonly from: number; readonly to: number; readonly who: number; readonly of: number },
    by: number,
  ): number | undefined {
    const { warps } = this;
    const { shadow } = this.state.scratch;
    let found: number | undefined;
    for (let word = read.from; word < read.to; word += wordBytes)
      for (const plane of readerPlanes) {
        if (warps.read(word, shadow * plane) !== read.of) continue;
        const info = warps.read(word, shadow * (plane + 1));
        if ((info & whoMask) !== read.who) continue;
        warps.write(word, shadow * plane, by);
        found = info;
      }
    return found;
  }

  private tell({ info, block }: BulkRead): void {
    const site = this.state.kernel.code.sites[info & infoBits.siteMask];
    if (!site) return;
    this.log.note(`use-after-free ${causeText(this.state, site)} at the end`, () =>
      leftBehind(this.state, { site, info, block }),
    );
  }

  private of(warp: number, lane: number): Groups {
    // Headers of warps are farther apart than their lanes are many.
    const groups = this.groups.get(warp + lane) ?? { open: [], committed: [] };
    this.groups.set(warp + lane, groups);
    return groups;
  }
}

/** What is told of a copy whose block has ended without its thread's wait. */
function leftBehind(
  { kernel: { code }, request }: LaunchState,
  { site, info, block }: { readonly site: MemorySite; readonly info: number; readonly block: number },
): FindingDraft {
  const { location } = site.instruction;
  const thread = tripleOf((info & whoMask) >>> infoBits.laneShift, request.block);
  const where = { block: tripleOf(block, request.grid), thread };
  return {
    kind: "use-after-free",
    message: `use after free: a bulk copy that ${threadText(thread, where.block)} started may still be reading shared memory when the block ends: that thread has to wait for it first (cp.async.bulk.wait_group.read)${code.lines.inner(location)}`,
    ...code.lines.of(location),
    ...where,
  };
}
