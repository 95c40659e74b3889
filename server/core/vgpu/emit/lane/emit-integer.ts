import { at } from "../../../base/known";
import type { LaneFamilyName } from "../../opcodes/families";
import { typeOf } from "../../opcodes/table";
import { type PtxType, isHalfWord, isPacked, isSigned, isWide, types } from "../../ptx/types";
import { type PlainOpcode, type Wasm, i32, op, shuffle, splat32, splat64 } from "../../wasm/code";
import type { LaneEmitter } from "../emitters/lane-emitter";
import type { ProgramInstruction } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import { type Parts, widenMask } from "../emitters/values";
import { evenWords, oddWords } from "../../wasm/shuffles";

/** Emits one instruction of a family for four lanes. */
export type LaneFamily = (lane: LaneEmitter, instruction: ProgramInstruction) => void;

/** Emitters of some of the families that run lane by lane. */
export type LaneFamilies = Readonly<Partial<Record<LaneFamilyName, LaneFamily>>>;

/** Applies an instruction to each part: the 32-bit or the 64-bit one by the number of parts. */
export function each(narrow: PlainOpcode, wide: PlainOpcode, ...operands: readonly Parts[]): Parts {
  const count = at(operands, 0).length;
  return Array.from({ length: count }, (_, part) =>
    op(count === 1 ? narrow : wide, ...operands.map((list) => at(list, part))),
  );
}

function signedSum(lane: LaneEmitter, left: Wasm, right: Wasm, subtract: boolean): Wasm {
  const a = lane.keep(left);
  const b = lane.keep(right);
  const sum = lane.keep(op(subtract ? "i32x4.sub" : "i32x4.add", a, b));
  const sameSign = subtract ? op("v128.xor", a, b) : op("v128.not", op("v128.xor", a, b));
  const overflow = op("i32x4.shr_s", op("v128.and", sameSign, op("v128.xor", a, sum)), i32(31));
  const limit = op("v128.xor", op("i32x4.shr_s", a, i32(31)), splat32(0x7fff_ffff));
  return op("v128.bitselect", limit, sum, overflow);
}

/** add, sub (PTX ISA sections 9.7.1.1 and 9.7.1.2). */
const integerAdd: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a, b] = instruction.operands;
  const subtract = instruction.matched.instruction.opcode === "sub";
  const left = lane.read(instruction, a, isPacked(type) ? types.b32 : type);
  const right = lane.read(instruction, b, isPacked(type) ? types.b32 : type);
  if (isPacked(type)) lane.write(instruction, d, types.b32, [op("i16x8.add", at(left, 0), at(right, 0))]);
  else if (instruction.matched.modifiers["saturate"]) {
    lane.write(instruction, d, type, [signedSum(lane, at(left, 0), at(right, 0), subtract)]);
  } else {
    lane.write(
      instruction,
      d,
      type,
      subtract ? each("i32x4.sub", "i64x2.sub", left, right) : each("i32x4.add", "i64x2.add", left, right),
    );
  }
};

/** The high 32 bits of 32 by 32 products. */
function highProduct(lane: LaneEmitter, a: Wasm, b: Wasm, signed: boolean): Wasm {
  const [low, high]: [PlainOpcode, PlainOpcode] = signed
    ? ["i64x2.extmul_low_i32x4_s", "i64x2.extmul_high_i32x4_s"]
    : ["i64x2.extmul_low_i32x4_u", "i64x2.extmul_high_i32x4_u"];
  const [left, right] = [lane.keep(a), lane.keep(b)];
  return shuffle(op(low, left, right), op(high, left, right), oddWords);
}

/** A product's low, high or widened part, as the instruction says. */
export function product(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  type: PtxType,
  ...[a, b]: [Parts, Parts]
): { parts: Parts; type: PtxType } {
  const { part } = instruction.matched.modifiers;
  const signed = isSigned(type);
  const [x = [], y = []] = [a[0], b[0]];
  if (part === "wide" && !isHalfWord(type)) {
    const [left, right] = [lane.keep(x), lane.keep(y)];
    return {
      type: signed ? types.s64 : types.u64,
      parts: signed
        ? [op("i64x2.extmul_low_i32x4_s", left, right), op("i64x2.extmul_high_i32x4_s", left, right)]
        : [op("i64x2.extmul_low_i32x4_u", left, right), op("i64x2.extmul_high_i32x4_u", left, right)],
    };
  }
  if (part === "wide") return { type: signed ? types.s32 : types.u32, parts: [op("i32x4.mul", x, y)] };
  if (part === "lo") return { type, parts: each("i32x4.mul", "i64x2.mul", a, b) };
  if (isWide(type))
    return {
      type,
      parts: a.map((left, index) =>
        lane.call(signed ? "high_product_s64" : "high_product_u64", left, at(b, index)),
      ),
    };
  if (isHalfWord(type))
    return { type, parts: [op(signed ? "i32x4.shr_s" : "i32x4.shr_u", op("i32x4.mul", x, y), i32(16))] };
  return { type, parts: [highProduct(lane, x, y, signed)] };
}

/** mul, mad with .lo, .hi, .wide (PTX ISA sections 9.7.1.3 and 9.7.1.4). */
const integerMultiply: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a, b, c] = instruction.operands;
  const result = product(
    lane,
    instruction,
    type,
    lane.read(instruction, a, type),
    lane.read(instruction, b, type),
  );
  if (instruction.matched.instruction.opcode === "mul") lane.write(instruction, d, result.type, result.parts);
  else {
    const addend = lane.read(instruction, c, result.type);
    const sum = instruction.matched.modifiers["saturate"]
      ? [signedSum(lane, at(result.parts, 0), at(addend, 0), false)]
      : each("i32x4.add", "i64x2.add", result.parts, addend);
    lane.write(instruction, d, result.type, sum);
  }
};

/** mul24, mad24: 24-bit factors, low or high 32 of the 48 bits (PTX ISA sections 9.7.1.5 and 9.7.1.6). */
const multiply24: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a, b, c] = instruction.operands;
  const signed = type === types.s32;
  const shift: PlainOpcode = signed ? "i32x4.shr_s" : "i32x4.shr_u";
  const [x, y] = [a, b].map((operand) =>
    lane.keep(op(shift, op("i32x4.shl", lane.readOne(instruction, operand, type), i32(8)), i32(8))),
  ) as [Wasm, Wasm];
  const low = op("i32x4.mul", x, y);
  const [lowCode, highCode]: [PlainOpcode, PlainOpcode] = signed
    ? ["i64x2.extmul_low_i32x4_s", "i64x2.extmul_high_i32x4_s"]
    : ["i64x2.extmul_low_i32x4_u", "i64x2.extmul_high_i32x4_u"];
  const high = shuffle(
    op("i64x2.shr_u", op(lowCode, x, y), i32(16)),
    op("i64x2.shr_u", op(highCode, x, y), i32(16)),
    evenWords,
  );
  const result = instruction.matched.modifiers["part"] === "lo" ? low : high;
  if (instruction.matched.instruction.opcode === "mul24") lane.write(instruction, d, type, [result]);
  else {
    const addend = lane.readOne(instruction, c, type);
    const sum = instruction.matched.modifiers["saturate"]
      ? signedSum(lane, result, addend, false)
      : op("i32x4.add", result, addend);
    lane.write(instruction, d, type, [sum]);
  }
};

/** Less-than over any integer type: a mask for each part. */
export function lessThan(type: PtxType, a: Parts, b: Parts): Parts {
  if (!isWide(type))
    return each(isSigned(type) || isHalfWord(type) ? "i32x4.lt_s" : "i32x4.lt_u", "i64x2.lt_s", a, b);
  const flip = (parts: Parts): Parts =>
    isSigned(type) ? parts : parts.map((part) => op("v128.xor", part, splat64(1n << 63n)));
  return each("i32x4.lt_s", "i64x2.lt_s", flip(a), flip(b));
}

/** min, max over integers (PTX ISA sections 9.7.1.11 and 9.7.1.12). */
const integerExtreme: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a, b] = instruction.operands;
  const {
    instruction: { opcode },
    modifiers: { relu },
  } = instruction.matched;
  const isMin = opcode === "min";
  if (isPacked(type)) {
    const [x, y] = [lane.readOne(instruction, a, types.b32), lane.readOne(instruction, b, types.b32)];
    const signed = isSigned(type);
    const code: PlainOpcode = `i16x8.${isMin ? "min" : "max"}_${signed ? "s" : "u"}`;
    const result = op(code, x, y);
    lane.write(instruction, d, types.b32, [relu ? op("i16x8.max_s", result, splat32(0)) : result]);
    return;
  }
  const left = lane.keepAll(lane.read(instruction, a, type));
  const right = lane.keepAll(lane.read(instruction, b, type));
  if (relu) {
    lane.write(instruction, d, type, [
      op("i32x4.max_s", op(isMin ? "i32x4.min_s" : "i32x4.max_s", at(left, 0), at(right, 0)), splat32(0)),
    ]);
    return;
  }
  const less = lessThan(type, left, right);
  const [first, second] = isMin ? [left, right] : [right, left];
  lane.write(
    instruction,
    d,
    type,
    less.map((mask, part) => op("v128.bitselect", at(first, part), at(second, part), mask)),
  );
};

/** abs, neg (PTX ISA sections 9.7.1.9 and 9.7.1.10). */
const integerUnary: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a] = instruction.operands;
  const value = lane.read(instruction, a, type);
  const result =
    instruction.matched.instruction.opcode === "abs"
      ? each("i32x4.abs", "i64x2.abs", value)
      : each("i32x4.neg", "i64x2.neg", value);
  lane.write(instruction, d, type, result);
};

/**
 * div, rem (PTX ISA sections 9.7.1.7 and 9.7.1.8). Division by zero gives all ones, its remainder the
 * dividend.
 */
const integerDivide: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a, b] = instruction.operands;
  const suffix = `${isSigned(type) ? "s" : "u"}${isWide(type) ? "64" : "32"}`;
  const { opcode } = instruction.matched.instruction;
  const divisor = lane.read(instruction, b, type);
  const divisors = isDirected(lane) ? lane.keepAll(divisor) : divisor;
  const results = lane
    .read(instruction, a, type)
    .map((part, index) => lane.call(`${opcode}_${suffix}`, part, at(divisors, index)));
  lane.write(instruction, d, type, isDirected(lane) ? zeroedByZero(results, divisors, type) : results);
};

/** Whether results are those of another rounding, to see what depends on what nobody promises. */
function isDirected({ kernel: { arithmetic } }: LaneEmitter): boolean {
  return arithmetic === "rounded-up" || arithmetic === "rounded-down";
}

/** Results of divisions, with zero for those by zero, which are promised by nobody. */
function zeroedByZero(results: readonly Wasm[], divisors: readonly Wasm[], type: PtxType): Wasm[] {
  const comparison = isWide(type) ? "i64x2.ne" : "i32x4.ne";
  return results.map((result, index) =>
    op("v128.and", result, op(comparison, at(divisors, index), splat32(0))),
  );
}

/** sad: c plus the absolute difference of a and b (PTX ISA section 9.7.1.13). */
const absoluteDifference: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a, b, c] = instruction.operands;
  const left = lane.keepAll(lane.read(instruction, a, type));
  const right = lane.keepAll(lane.read(instruction, b, type));
  const less = lessThan(type, left, right);
  const one = lane.keepAll(each("i32x4.sub", "i64x2.sub", left, right));
  const other = each("i32x4.sub", "i64x2.sub", right, left);
  const difference = less.map((mask, part) => op("v128.bitselect", at(other, part), at(one, part), mask));
  lane.write(
    instruction,
    d,
    type,
    each("i32x4.add", "i64x2.add", difference, lane.read(instruction, c, type)),
  );
};

/** selp (PTX ISA section 9.7.6.3). */
const selectByPredicate: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a, b, p] = instruction.operands;
  const mask = lane.keep(lane.readOne(instruction, p, types.pred));
  const left = lane.read(instruction, a, type);
  const right = lane.read(instruction, b, type);
  const masks = left.length === 1 ? [mask] : widenMask(mask);
  lane.write(
    instruction,
    d,
    type,
    left.map((part, index) => op("v128.bitselect", part, at(right, index), at(masks, index))),
  );
};

/** slct: a where c is not negative, else b (PTX ISA section 9.7.6.4); a NaN selects b, -0 selects a. */
const selectBySign: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a, b, c] = instruction.operands;
  const sign = typeOf(instruction, "sign");
  if (instruction.matched.modifiers["flush"] && sign !== types.f32) return refuse(instruction);
  const value = lane.keep(lane.readOne(instruction, c, sign));
  const plain = op("f32x4.ge", value, splat32(0));
  // A negative subnormal counts as zero when it is flushed.
  const flushed = op(
    "v128.or",
    plain,
    op("i32x4.eq", op("v128.and", value, splat32(0x7f80_0000)), splat32(0)),
  );
  const ofFloat = instruction.matched.modifiers["flush"] ? flushed : plain;
  const mask = lane.keep(sign === types.s32 ? op("i32x4.ge_s", value, splat32(0)) : ofFloat);
  const left = lane.read(instruction, a, type);
  const right = lane.read(instruction, b, type);
  const masks = left.length === 1 ? [mask] : widenMask(mask);
  lane.write(
    instruction,
    d,
    type,
    left.map((part, index) => op("v128.bitselect", part, at(right, index), at(masks, index))),
  );
};

export const integerFamilies = {
  "integer-add": integerAdd,
  "integer-multiply": integerMultiply,
  "multiply-24": multiply24,
  "absolute-difference": absoluteDifference,
  "integer-divide": integerDivide,
  "integer-unary": integerUnary,
  "integer-extreme": integerExtreme,
  select: selectByPredicate,
  "select-sign": selectBySign,
} as const satisfies LaneFamilies;
