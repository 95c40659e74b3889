import type { CompiledKernel } from "../../compile-kernel";
import { staticLayout, warpLayout } from "../../layout";
import type { Scratch } from "../../memory/device-memory";
import type { LaunchPlan } from "./launch-plan";
import type { LaunchRequest, Triple } from "./types";

/**
 * A launch's working memory, as the host and generated code see it: what is launched, where everything lies,
 * and which resident block runs.
 */
export class LaunchState {
  /** Linear address of the working memory, which begins with the static area. */
  readonly base: number;
  /** The global in which generated code finds the current block's shared memory. */
  readonly sharedGlobal = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
  private current = 0;
  private viewed: DataView | undefined;

  constructor(
    readonly kernel: CompiledKernel,
    readonly request: LaunchRequest,
    readonly plan: LaunchPlan,
    readonly scratch: Scratch,
  ) {
    this.base = scratch.linear;
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
    return this.base + this.plan.shared + this.slot * this.plan.slotBytes;
  }

  /** Linear address of a warp of the current block. */
  warpAt(index: number): number {
    return this.base + this.plan.warps + this.slot * this.plan.slotBytes + index * this.kernel.code.warpBytes;
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
