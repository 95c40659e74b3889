import { withOneNaN } from "../../library/arithmetic/floats";
import { get, set } from "../../wasm/code";
import type { LaneEmitter } from "./lane-emitter";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import type { Parts } from "./values";

/**
 * Which NaN a single-precision instruction delivers is left open (PTX ISA section 9.7.3); here it is always
 * 0x7fffffff, so that results are the same everywhere, while the host's arithmetic keeps payloads. Between
 * such instructions the payload does not matter, so that a result is put right only when something else looks
 * at its bits or the segment ends.
 */
export type LooseNaNs = Set<number>;

/** Puts a register's NaNs right, if they may be wrong. */
export function settle(lane: LaneEmitter, register: number): void {
  if (!lane.loose.delete(register)) return;
  const [local = 0] = lane.localsOf(register);
  lane.code.push(set(local, withOneNaN(get(local))));
}

/** Reads a single-precision operand for arithmetic, which does not care for payloads. */
export function readLoose(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  operand: ProgramOperand | undefined,
  type: string,
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
  if (instruction.guard) return lane.write(instruction, operand, "f32", lane.keepAll(value).map(withOneNaN));
  lane.write(instruction, operand, "f32", value);
  if (operand?.kind === "register" && value.length === 1) lane.loose.add(operand.register);
}
