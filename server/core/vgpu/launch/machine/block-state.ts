import { staticLayout, warpLayout, warpTurns } from "../../layout";
import type { Machine } from "./machine";
import type { Triple } from "./types";

/** Sets the blocks that a machine runs next: `count` (below 2^31) from the one with these coordinates on. */
export function beginBlocks({ view, base }: Machine, block: Triple, count: number): void {
  block.forEach((value, axis) => view.setInt32(base + staticLayout.ctaid + 4 * axis, value, true));
  view.setInt32(base + staticLayout.blocksLeft, count, true);
  view.setInt32(base + staticLayout.atWork, 0, true);
}

/** Blocks that a machine was given but has not started. */
export function blocksLeft({ view, base }: Machine): number {
  return view.getInt32(base + staticLayout.blocksLeft, true);
}

/** Takes back the blocks that a machine was given but has not started; returns how many. */
export function takeBlocks(machine: Machine): number {
  const count = blocksLeft(machine);
  machine.view.setInt32(machine.base + staticLayout.blocksLeft, 0, true);
  return count;
}

/** Linear address of the warp that ran last when the code returned. */
export function lastWarp({ view, base }: Machine): number {
  return view.getUint32(base + staticLayout.lastWarp, true);
}

/** Warps of the block at work that have not ended. */
export function liveWarps(machine: Machine): number {
  const { view, layout } = machine;
  let live = 0;
  for (let index = 0; index < layout.warpCount; index += 1) {
    if (view.getInt32(machine.warpAt(index) + warpLayout.turn, true) !== warpTurns.ended) live += 1;
  }
  return live;
}

/** Something that the host does orders what the block's threads did before and do after. */
export function advanceEpoch({ view, base }: Machine): void {
  view.setInt32(base + staticLayout.epoch, view.getInt32(base + staticLayout.epoch, true) + 1, true);
}

/** Source line of a code block's end, or of its first instruction that has one. */
export function lineOfBlock(
  machine: Machine,
  index: number,
): { readonly file?: string; readonly line?: number } {
  const { blocks, lines } = machine.kernel.code;
  const block = blocks[index];
  if (!block) return {};
  const instructions = [...(block.last ? [block.last] : []), ...block.instructions];
  for (const { location } of instructions) {
    const line = lines.of(location);
    if (line) return line;
  }
  return {};
}
