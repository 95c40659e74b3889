import { at } from "../../../base/known";
import { typeOf } from "../../opcodes/table";
import { type PtxType, isHalfWord, types } from "../../ptx/types";
import { type Wasm, i32, op, shuffle, splat32, splatDouble } from "../../wasm/code";
import { flushed, saturated } from "./emit-float";
import type { LaneFamily } from "./emit-integer";
import type { LaneEmitter } from "../emitters/lane-emitter";
import { writeLoose } from "../emitters/loose-access";
import type { ProgramInstruction } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import type { Parts } from "../emitters/values";
import { firstLongs, upperLong } from "../../wasm/shuffles";

/** Halves as singles; other floats as they are. */
export function toSingleOrDouble(lane: LaneEmitter, from: PtxType, value: Parts): Parts {
  return from === types.f16 || from === types.bf16 ? [lane.call(`${from.name}_to_f32`, at(value, 0))] : value;
}

const integralRoundings = { rni: "nearest", rzi: "trunc", rmi: "floor", rpi: "ceil" } as const;

/** Roundings to integral numbers (PTX ISA section 9.7.9.21). */
export function isIntegralRounding(rounding: string | undefined): rounding is keyof typeof integralRoundings {
  return rounding !== undefined && Object.hasOwn(integralRoundings, rounding);
}

/** Rounds a float to an integral float. */
export function integral(mode: keyof typeof integralRoundings, wide: boolean, value: Wasm): Wasm {
  return op(`${wide ? "f64x2" : "f32x4"}.${integralRoundings[mode]}`, value);
}

/**
 * Singles rounded to halves or bfloat16. Up and down start from what is cut off, which is never farther from
 * zero.
 */
export function halfOf(lane: LaneEmitter, single: Wasm, to: PtxType, rounding: string): Wasm {
  if (rounding === "rn" || rounding === "rz") return lane.call(`f32_to_${to.name}_${rounding}`, single);
  const kept = lane.keep(single);
  const cut = lane.keep(lane.call(`f32_to_${to.name}_rz`, kept));
  return op(
    "i32x4.sub",
    cut,
    op(rounding === "rp" ? "f32x4.gt" : "f32x4.lt", kept, lane.call(`${to.name}_to_f32`, cut)),
  );
}

/** Clamps doubles to [0, 1]; a NaN becomes +0. */
export function saturatedDouble(value: Wasm): Wasm {
  return op("f64x2.pmin", splatDouble(1), op("f64x2.pmax", splatDouble(0), value));
}

/** cvt between formats of floats, and to integral floats (PTX ISA section 9.7.9.21). */
export function floatToFloat(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): void {
  const { rounding, relu, finite } = instruction.matched.modifiers;
  const [to, from] = [typeOf(instruction, "to"), typeOf(instruction, "from")];
  if ((relu || finite) && !isHalfWord(to)) return refuse(instruction);
  if (from === to || isIntegralRounding(rounding)) return roundToIntegral(lane, instruction, value);
  if (isHalfWord(to)) return narrowToHalf(lane, instruction, value);
  if (isHalfWord(from)) return widenHalf(lane, instruction, value);
  return to === types.f64
    ? singleToDouble(lane, instruction, value)
    : doubleToSingle(lane, instruction, value);
}

/** The same format: rounded to an integral number where the instruction says so. */
function roundToIntegral(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): void {
  const { rounding, saturate, relu } = instruction.matched.modifiers;
  const [to, from] = [typeOf(instruction, "to"), typeOf(instruction, "from")];
  const [d] = instruction.operands;
  if (from !== to || relu) return refuse(instruction);
  const limit = to === types.f64 ? saturatedDouble : saturated;
  const rounded = toSingleOrDouble(lane, from, value).map((part) =>
    isIntegralRounding(rounding) ? integral(rounding, to === types.f64, part) : part,
  );
  const limited = saturate ? rounded.map(limit) : rounded;
  if (to === types.f32) return writeLoose(lane, instruction, d, limited);
  if (!isHalfWord(to)) return lane.write(instruction, d, to, limited);
  return lane.write(
    instruction,
    d,
    types.b16,
    limited.map((part) => lane.call(`f32_to_${to.name}_rn`, part)),
  );
}

/** To f16 or bf16: doubles are first rounded to odd, so that the second rounding is the only one. */
function narrowToHalf(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): void {
  const { rounding, saturate, relu, finite } = instruction.matched.modifiers;
  const [to, from] = [typeOf(instruction, "to"), typeOf(instruction, "from")];
  const mode = rounding ?? (isHalfWord(from) ? "rn" : refuse(instruction));
  const [low = [], high = []] = toSingleOrDouble(lane, from, value);
  let single =
    from === types.f64
      ? shuffle(lane.call("f64_to_f32_odd", low), lane.call("f64_to_f32_odd", high), firstLongs)
      : low;
  if (saturate) single = saturated(single);
  if (relu) single = relued(lane, single);
  const half = halfOf(lane, single, to, mode);
  lane.write(instruction, instruction.operands[0], types.b16, [finite ? finiteHalf(lane, half, to) : half]);
}

/** From f16 or bf16 to a wider format, which is exact. */
function widenHalf(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): void {
  const { flush, saturate } = instruction.matched.modifiers;
  const [to, from] = [typeOf(instruction, "to"), typeOf(instruction, "from")];
  const [d] = instruction.operands;
  let [single = []] = toSingleOrDouble(lane, from, value);
  if (flush && to === types.f32) single = flushed(lane, single);
  const limited = saturate ? saturated(single) : single;
  if (to === types.f32) return writeLoose(lane, instruction, d, [limited]);
  return lane.write(instruction, d, to, promoted(lane, limited));
}

function singleToDouble(lane: LaneEmitter, instruction: ProgramInstruction, [single = []]: Parts): void {
  const limited = instruction.matched.modifiers["saturate"] ? saturated(single) : single;
  lane.write(instruction, instruction.operands[0], types.f64, promoted(lane, limited));
}

/** Four singles as doubles, which is exact. */
function promoted(lane: LaneEmitter, single: Wasm): Parts {
  const kept = lane.keep(single);
  return [op("f64x2.promote_low_f32x4", kept), op("f64x2.promote_low_f32x4", shuffle(kept, kept, upperLong))];
}

function doubleToSingle(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  [low = [], high = []]: Parts,
): void {
  const { rounding, flush, saturate } = instruction.matched.modifiers;
  if (!isFloatRounding(rounding)) return refuse(instruction);
  const demote = (part: Wasm): Wasm =>
    rounding === "rn" ? op("f32x4.demote_f64x2_zero", part) : lane.call(`f64_to_f32_${rounding}`, part);
  let single = shuffle(demote(low), demote(high), firstLongs);
  if (flush) single = flushed(lane, single);
  writeLoose(lane, instruction, instruction.operands[0], [saturate ? saturated(single) : single]);
}

/** Rounding of a result to a format of floats; .rni and the like round to integral numbers. */
export function isFloatRounding(rounding: string | undefined): rounding is "rn" | "rz" | "rm" | "rp" {
  return rounding === "rn" || rounding === "rz" || rounding === "rm" || rounding === "rp";
}

/** Infinite halves become the greatest finite number, which comes just before; a comparison's mask is -1. */
function finiteHalf(lane: LaneEmitter, half: Wasm, to: PtxType): Wasm {
  const kept = lane.keep(half);
  return lane.keep(
    op(
      "i32x4.add",
      kept,
      op("i32x4.eq", op("v128.and", kept, splat32(0x7fff)), splat32(to === types.f16 ? 0x7c00 : 0x7f80)),
    ),
  );
}

/** Negative lanes become +0, -0 among them; a NaN stays one (PTX ISA section 9.7.9.22, `.relu`). */
export function relued(lane: LaneEmitter, value: Wasm): Wasm {
  const kept = lane.keep(value);
  return op(
    "v128.andnot",
    kept,
    op("v128.and", op("i32x4.lt_s", kept, splat32(0)), op("f32x4.eq", kept, kept)),
  );
}

/** cvt of two singles into one packed register; the first source goes to the upper half. */
export const convertPair: LaneFamily = (lane, instruction) => {
  const { rounding, saturate, relu } = instruction.matched.modifiers;
  const half = typeOf(instruction, "to") === types.bf16x2 ? types.bf16 : types.f16;
  const [d, a, b] = instruction.operands;
  const rounded = (operand: typeof a): Wasm => {
    const single = lane.readOne(instruction, operand, types.f32);
    const result = lane.keep(
      lane.call(`f32_to_${half.name}_${rounding ?? "rn"}`, relu ? relued(lane, single) : single),
    );
    return saturate ? finiteHalf(lane, result, half) : result;
  };
  const [upper, lower] = [rounded(a), rounded(b)];
  lane.write(instruction, d, types.b32, [op("v128.or", lower, op("i32x4.shl", upper, i32(16)))]);
};

/** cvt to tf32: 10 bits of fraction kept, ties away from zero for .rna (PTX ISA section 9.7.9.21). */
export const convertTf32: LaneFamily = (lane, instruction) => {
  const { rounding, relu, saturate } = instruction.matched.modifiers;
  const [d, a] = instruction.operands;
  const value = lane.keep(lane.readOne(instruction, a, types.f32));
  const source = relu ? lane.keep(relued(lane, value)) : value;
  const even = op(
    "i32x4.add",
    splat32(0xfff),
    op("v128.and", op("i32x4.shr_u", source, i32(13)), splat32(1)),
  );
  const addends: Readonly<Record<string, Wasm>> = { rna: splat32(0x1000), rn: even, rz: splat32(0) };
  const addend = addends[rounding ?? ""] ?? refuse(instruction);
  const finite = op("i32x4.lt_u", op("v128.and", source, splat32(0x7fff_ffff)), splat32(0x7f80_0000));
  const rounded = op("v128.and", op("i32x4.add", source, op("v128.and", addend, finite)), splat32(~0x1fff));
  const kept = lane.keep(rounded);
  const infinite = op("i32x4.eq", op("v128.and", kept, splat32(0x7fff_ffff)), splat32(0x7f80_0000));
  const limited = saturate ? op("i32x4.sub", kept, op("v128.and", infinite, splat32(0x2000))) : kept;
  lane.write(instruction, d, types.b32, [
    op("v128.bitselect", splat32(0x7fff_ffff), limited, op("f32x4.ne", source, source)),
  ]);
};
