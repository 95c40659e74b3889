import { at } from "../../../base/known";
import { typeOf } from "../../opcodes/table";
import { type PtxType, isSigned, isWide, types } from "../../ptx/types";
import { type Wasm, i32, op, shuffle, splat32, splat64 } from "../../wasm/code";
import { type LaneFamily, type LaneFamilies } from "./emit-integer";
import type { LaneEmitter } from "../emitters/lane-emitter";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import { type Parts, widenMask } from "../emitters/values";
import { evenWords } from "../../wasm/shuffles";

/** 32-bit counts from one or two parts. */
function counts([low = [], high]: Parts): Wasm {
  return high === undefined ? low : shuffle(low, high, evenWords);
}

/** popc, clz, brev, bfind (PTX ISA sections 9.7.1.14 to 9.7.1.18). */
const bitCount: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a] = instruction.operands;
  const { opcode } = instruction.matched.instruction;
  const wide = isWide(type);
  const suffix = wide ? "64" : "32";
  const value = lane.read(instruction, a, type);
  if (opcode === "brev")
    lane.write(
      instruction,
      d,
      type,
      value.map((part) => lane.call(`brev_${suffix}`, part)),
    );
  else if (opcode !== "bfind")
    lane.write(instruction, d, types.u32, [
      counts(value.map((part) => lane.call(`${opcode}_${suffix}`, part))),
    ]);
  else {
    // The highest bit that differs from the sign; all ones when there is none.
    const kept = lane.keepAll(value);
    const source = isSigned(type)
      ? kept.map((part) =>
          op("v128.xor", part, op(wide ? "i64x2.shr_s" : "i32x4.shr_s", part, i32(wide ? 63 : 31))),
        )
      : kept;
    const zeros = lane.keep(counts(source.map((part) => lane.call(`clz_${suffix}`, part))));
    const width = wide ? 64 : 32;
    const none = op("i32x4.eq", zeros, splat32(width));
    const position = instruction.matched.modifiers["amount"]
      ? zeros
      : op("i32x4.sub", splat32(width - 1), zeros);
    lane.write(instruction, d, types.u32, [op("v128.or", position, none)]);
  }
};

/** Shift amounts for two 64-bit parts, or as they are for one. */
function amounts(lane: LaneEmitter, wide: boolean, amount: Wasm): Parts {
  if (!wide) return [amount];
  const kept = lane.keep(amount);
  return [op("i64x2.extend_low_i32x4_u", kept), op("i64x2.extend_high_i32x4_u", kept)];
}

function shifted(lane: LaneEmitter, code: string, value: Parts, amount: Wasm): Parts {
  const wide = value.length === 2;
  const by = amounts(lane, wide, amount);
  return lane.keepAll(
    value.map((part, index) => lane.call(`${code}_${wide ? 64 : 32}`, part, at(by, index))),
  );
}

/** An operand of bfe and bfi that says where a field lies: its low 8 bits count. */
function lowByte(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  operand: ProgramOperand | undefined,
): Wasm {
  return lane.keep(op("v128.and", lane.readOne(instruction, operand, types.u32), splat32(0xff)));
}

/** All ones above the lowest `length` bits; nothing when the length is the width or more. */
function onesAbove(lane: LaneEmitter, type: PtxType, length: Wasm): Parts {
  const ones: Parts = Array.from({ length: isWide(type) ? 2 : 1 }, () => splat32(-1));
  return shifted(lane, "shift_left", ones, length);
}

/** bfi: puts a field of one number into another (PTX ISA section 9.7.1.20). */
const insertField: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a, b, c, e] = instruction.operands;
  const [position, length] = [lowByte(lane, instruction, c), lowByte(lane, instruction, e)];
  const above = onesAbove(lane, type, length);
  const value = lane.keepAll(lane.read(instruction, a, type));
  const base = lane.read(instruction, b, type);
  const field = above.map((part) => op("v128.not", part));
  const mask = shifted(lane, "shift_left", field, position);
  const moved = shifted(lane, "shift_left", value, position);
  lane.write(
    instruction,
    d,
    type,
    moved.map((part, index) => op("v128.bitselect", part, at(base, index), at(mask, index))),
  );
};

/** bfe: takes a field out of a number and extends it by its sign (PTX ISA section 9.7.1.19). */
const extractField: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a, b, c] = instruction.operands;
  const [position, length] = [lowByte(lane, instruction, b), lowByte(lane, instruction, c)];
  const above = onesAbove(lane, type, length);
  const value = lane.keepAll(lane.read(instruction, a, type));
  const moved = shifted(lane, isSigned(type) ? "shift_right_signed" : "shift_right", value, position);
  const plain = moved.map((part, index) => op("v128.andnot", part, at(above, index)));
  const field = isSigned(type) ? withSign(lane, type, { value, plain, above, position, length }) : plain;
  lane.write(instruction, d, type, field);
};

interface Field {
  /** The number that the field lies in, and the field with zeroes above. */
  readonly value: Parts;
  readonly plain: Parts;
  /** Ones where the field has no bits. */
  readonly above: Parts;
  readonly position: Wasm;
  readonly length: Wasm;
}

/**
 * A field extended by its sign: its own highest bit, or that of the whole number when the field reaches
 * beyond it. An empty field is 0.
 */
function withSign(lane: LaneEmitter, type: PtxType, { value, plain, above, position, length }: Field): Parts {
  const wide = isWide(type);
  const last = op(
    "i32x4.min_u",
    op("i32x4.sub", op("i32x4.add", position, length), splat32(1)),
    splat32(type.bits - 1),
  );
  const bit = shifted(lane, "shift_right", value, lane.keep(last));
  const one = wide ? splat64(1n) : splat32(1);
  const negative = bit.map((part) => op(wide ? "i64x2.neg" : "i32x4.neg", op("v128.and", part, one)));
  const empty = lane.keep(op("i32x4.eq", length, splat32(0)));
  const masks = wide ? widenMask(empty) : [empty];
  return plain.map((part, index) =>
    op(
      "v128.andnot",
      op("v128.or", part, op("v128.and", at(negative, index), at(above, index))),
      at(masks, index),
    ),
  );
}

const bitField: LaneFamily = (lane, instruction) =>
  instruction.matched.instruction.opcode === "bfi"
    ? insertField(lane, instruction)
    : extractField(lane, instruction);

/** bmsk (PTX ISA section 9.7.1.21) and szext (9.7.1.22). */
const bitMask: LaneFamily = (lane, instruction) => {
  const { mode } = instruction.matched.modifiers;
  const [d, a, b] = instruction.operands;
  const limit = (operand: typeof a): Wasm => {
    const value = lane.readOne(instruction, operand, types.u32);
    return lane.keep(
      mode === "wrap" ? op("v128.and", value, splat32(31)) : op("i32x4.min_u", value, splat32(32)),
    );
  };
  if (instruction.matched.instruction.opcode === "bmsk") {
    const [position, length] = [limit(a), limit(b)];
    const field = lane.keep(op("v128.not", lane.call("shift_left_32", splat32(-1), length)));
    lane.write(instruction, d, types.b32, [lane.call("shift_left_32", field, position)]);
    return;
  }
  const value = lane.keep(lane.readOne(instruction, a, types.b32));
  const length = limit(b);
  const rest = lane.keep(op("i32x4.sub", splat32(32), length));
  const code = typeOf(instruction) === types.s32 ? "shift_right_signed_32" : "shift_right_32";
  const empty = op("i32x4.eq", length, splat32(0));
  lane.write(instruction, d, types.b32, [
    op("v128.andnot", lane.call(code, lane.call("shift_left_32", value, rest), rest), empty),
  ]);
};

/** prmt: four bytes chosen out of eight (PTX ISA section 9.7.9.7). */
const permute: LaneFamily = (lane, instruction) => {
  const { mode } = instruction.matched.modifiers;
  const [d, a, b, c] = instruction.operands;
  const [low, high] = [a, b].map((operand) => lane.keep(lane.readOne(instruction, operand, types.b32))) as [
    Wasm,
    Wasm,
  ];
  if (mode === undefined && c?.kind === "integer" && (c.value & 0x8888n) === 0n) {
    lane.write(instruction, d, types.b32, [shuffle(low, high, constantSelection(Number(c.value & 0xffffn)))]);
    return;
  }
  const control = lane.readOne(instruction, c, types.b32);
  const selector =
    mode === undefined ? control : selectorOf(lane, permuteModes[mode] ?? refuse(instruction), control);
  lane.write(instruction, d, types.b32, [lane.call("permute_bytes", low, high, selector)]);
};

/** The selectors that the modes of prmt stand for, by the two lowest bits of the third operand. */
const permuteModes: Readonly<Record<string, readonly number[]>> = {
  f4e: [0x3210, 0x4321, 0x5432, 0x6543],
  b4e: [0x5670, 0x6701, 0x7012, 0x0123],
  rc8: [0x0000, 0x1111, 0x2222, 0x3333],
  ecl: [0x3210, 0x3211, 0x3222, 0x3333],
  ecr: [0x0000, 0x1110, 0x2210, 0x3210],
  rc16: [0x1010, 0x3232, 0x1010, 0x3232],
};

function selectorOf(lane: LaneEmitter, selectors: readonly number[], control: Wasm): Wasm {
  const choice = lane.keep(op("v128.and", control, splat32(3)));
  return selectors.reduce<Wasm>(
    (value, selector, index) =>
      op("v128.bitselect", splat32(selector), value, op("i32x4.eq", choice, splat32(index))),
    splat32(0),
  );
}

/** Byte indices for all four lanes of a selection that is known now. */
function constantSelection(selection: number): number[] {
  return Array.from({ length: 16 }, (_, byte) => {
    const source = (selection >> (4 * (byte % 4))) & 7;
    return (source < 4 ? 0 : 16) + 4 * Math.floor(byte / 4) + (source % 4);
  });
}

/**
 * dp4a: four products of bytes added to c; dp2a: two of 16-bit by 8-bit (PTX ISA sections 9.7.1.23 and
 * 9.7.1.24).
 */
const dotProduct: LaneFamily = (lane, instruction) => {
  const { half } = instruction.matched.modifiers;
  const [first, second] = [typeOf(instruction, "first"), typeOf(instruction, "second")];
  const [d, a, b, c] = instruction.operands;
  const [x, y] = [a, b].map((operand) => lane.keep(lane.readOne(instruction, operand, types.b32))) as [
    Wasm,
    Wasm,
  ];
  const extract = (value: Wasm, signed: boolean, bits: number, index: number): Wasm =>
    op(
      signed ? "i32x4.shr_s" : "i32x4.shr_u",
      op("i32x4.shl", value, i32(32 - bits * (index + 1))),
      i32(32 - bits),
    );
  const count = half === undefined ? 4 : 2;
  const start = half === "hi" ? 2 : 0;
  const products = Array.from({ length: count }, (_, index) =>
    op(
      "i32x4.mul",
      extract(x, first === types.s32, half === undefined ? 8 : 16, index),
      extract(y, second === types.s32, 8, start + index),
    ),
  );
  lane.write(instruction, d, types.b32, [
    products.reduce((sum, product) => op("i32x4.add", sum, product), lane.readOne(instruction, c, types.b32)),
  ]);
};

/**
 * fns: the n-th set bit from a position on, upwards or, for a negative n, downwards, which is upwards in the
 * reversed mask (PTX ISA section 9.7.1.17).
 */
const findNth: LaneFamily = (lane, instruction) => {
  const [d, ...sources] = instruction.operands;
  const [mask, base, offset] = sources.map((operand) =>
    lane.keep(lane.readOne(instruction, operand, types.b32)),
  ) as [Wasm, Wasm, Wasm];
  const down = lane.keep(op("i32x4.lt_s", offset, splat32(0)));
  const mirrored = (value: Wasm): Wasm =>
    op("v128.bitselect", op("i32x4.sub", splat32(31), value), value, down);
  const start = lane.keep(mirrored(base));
  // With an offset of zero only the bit at the position itself counts.
  const reach = op("v128.bitselect", splat32(1), splat32(-1), op("i32x4.eq", offset, splat32(0)));
  const field = op(
    "v128.and",
    op("v128.bitselect", lane.call("brev_32", mask), mask, down),
    lane.call("shift_left_32", reach, start),
  );
  const rest = lane.keep(
    lane.call("drop_low_bits", field, lane.keep(op("i32x4.sub", op("i32x4.abs", offset), splat32(1)))),
  );
  const position = lane.keep(
    lane.call("popc_32", op("v128.andnot", op("i32x4.sub", rest, splat32(1)), rest)),
  );
  lane.write(instruction, d, types.b32, [
    op("v128.or", mirrored(position), op("i32x4.eq", rest, splat32(0))),
  ]);
};

export const bitFamilies = {
  "bit-count": bitCount,
  "bit-field": bitField,
  "bit-mask": bitMask,
  permute: permute,
  "dot-product": dotProduct,
  "find-nth": findNth,
} as const satisfies LaneFamilies;
