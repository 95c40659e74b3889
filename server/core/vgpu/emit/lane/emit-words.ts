import { typeOf } from "../../opcodes/table";
import { type Wasm, i32, op, splat32 } from "../../wasm/code";
import { types, unsignedOfSize } from "../../ptx/types";
import { type LaneFamily, type LaneFamilies } from "./emit-integer";
import { invariant } from "../../../base/assert";
import type { ProgramInstruction } from "../../flatten/program";
import { normalize } from "../emitters/values";

function shiftOf({ matched: { modifiers } }: ProgramInstruction): number {
  invariant(modifiers.shift !== undefined, "a part of a parameter has its place in a register");
  return modifiers.shift;
}

/** A load of 8 or 16 bits of a parameter that is kept in 32-bit registers. */
const loadPart: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, word] = instruction.operands;
  const value = op("i32x4.shr_u", lane.readOne(instruction, word, types.b32), i32(shiftOf(instruction)));
  lane.write(instruction, d, type, [normalize(lane.keep(value), type, types.b32)]);
};

/** A store of 8 or 16 bits of a parameter that is kept in 32-bit registers. */
const storePart: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, source, word] = instruction.operands;
  const shift = shiftOf(instruction);
  const unsigned = unsignedOfSize(type.bytes);
  const [value = []] = lane.read(instruction, source, unsigned);
  const [old = []] = lane.read(instruction, word, types.b32);
  const bits = (type.bytes === 1 ? 0xff : 0xffff) << shift;
  const moved: Wasm = op("i32x4.shl", value, i32(shift));
  lane.write(instruction, d, types.b32, [op("v128.bitselect", moved, old, splat32(bits))]);
};

export const wordFamilies = {
  "load-part": loadPart,
  "store-part": storePart,
} as const satisfies LaneFamilies;
