import type { CodeBlock } from "./blocks";
import { analyzeLiveness } from "./liveness";
import { type Segment, cutSegments } from "./segments";
import { type SlotPlan, planSlots } from "./slots";
import { type SpinPlan, planSpins } from "./spinning";

/** What is decided about a kernel's blocks before code is emitted. */
export interface BlockPlan {
  readonly slots: SlotPlan;
  /** Of each block. */
  readonly segments: readonly (readonly Segment[])[];
  /** Blocks in which lanes may wait for others; their records lie behind the registers of a warp. */
  readonly spins: SpinPlan;
}

/** Finds out where values are needed, gives registers their places and cuts blocks into segments. */
export function planBlocks(blocks: readonly CodeBlock[], registers: readonly string[]): BlockPlan {
  const liveness = analyzeLiveness(blocks, registers.length);
  return {
    slots: planSlots(blocks, liveness, registers),
    segments: blocks.map((block, index) => cutSegments(block, liveness, index)),
    spins: planSpins(blocks),
  };
}
