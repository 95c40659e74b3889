import { at } from "../../../../base/known";
import type { CompiledKernel } from "../../../compile-kernel";
import { barrierKinds } from "../../../layout";
import type { LaunchRequest, Triple } from "../types";

/** How far a block of a cluster has come. */
type Stage = "waits" | "runs" | "ended";

/** A block that is resident with the others of its cluster. */
export interface ClusterBlock {
  readonly cluster: Cluster;
  readonly rank: number;
  readonly slot: number;
  stage: Stage;
  /** Of each warp (by linear address): how often it has arrived at the barrier, and waited there. */
  readonly arrived: Map<number, number>;
  readonly waited: Map<number, number>;
}

export interface Cluster {
  readonly number: number;
  /** By rank. */
  readonly blocks: ClusterBlock[];
  /** How often its barrier has opened. */
  opened: number;
}

/** Blocks of a cluster by axis, where the launch or the kernel says it. */
export function clusterOf(
  kernel: Pick<CompiledKernel, "cluster">,
  request: Pick<LaunchRequest, "cluster">,
): Triple | undefined {
  return request.cluster ?? kernel.cluster;
}

/** Number of blocks of a launch's clusters: 1 where there are none. */
export function clusterSize(
  kernel: Pick<CompiledKernel, "cluster">,
  request: Pick<LaunchRequest, "cluster">,
): number {
  const [x, y, z] = clusterOf(kernel, request) ?? [1, 1, 1];
  return x * y * z;
}

/** The clusters whose blocks are resident: which block is in which slot, and how far each has come. */
export class ClusterBlocks {
  /** Number of blocks of each cluster. */
  readonly size: number;
  /** Blocks have to be told apart: they are clusters, or the kernel has barriers of clusters. */
  readonly isUsed: boolean;
  private readonly shape: Triple;
  private readonly slots = new Map<number, ClusterBlock>();
  private readonly clusters = new Map<number, Cluster>();

  constructor(
    kernel: CompiledKernel,
    private readonly request: LaunchRequest,
  ) {
    this.shape = clusterOf(kernel, request) ?? [1, 1, 1];
    this.size = clusterSize(kernel, request);
    const waits = [...kernel.code.barriers.values()].some(({ kind }) => kind < barrierKinds.sync);
    this.isUsed = this.size > 1 || waits;
  }

  /** The block in a slot. */
  in(slot: number): ClusterBlock | undefined {
    return this.slots.get(slot);
  }

  /** Coordinates of a block by its number in the order of clusters. */
  placeOf(number: number): Triple {
    const { grid } = this.request;
    const [across, down, deep] = this.shape;
    const rank = number % this.size;
    const cluster = Math.floor(number / this.size);
    const [width, height] = [Math.floor(grid[0] / across), Math.floor(grid[1] / down)];
    return [
      (cluster % width) * across + (rank % across),
      (Math.floor(cluster / width) % height) * down + (Math.floor(rank / across) % down),
      Math.floor(cluster / (width * height)) * deep + Math.floor(rank / (across * down)),
    ];
  }

  /** A block, by its number in the order of clusters, is to run in a slot. */
  begin(slot: number, number: number): void {
    const index = Math.floor(number / this.size);
    const cluster = this.clusters.get(index) ?? { number: index, blocks: [], opened: 0 };
    this.clusters.set(index, cluster);
    const rank = number % this.size;
    const block: ClusterBlock = {
      ...{ cluster, rank, slot },
      stage: "waits",
      ...{ arrived: new Map(), waited: new Map() },
    };
    cluster.blocks[rank] = block;
    this.slots.set(slot, block);
  }

  /** The block in a slot has ended. */
  end(slot: number): void {
    const block = this.slots.get(slot);
    if (!block) return;
    block.stage = "ended";
    const { cluster } = block;
    const isOver = this.blocksOf(cluster).every(({ stage }) => stage === "ended");
    if (isOver) this.clusters.delete(cluster.number);
  }

  /** The clusters that are resident. */
  resident(): readonly Cluster[] {
    return [...this.clusters.values()];
  }

  /** All blocks of a cluster by rank. */
  blocksOf({ blocks }: Cluster): readonly ClusterBlock[] {
    return Array.from({ length: this.size }, (_, rank) => at(blocks, rank));
  }

  /** The block of a rank in the cluster of the block in a slot. */
  ofRank(slot: number, rank: number): ClusterBlock | undefined {
    return this.slots.get(slot)?.cluster.blocks[rank];
  }

  /** Coordinates of a block. */
  coordinatesOf({ cluster, rank }: ClusterBlock): Triple {
    return this.placeOf(cluster.number * this.size + rank);
  }
}
