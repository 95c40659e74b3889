import { staticLayout, warpLayout, warpTurns } from "../../layout";
import type { LaunchState } from "./launch-state";
import type { Triple } from "./types";

/** Sets the blocks to run next: `count` (below 2^31) of them from these coordinates on. */
export function beginBlocks({ view, base }: LaunchState, block: Triple, count: number): void {
  block.forEach((value, axis) => view.setInt32(base + staticLayout.ctaid + 4 * axis, value, true));
  view.setInt32(base + staticLayout.blocksLeft, count, true);
  view.setInt32(base + staticLayout.atWork, 0, true);
}

/** Blocks of the current range that have not started. */
export function blocksLeft({ view, base }: LaunchState): number {
  return view.getInt32(base + staticLayout.blocksLeft, true);
}

/** Withdraws the blocks of the current range that have not started; returns their number. */
export function takeBlocks(state: LaunchState): number {
  const count = blocksLeft(state);
  state.view.setInt32(state.base + staticLayout.blocksLeft, 0, true);
  return count;
}

/** Linear address of the warp that ran last. */
export function lastWarp({ view, base }: LaunchState): number {
  return view.getUint32(base + staticLayout.lastWarp, true);
}

/** Warps of the current block that have not ended. */
export function liveWarps(state: LaunchState): number {
  const { view, plan } = state;
  let live = 0;
  for (let index = 0; index < plan.warpCount; index += 1) {
    if (view.getInt32(state.warpAt(index) + warpLayout.turn, true) !== warpTurns.ended) live += 1;
  }
  return live;
}

/** Starts a new epoch: what the block's threads did before happens before what they do next. */
export function advanceEpoch({ view, base }: LaunchState): void {
  view.setInt32(base + staticLayout.epoch, view.getInt32(base + staticLayout.epoch, true) + 1, true);
}

/** Source line of a code block's last instruction; if it has none, of the first instruction that has one. */
export function lineOfBlock(
  state: LaunchState,
  index: number,
): { readonly file?: string; readonly line?: number } {
  const { blocks, lines } = state.kernel.code;
  const block = blocks[index];
  if (!block) return {};
  const instructions = [...(block.last ? [block.last] : []), ...block.instructions];
  for (const { location } of instructions) {
    const line = lines.of(location);
    if (line) return line;
  }
  return {};
}
