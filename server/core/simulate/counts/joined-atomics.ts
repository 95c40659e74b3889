import { at } from "../../base/known";
import type { KernelMachineCode } from "../../cubin/index";
import { isGuarded, type MachineAnchor } from "./groups";

const vote = /^VOTEU?$/;
const firstLane = /^U?FLO$/;

/** Whether lanes with one address take one turn at an atomic operation. */
export function areLanesJoined(code: KernelMachineCode, anchor: MachineAnchor): boolean {
  const { operation } = at(code.instructions, anchor.index);
  return operation.joinsLanes === true || isMadeByOneLane(code, anchor);
}

/**
 * Whether one lane of the warp makes an atomic operation for all. Where the address is the same for all lanes
 * and the operands are integers, the assembler counts or sums them within the warp and lets the first active
 * lane go to memory (A. Adinetz, CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics): its code
 * asks which lanes are active, finds the first, and guards the operation by that.
 */
function isMadeByOneLane(code: KernelMachineCode, { index, block }: MachineAnchor): boolean {
  if (!isGuarded(at(code.instructions, index))) return false;
  const { start } = at(code.blocks, block);
  const before = code.instructions.slice(start, index).map(({ operation }) => operation.name);
  const asked = before.findLastIndex((name) => vote.test(name));
  return asked >= 0 && before.slice(asked).some((name) => firstLane.test(name));
}
