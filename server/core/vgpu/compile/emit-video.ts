import { type Wasm, i32, op, shuffle, splat32, splat64 } from "../wasm/code";
import type { LaneFamily } from "./emit-integer";
import { compareIntegers } from "./emit-logic";
import type { LaneEmitter } from "./lane-emitter";
import type { ProgramInstruction, ProgramOperand } from "./program";
import { refuse } from "./refusal";
import type { Parts } from "./values";
import { evenWords } from "../wasm/shuffles";

const isSigned = (type: string | undefined): boolean => type === "s32";

/** Two halves of four 32-bit lanes as 64-bit ones, by the type's sign: nothing overflows there. */
function extended(lane: LaneEmitter, value: Wasm, type: string | undefined): Parts {
  const kept = lane.keep(value);
  const sign = isSigned(type) ? "s" : "u";
  return lane.keepAll([op(`i64x2.extend_low_i32x4_${sign}`, kept), op(`i64x2.extend_high_i32x4_${sign}`, kept)]);
}

function clampWide(lane: LaneEmitter, value: Parts, type: string | undefined): Parts {
  const [least, most] = isSigned(type) ? [-(1n << 31n), (1n << 31n) - 1n] : [0n, (1n << 32n) - 1n];
  return value.map((part) => {
    const kept = lane.keep(part);
    const high = lane.keep(op("v128.bitselect", splat64(most), kept, op("i64x2.gt_s", kept, splat64(most))));
    return lane.keep(op("v128.bitselect", splat64(least), high, op("i64x2.lt_s", high, splat64(least))));
  });
}

/** Shifts by the clamped or wrapped amount in each of two 64-bit lanes. */
function shifted(lane: LaneEmitter, name: string, value: Parts, amount: Parts): Parts {
  return value.map((part, index) => lane.call(name, part, amount[index] ?? []));
}

/** The operation on whole numbers of 32 bits, before saturation. */
function scalarResult(lane: LaneEmitter, instruction: ProgramInstruction, left: Wasm, right: Wasm): Parts {
  const { d: type, a: first, b: second, mode, saturate } = instruction.matched.modifiers;
  const { opcode } = instruction.matched.instruction;
  const x = extended(lane, left, first);
  if (opcode === "vshl" || opcode === "vshr") {
    const amount = mode === "wrap" ? op("v128.and", right, splat32(31)) : op("i32x4.min_u", right, splat32(32));
    if (opcode === "vshr") return shifted(lane, "shift_right_signed_64", x, extended(lane, amount, "u32"));
    if (!saturate) return shifted(lane, "shift_left_64", x, extended(lane, amount, "u32"));
    // A shift by 32 could leave 64 bits: what is saturated before its last step is so after it.
    const [kept, most] = [lane.keep(amount), lane.keep(op("i32x4.min_u", amount, splat32(31)))];
    const almost = clampWide(lane, shifted(lane, "shift_left_64", x, extended(lane, most, "u32")), type);
    return shifted(lane, "shift_left_64", almost, extended(lane, op("i32x4.sub", kept, most), "u32"));
  }
  const y = extended(lane, right, second);
  return x.map((part, index) => {
    const other = y[index] ?? [];
    switch (opcode) {
      case "vadd": return op("i64x2.add", part, other);
      case "vsub": return op("i64x2.sub", part, other);
      case "vabsdiff": return op("i64x2.abs", op("i64x2.sub", part, other));
      case "vmin": return op("v128.bitselect", part, other, op("i64x2.lt_s", part, other));
      default: return op("v128.bitselect", part, other, op("i64x2.gt_s", part, other));
    }
  });
}

/** The second operation of a scalar instruction: adds c, or takes the smaller or larger one. */
function combined(instruction: ProgramInstruction, result: Wasm, other: Wasm, signed: boolean): Wasm {
  const sign = signed ? "s" : "u";
  switch (instruction.matched.modifiers["combine"]) {
    case "min": return op(`i32x4.min_${sign}`, result, other);
    case "max": return op(`i32x4.max_${sign}`, result, other);
    default: return op("i32x4.add", result, other);
  }
}

const read = (lane: LaneEmitter, instruction: ProgramInstruction, operand: ProgramOperand | undefined): Wasm => lane.keep(lane.read(instruction, operand, "b32")[0] ?? []);

/** vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr and vset on whole registers (PTX ISA section 9.7.17.1); parts of operands are refused. */
const scalar: LaneFamily = (lane, instruction) => {
  const { d: type, a: first, b: second, saturate, combine, comparison } = instruction.matched.modifiers;
  const [d, a, b, c] = instruction.operands;
  if ((combine === undefined) !== (c === undefined)) return refuse(instruction, "an operand too few or too many");
  const [left, right] = [read(lane, instruction, a), read(lane, instruction, b)];
  let result: Wasm;
  if (comparison !== undefined) {
    const mask = compareWide(lane, comparison, extended(lane, left, first), extended(lane, right, second)) ?? refuse(instruction);
    result = op("v128.and", mask, splat32(1));
  } else {
    const wide = scalarResult(lane, instruction, left, right);
    const [low = [], high = []] = saturate ? clampWide(lane, wide, type) : wide;
    result = shuffle(low, high, evenWords);
  }
  const signed = comparison === undefined ? isSigned(type) : isSigned(first);
  lane.write(instruction, d, "b32", [combine ? combined(instruction, result, read(lane, instruction, c), signed) : result]);
};

function compareWide(lane: LaneEmitter, comparison: string, x: Parts, y: Parts): Wasm | undefined {
  return compareIntegers(comparison, "s64", lane.keepAll(x), lane.keepAll(y));
}

/** One of the packed numbers, extended to 32 bits. */
function packedPart(value: Wasm, type: string | undefined, bits: number, index: number): Wasm {
  return op(isSigned(type) ? "i32x4.shr_s" : "i32x4.shr_u", op("i32x4.shl", value, i32(32 - bits * (index + 1))), i32(32 - bits));
}

function packedResult(lane: LaneEmitter, instruction: ProgramInstruction, x: Wasm, y: Wasm): Wasm {
  const { comparison } = instruction.matched.modifiers;
  const { opcode } = instruction.matched.instruction;
  if (comparison !== undefined) return op("v128.and", compareIntegers(comparison, "s32", [x], [y]) ?? refuse(instruction), splat32(1));
  switch (opcode.slice(0, -1)) {
    case "vadd": return op("i32x4.add", x, y);
    case "vsub": return op("i32x4.sub", x, y);
    case "vabsdiff": return op("i32x4.abs", op("i32x4.sub", x, y));
    case "vmin": return op("i32x4.min_s", x, y);
    case "vmax": return op("i32x4.max_s", x, y);
    default: {
      // The average rounds away from zero in the middle, but only upwards: a mask is -1 where the sum is not negative.
      const sum = lane.keep(op("i32x4.add", x, y));
      return op("i32x4.shr_s", op("i32x4.sub", sum, op("i32x4.ge_s", sum, splat32(0))), i32(1));
    }
  }
}

/** The forms on two halves or four bytes of a register; with .add the results are summed up (PTX ISA section 9.7.17.2). */
const packed: LaneFamily = (lane, instruction) => {
  const { d: type, a: first, b: second, saturate, combine } = instruction.matched.modifiers;
  const [d, a, b, c] = instruction.operands;
  const count = Number(instruction.matched.instruction.opcode.at(-1));
  const bits = 32 / count;
  const [left, right] = [read(lane, instruction, a), read(lane, instruction, b)];
  const [least, most] = isSigned(type) ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  const results = Array.from({ length: count }, (_, index) => {
    const [x, y] = [lane.keep(packedPart(left, first, bits, index)), lane.keep(packedPart(right, second, bits, index))];
    const result = packedResult(lane, instruction, x, y);
    return lane.keep(saturate ? op("i32x4.min_s", op("i32x4.max_s", result, splat32(least)), splat32(most)) : result);
  });
  const total = combine
    ? results.reduce((sum, result) => op("i32x4.add", sum, result), lane.read(instruction, c, "b32")[0] ?? [])
    : results.map((result, index) => op("i32x4.shl", op("v128.and", result, splat32(2 ** bits - 1)), i32(bits * index))).reduce((sum, part) => op("v128.or", sum, part));
  lane.write(instruction, d, "b32", [total]);
};

export const videoFamilies: Readonly<Record<string, LaneFamily>> = { "video": scalar, "video-packed": packed };
