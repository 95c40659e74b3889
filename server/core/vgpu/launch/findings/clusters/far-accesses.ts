import { addressWindows, clusterStride, warpLayout } from "../../../layout";
import { synchronizing } from "../../../library/races/race-words";
import type { MemorySite } from "../../../emit/emitters/memory-site";
import type { ClusterBlock } from "../../state/clusters/cluster-blocks";
import type { LaunchState } from "../../state/launch-state";
import type { Triple } from "../../state/types";
import { accessText, type Range } from "../faults";
import { type FindingDraft, threadText } from "../findings";

/** The latest access of a warp, plain or synchronising, to the shared memory of another block. */
interface FarAccess {
  readonly site: MemorySite;
  readonly by: ClusterBlock;
  readonly thread: Triple;
  readonly address: bigint;
  /** How often the warp had arrived at the barrier of the cluster. */
  readonly arrived: number;
  readonly interval: number;
  /** The warp's index, plus `synchronizing` for an atomic or another strong access. */
  readonly from: number;
}

/** An access of a lane. `warp`: linear address. */
interface NewAccess extends Pick<FarAccess, "site" | "address"> {
  readonly warp: number;
  readonly lane: number;
}

/** The access that was noted last, and the window that it lies in: others of its warp mostly follow. */
interface Latest extends Pick<Range, "low" | "bytes" | "linear"> {
  readonly access: FarAccess;
  readonly warp: number;
  readonly owner: ClusterBlock;
}

/** The rank whose shared memory a mapped address lies in; undefined for other addresses. */
function rankOf(address: bigint): number | undefined {
  const behind = address - addressWindows.shared;
  if (behind < clusterStride || behind >= 1n << 40n) return undefined;
  return Number(behind / BigInt(clusterStride)) - 1;
}

/** Accesses to the shared memory of other blocks, which these have to outlive. */
export class FarAccesses {
  private readonly kept = new Map<ClusterBlock, Map<number, FarAccess>>();
  private latest: Latest | undefined;

  constructor(private readonly state: LaunchState) {}

  /** The linear address of an access that needs no further note than the latest one. */
  again(site: MemorySite, warp: number, address: bigint): number | undefined {
    const { latest, state } = this;
    if (!latest || latest.warp !== warp || latest.access.site !== site) return undefined;
    const offset = Number(address - latest.low);
    const isInside =
      offset >= 0 && offset + site.bytes <= latest.bytes && offset % Math.max(1, site.bytes) === 0;
    const { by, interval, arrived } = latest.access;
    const isSame =
      latest.owner.stage === "runs" &&
      state.clusters.in(state.slot) === by &&
      state.view.getUint32(warp + warpLayout.interval, true) === interval &&
      (by.arrived.get(warp) ?? 0) === arrived;
    return isInside && isSame ? latest.linear + offset : undefined;
  }

  /** Notes an access of the current block; false where it is to no other block's shared memory. */
  note(
    { site, warp, lane, address }: NewAccess,
    { low, bytes, linear }: Pick<Range, "low" | "bytes" | "linear">,
  ): boolean {
    const rank = rankOf(address);
    if (rank === undefined) return false;
    const { clusters, slot, view } = this.state;
    const [by, owner] = [clusters.in(slot), clusters.ofRank(slot, rank)];
    if (!by || !owner || owner === by) return false;
    const isStrong =
      site.access === "atomic" || (site.instruction.matched.modifiers["weak"] ?? "weak") !== "weak";
    const from = view.getUint32(warp + warpLayout.warpIndex, true) + (isStrong ? synchronizing : 0);
    const interval = view.getUint32(warp + warpLayout.interval, true);
    const arrived = by.arrived.get(warp) ?? 0;
    const ofOwner = this.kept.get(owner) ?? new Map<number, FarAccess>();
    this.kept.set(owner, ofOwner);
    const key = by.rank * 2 * synchronizing + from;
    const thread = this.state.threadOf(warp, lane);
    const access = { site, by, thread, address, arrived, interval, from };
    ofOwner.set(key, access);
    this.latest = { access, warp, owner, low, bytes, linear };
    return true;
  }

  /**
   * The current block has ended: the accesses to its shared memory that need not come before.
   * `isOver`: whether a warp's interval, as in an access, happens before that end.
   */
  takeLate(isOver: (access: FarAccess) => boolean): readonly FarAccess[] {
    const owner = this.state.clusters.in(this.state.slot);
    const accesses = owner && this.kept.get(owner);
    if (!owner || !accesses) return [];
    this.kept.delete(owner);
    const waited = Math.max(0, ...owner.waited.values());
    return [...accesses.values()].filter((access) => waited <= access.arrived && !isOver(access));
  }
}

/** What is told of an access to the shared memory of the current block, which has ended. */
export function lateAccess(state: LaunchState, { site, by, thread, address }: FarAccess): FindingDraft {
  const { clusters, kernel, coordinates } = state;
  const block = clusters.coordinatesOf(by);
  const { location } = site.instruction;
  const place = `0x${address.toString(16)}`;
  const access = accessText(site.access, { who: threadText(thread, block), bytes: site.bytes, place });
  return {
    kind: "use-after-free",
    message: `use after free: ${access}, in the shared memory of block (${coordinates.join(",")}), which may have ended by then: a barrier of the cluster behind the last access keeps it${kernel.code.lines.inner(location)}`,
    ...kernel.code.lines.of(location),
    ...{ block, thread, address },
  };
}
