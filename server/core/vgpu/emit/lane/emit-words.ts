import { type Wasm, i32, op, splat32 } from "../../wasm/code";
import { typeBytes } from "../../ptx/types";
import { type LaneFamily, typeOf } from "./emit-integer";
import { normalize } from "../emitters/values";

function shiftOf(modifiers: Readonly<Record<string, string>>): number {
  return Number(modifiers["shift"] ?? 0);
}

/** A load of 8 or 16 bits of a parameter that is kept in 32-bit registers. */
const loadPart: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, word] = instruction.operands;
  const value = op(
    "i32x4.shr_u",
    lane.read(instruction, word, "b32")[0] ?? [],
    i32(shiftOf(instruction.matched.modifiers)),
  );
  lane.write(instruction, d, type, [normalize(lane.keep(value), type, "b32")]);
};

/** A store of 8 or 16 bits of a parameter that is kept in 32-bit registers. */
const storePart: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, source, word] = instruction.operands;
  const shift = shiftOf(instruction.matched.modifiers);
  const unsigned = `u${8 * (typeBytes(type) ?? 1)}`;
  const [value = []] = lane.read(instruction, source, unsigned);
  const [old = []] = lane.read(instruction, word, "b32");
  const bits = (unsigned === "u8" ? 0xff : 0xffff) << shift;
  const moved: Wasm = op("i32x4.shl", value, i32(shift));
  lane.write(instruction, d, "b32", [op("v128.bitselect", moved, old, splat32(bits))]);
};

export const wordFamilies: Readonly<Record<string, LaneFamily>> = {
  "load-part": loadPart,
  "store-part": storePart,
};
