import { type PtxType, types } from "../../ptx/types";
import type { LaneEmitter } from "./lane-emitter";
import { withOneNaN } from "../../library/arithmetic/floats";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import type { Parts } from "./values";

/** Reads a single-precision operand for arithmetic, which does not care for payloads. */
export function readLoose(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  operand: ProgramOperand | undefined,
  type: PtxType,
): Parts {
  if (operand?.kind === "register" && lane.loose.has(operand.register)) return lane.partsOf(operand.register);
  return lane.read(instruction, operand, type);
}

/**
 * Writes a result of arithmetic; its NaNs are put right later. Under a guard they are put right at once,
 * since other lanes keep what they had, which may be bits of anything.
 */
export function writeLoose(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  operand: ProgramOperand | undefined,
  value: Parts,
): void {
  if (instruction.guard)
    return lane.write(instruction, operand, types.f32, lane.keepAll(value).map(withOneNaN));
  lane.write(instruction, operand, types.f32, value);
  if (operand?.kind === "register" && value.length === 1) lane.loose.add(operand.register);
}
