import { at } from "../../../base/known";
import { typeOf } from "../../opcodes/table";
import { type PtxType, isFloat, isSigned, isWide, types } from "../../ptx/types";
import { type PlainOpcode, type Wasm, op, shuffle, splat32, splat64, splatFloat } from "../../wasm/code";
import {
  convertPair,
  convertTf32,
  floatToFloat,
  halfOf,
  integral,
  isIntegralRounding,
  isFloatRounding,
  saturatedDouble,
  toSingleOrDouble,
} from "./emit-convert-float";
import { flushed, saturated } from "./emit-float";
import { type LaneFamily, lessThan, type LaneFamilies } from "./emit-integer";
import type { LaneEmitter } from "../emitters/lane-emitter";
import { readLoose } from "../emitters/loose-access";
import type { ProgramInstruction } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import { type Parts, normalize } from "../emitters/values";
import { evenWords, firstLongs, upperLong } from "../../wasm/shuffles";

/** cvt (PTX ISA section 9.7.9.21). */
const convert: LaneFamily = (lane, instruction) => {
  const { flush } = instruction.matched.modifiers;
  const [to, from] = [typeOf(instruction, "to"), typeOf(instruction, "from")];
  const [d, a] = instruction.operands;
  // A double keeps the bits of a NaN.
  let value =
    from === types.f32 && to !== types.f64
      ? readLoose(lane, instruction, a, from)
      : lane.read(instruction, a, from === types.f16 || from === types.bf16 ? types.u16 : from);
  if (flush && from === types.f32) value = value.map((part) => flushed(lane, part));
  if (isFloat(from)) {
    if (isFloat(to)) floatToFloat(lane, instruction, value);
    else
      lane.write(instruction, d, to, floatToInteger(lane, instruction, toSingleOrDouble(lane, from, value)));
  } else if (isFloat(to)) integerToFloat(lane, instruction, value);
  else lane.write(instruction, d, to, integerToInteger(lane, instruction, value));
};

/**
 * Between integers: extension by the source's sign, truncation, and saturation to the destination's range.
 */
function integerToInteger(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): Parts {
  const { saturate } = instruction.matched.modifiers;
  const [to, from] = [typeOf(instruction, "to"), typeOf(instruction, "from")];
  const kept = lane.keepAll(value);
  const limited = saturate ? saturateInteger(lane, from, to, kept) : kept;
  if (isWide(to) === (limited.length === 2))
    return isWide(to) ? limited : [normalize(at(limited, 0), to, types.b32)];
  if (!isWide(to)) return [normalize(shuffle(at(limited, 0), at(limited, 1), evenWords), to, types.b32)];
  const [low = []] = limited;
  return isSigned(from)
    ? [op("i64x2.extend_low_i32x4_s", low), op("i64x2.extend_high_i32x4_s", low)]
    : [op("i64x2.extend_low_i32x4_u", low), op("i64x2.extend_high_i32x4_u", low)];
}

function rangeOf(type: PtxType): { readonly least: bigint; readonly most: bigint } {
  const bits = BigInt(type.bits);
  return isSigned(type)
    ? { least: -(1n << (bits - 1n)), most: (1n << (bits - 1n)) - 1n }
    : { least: 0n, most: (1n << bits) - 1n };
}

/** The type of 32 or 64 bits that holds a type's numbers. */
function widestLike(type: PtxType): PtxType {
  if (isWide(type)) return isSigned(type) ? types.s64 : types.u64;
  return isSigned(type) ? types.s32 : types.u32;
}

function saturateInteger(lane: LaneEmitter, from: PtxType, to: PtxType, value: Parts): Parts {
  const [source, target] = [rangeOf(from), rangeOf(to)];
  const constant = (number: bigint): Parts =>
    value.map(() => (isWide(from) ? splat64(number) : splat32(Number(BigInt.asIntN(32, number)))));
  let result = value;
  // 8- and 16-bit values were widened, so that 32-bit comparisons of the source's sign are right for them
  // too.
  const type = widestLike(from);
  const pick = (masks: Parts, replacement: Parts): Parts =>
    lane.keepAll(
      result.map((part, index) => op("v128.bitselect", at(replacement, index), part, at(masks, index))),
    );
  if (source.least < target.least)
    result = pick(lessThan(type, result, constant(target.least)), constant(target.least));
  if (source.most > target.most)
    result = pick(lessThan(type, constant(target.most), result), constant(target.most));
  return result;
}

/**
 * Float to integer: always clamped to the range. A NaN becomes 0, but when the source is a double or the
 * result has 64 bits it becomes the number whose only set bit is the highest.
 */
function floatToInteger(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): Parts {
  const { rounding } = instruction.matched.modifiers;
  const [to, from] = [typeOf(instruction, "to"), typeOf(instruction, "from")];
  if (!isIntegralRounding(rounding)) return refuse(instruction);
  const isDouble = from === types.f64;
  const nan = isDouble && !isWide(to) ? lane.keep(areNaNs(value)) : undefined;
  const rounded = value.map((part) => integral(rounding, isDouble, part));
  if (isWide(to)) return wideInteger(lane, `${isDouble ? "f64" : "f32"}_to_${to.name}`, rounded);
  const signed = isSigned(to);
  const whole = isDouble ? truncatedDoubles(rounded, signed) : truncatedSingles(rounded, signed);
  const limited =
    to.bytes === 4 ? [whole] : saturateInteger(lane, signed ? types.s32 : types.u32, to, [lane.keep(whole)]);
  if (nan === undefined) return limited;
  return limited.map((part) => op("v128.bitselect", splat32(1 << (to.bits - 1)), part, nan));
}

/** Masks of the lanes that hold a NaN, from doubles. */
function areNaNs([low = [], high = []]: Parts): Wasm {
  return shuffle(op("f64x2.ne", low, low), op("f64x2.ne", high, high), evenWords);
}

/** Integers of 64 bits from integral floats, two lanes at a time, by a function of the library. */
function wideInteger(lane: LaneEmitter, name: string, value: Parts): Parts {
  if (value.length === 2) return value.map((part) => lane.call(name, part));
  const kept = lane.keep(at(value, 0));
  return [lane.call(name, kept), lane.call(name, shuffle(kept, kept, upperLong))];
}

function truncatedSingles([value = []]: Parts, signed: boolean): Wasm {
  return op(signed ? "i32x4.trunc_sat_f32x4_s" : "i32x4.trunc_sat_f32x4_u", value);
}

function truncatedDoubles([low = [], high = []]: Parts, signed: boolean): Wasm {
  const code: PlainOpcode = signed ? "i32x4.trunc_sat_f64x2_s_zero" : "i32x4.trunc_sat_f64x2_u_zero";
  return shuffle(op(code, low), op(code, high), firstLongs);
}

/** Four integers as doubles: exact when they have 32 bits, else rounded as `rounding` says. */
function doublesOf(lane: LaneEmitter, from: PtxType, value: Parts, rounding: string): Parts {
  if (isWide(from))
    return value.map((part) =>
      lane.call(`${from.name}_to_f64${rounding === "rn" ? "" : `_${rounding}`}`, part),
    );
  const kept = lane.keep(at(value, 0));
  const code: PlainOpcode = isSigned(from) ? "f64x2.convert_low_i32x4_s" : "f64x2.convert_low_i32x4_u";
  return [op(code, kept), op(code, shuffle(kept, kept, upperLong))];
}

function integerToFloat(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): void {
  const { rounding, saturate } = instruction.matched.modifiers;
  const [to, from] = [typeOf(instruction, "to"), typeOf(instruction, "from")];
  if (!isFloatRounding(rounding)) return refuse(instruction);
  const [d] = instruction.operands;
  if (to === types.f64) {
    const doubles = doublesOf(lane, from, value, rounding);
    lane.write(instruction, d, to, saturate ? doubles.map(saturatedDouble) : doubles);
    return;
  }
  const exact = singleOf(lane, instruction, value);
  const isRough = to === types.f32 && lane.kernel.arithmetic === "rough-conversions";
  const single = isRough ? op("f32x4.mul", exact, splatFloat(1 + 2 ** -23)) : exact;
  const limited = saturate ? saturated(single) : single;
  if (to === types.f32) lane.write(instruction, d, to, [limited]);
  else lane.write(instruction, d, types.b16, [halfOf(lane, limited, to, rounding)]);
}

/**
 * Integers as singles; on their way to halves rounded to odd, so that the second rounding is the only one.
 */
function singleOf(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): Wasm {
  const { rounding = "rn" } = instruction.matched.modifiers;
  const [to, from] = [typeOf(instruction, "to"), typeOf(instruction, "from")];
  const signed = isSigned(from);
  if (rounding === "rn" && !isWide(from) && (to !== types.bf16 || from.bytes !== 4)) {
    // Integers that singles do not hold exactly are infinite as halves anyway, but not as bfloat16.
    return op(signed ? "f32x4.convert_i32x4_s" : "f32x4.convert_i32x4_u", at(value, 0));
  }
  if (rounding === "rn" && to === types.f32) {
    return shuffle(
      lane.call(`${from.name}_to_f32`, at(value, 0)),
      lane.call(`${from.name}_to_f32`, at(value, 1)),
      firstLongs,
    );
  }
  const narrow = `f64_to_f32_${to === types.f32 ? rounding : "odd"}`;
  const [low = [], upper = []] = doublesOf(lane, from, value, "odd").map((part) => lane.call(narrow, part));
  return shuffle(low, upper, firstLongs);
}

export const convertFamilies = {
  convert: convert,
  "convert-pair": convertPair,
  "convert-tf32": convertTf32,
} as const satisfies LaneFamilies;
