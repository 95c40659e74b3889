import type { CompiledKernel } from "../../compile-kernel";
import { staticLayout, warpLayout } from "../../layout";
import type { Scratch } from "../../memory/device-memory";
import { ClusterBlocks } from "./clusters/cluster-blocks";
import type { LaunchPlan } from "./launch-plan";
import type { FaultKind, LaunchRequest, Triple } from "./types";

/** Why nobody may use the shared memory of a rank. */
export interface BadRank {
  readonly kind: FaultKind;
  readonly why: string;
}

/**
 * A launch's working memory, as the host and generated code see it: what is launched, where everything lies,
 * and which resident block runs.
 */
export class LaunchState {
  /** Linear address of the working memory, which begins with the static area. */
  readonly base: number;
  /** The global in which generated code finds the current block's shared memory. */
  readonly sharedGlobal = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
  readonly clusters: ClusterBlocks;
  private current = 0;
  private viewed: DataView | undefined;

  constructor(
    readonly kernel: CompiledKernel,
    readonly request: LaunchRequest,
    readonly plan: LaunchPlan,
    readonly scratch: Scratch,
  ) {
    this.base = scratch.linear;
    this.clusters = new ClusterBlocks(kernel, request);
  }

  /** A view of all linear memory. Ask again after anything that may allocate: growing replaces the buffer. */
  get view(): DataView {
    const { buffer } = this.request.memory.memory;
    if (this.viewed?.buffer !== buffer) this.viewed = new DataView(buffer);
    return this.viewed;
  }

  /** Slot of the block that runs: the current block. */
  get slot(): number {
    return this.current;
  }

  /** Makes another slot current. `Slots` exchanges what the static area says about the block. */
  useSlot(slot: number): void {
    this.current = slot;
    this.sharedGlobal.value = this.sharedAt;
  }

  /** Linear address of the current block's shared memory. */
  get sharedAt(): number {
    return this.sharedIn(this.slot);
  }

  /** Linear address of a warp of the current block. */
  warpAt(index: number): number {
    return this.warpIn(this.slot, index);
  }

  /** Linear address of a warp of the block in a slot. */
  warpIn(slot: number, index: number): number {
    return this.base + this.plan.warps + slot * this.plan.slotBytes + index * this.kernel.code.warpBytes;
  }

  /** Linear address of the shared memory of the block in a slot. */
  sharedIn(slot: number): number {
    return this.base + this.plan.shared + slot * this.plan.slotBytes;
  }

  /** The shared memory of a rank of the current block's cluster, or why nobody may use it now. */
  sharedOfRank(rank: number): { readonly linear: number } | BadRank {
    const { clusters, slot } = this;
    if (rank === 0 && clusters.size === 1) return { linear: this.sharedAt };
    const block = clusters.ofRank(slot, rank);
    if (!block)
      return {
        kind: "out-of-bounds",
        why: `where the cluster of ${clusters.size} blocks has no rank ${rank}`,
      };
    if (block.stage === "runs") return { linear: this.sharedIn(block.slot) };
    const place = `in the shared memory of block (${clusters.coordinatesOf(block).join(",")})`;
    return block.stage === "ended"
      ? {
          kind: "use-after-free",
          why: `${place}, which has ended: a barrier of the cluster behind the last access keeps it`,
        }
      : {
          kind: "out-of-bounds",
          why: `${place}, which need not have begun: a barrier of the cluster comes before the first access`,
        };
  }

  /** Where a byte lies in the shared memory of a resident block; undefined for other memory. */
  sharedOffset(linear: number): number | undefined {
    const { base, plan } = this;
    const behind = linear - base - plan.shared;
    if (behind < 0 || behind >= plan.slots * plan.slotBytes) return undefined;
    const offset = behind % plan.slotBytes;
    return offset < plan.sharedBytes ? offset : undefined;
  }

  /** Coordinates of the current block. */
  get coordinates(): Triple {
    const { view, base } = this;
    const read = (axis: number): number => view.getInt32(base + staticLayout.ctaid + 4 * axis, true);
    return [read(0), read(1), read(2)];
  }

  /** Coordinates of a thread; `warp`: linear address. */
  threadOf(warp: number, lane: number): Triple {
    const { view } = this;
    const read = (offset: number): number => view.getInt32(warp + offset + 4 * lane, true);
    return [read(warpLayout.tidX), read(warpLayout.tidY), read(warpLayout.tidZ)];
  }
}
