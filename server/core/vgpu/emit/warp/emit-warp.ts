import { invariant } from "../../../base/assert";
import type { Wasm } from "../../wasm/code";
import { emitOrder } from "./emit-detectors";
import type { ProgramInstruction } from "../../flatten/program";
import { emitWhole } from "../../flatten/refusal";
import { warpFamilies } from "../warp-families";
import type { WarpEmitter } from "../emitters/warp-emitter";

/** Emits a warp-wide instruction; `mask` holds the lanes that run it. */
export function emitWarpWide(warp: WarpEmitter, instruction: ProgramInstruction, mask: Wasm): void {
  const emit = warpFamilies[instruction.matched.family];
  invariant(emit, `the family ${instruction.matched.family} has an emitter for warps`);
  if (warp.kernel.detectors) emitOrder(warp, instruction, mask);
  emitWhole(instruction, () => emit(warp, instruction, mask));
}
