import { known } from "../../../base/known";
import { barrierKinds, warpLayout, warpTurns } from "../../layout";
import { lateAccess } from "../findings/clusters/far-accesses";
import type { Sanitizer } from "../findings/sanitizer";
import { failOperands } from "../findings/stuck";
import { causeText } from "../state/call-sites";
import type { Cluster, ClusterBlock } from "../state/clusters/cluster-blocks";
import type { LaunchState } from "../state/launch-state";

/**
 * The barrier that each cluster has (PTX ISA section 9.7.13.4, barrier.cluster). It opens when all threads
 * of the cluster that have not exited have arrived; what a warp does before it arrives happens before what
 * others do behind their wait, unless it arrives relaxed.
 */
export class ClusterBarrier {
  constructor(
    private readonly state: LaunchState,
    private readonly sanitizer: Sanitizer,
  ) {}

  /** Whether a warp of the current block goes on there: it arrives, or the barrier has opened. */
  meets({ warp, kind, id }: { readonly warp: number; readonly kind: number; readonly id: number }): boolean {
    if (kind !== barrierKinds.clusterArrive) return this.passes(warp);
    this.arrive(warp, id === 1);
    return true;
  }

  private arrive(warp: number, isRelaxed: boolean): void {
    const block = this.current();
    const arrived = block.arrived.get(warp) ?? 0;
    if (arrived !== (block.waited.get(warp) ?? 0))
      failOperands(this.state, warp, "arrives at the barrier of its cluster again, and has not waited there");
    block.arrived.set(warp, arrived + 1);
    if (!isRelaxed) this.sanitizer.order?.ofClusters.arrive(warp, placeOf(block.cluster, arrived));
  }

  private passes(warp: number): boolean {
    const block = this.current();
    const waited = block.waited.get(warp) ?? 0;
    if ((block.arrived.get(warp) ?? 0) === waited)
      failOperands(this.state, warp, "waits at the barrier of its cluster, and has not arrived there");
    if (block.cluster.opened <= waited) return false;
    block.waited.set(warp, waited + 1);
    this.sanitizer.order?.ofClusters.leave(warp, placeOf(block.cluster, waited));
    return true;
  }

  /** Opens the barriers at which all have arrived; false where there is none. */
  open(): boolean {
    const ready = this.state.clusters.resident().filter((cluster) => this.isComplete(cluster));
    for (const cluster of ready) cluster.opened += 1;
    return ready.length > 0;
  }

  /**
   * The current block has ended: tells of accesses to its shared memory, by others and by its own copies,
   * that need not come before.
   */
  end(): void {
    const { state, sanitizer } = this;
    const { order, log } = sanitizer;
    if (!order) return;
    order.endBlock();
    const late = order.ofClusters.far.takeLate(({ interval, from }) =>
      order.isOver(state.warpAt(0), interval, from),
    );
    for (const access of late)
      log.note(`use-after-free ${causeText(state, access.site)} `, () => lateAccess(state, access));
  }

  private isComplete(cluster: Cluster): boolean {
    const { clusters } = this.state;
    const blocks = clusters.blocksOf(cluster).filter(({ stage }) => stage !== "ended");
    return blocks.length > 0 && blocks.every((block) => this.hasArrived(block));
  }

  /** All warps of a block that have not ended have arrived once more than the barrier has opened. */
  private hasArrived({ stage, slot, arrived, cluster }: ClusterBlock): boolean {
    const { state } = this;
    if (stage !== "runs") return false;
    return Array.from({ length: state.plan.warpCount }, (_, index) => state.warpIn(slot, index)).every(
      (warp) =>
        state.view.getInt32(warp + warpLayout.turn, true) === warpTurns.ended ||
        (arrived.get(warp) ?? 0) > cluster.opened,
    );
  }

  private current(): ClusterBlock {
    const { clusters, slot } = this.state;
    return known(clusters.in(slot), "a kernel with barriers of clusters runs block by block");
  }
}

/** What stands for the barrier of a cluster in one of two phases that follow each other: no address. */
function placeOf({ number }: Cluster, phase: number): number {
  return -1 - 2 * number - (phase % 2);
}
