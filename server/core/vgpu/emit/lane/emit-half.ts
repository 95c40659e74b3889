import { at } from "../../../base/known";
import { typeOf } from "../../opcodes/table";
import { type PtxType, isPacked, types } from "../../ptx/types";
import { type PlainOpcode, type Wasm, i32, op, splat32 } from "../../wasm/code";
import { compareFloats } from "./emit-compare";
import { flushedHalf, saturated } from "./emit-float";
import { relued } from "./emit-convert-float";
import { type LaneFamily, type LaneFamilies } from "./emit-integer";
import type { LaneEmitter } from "../emitters/lane-emitter";
import type { ProgramInstruction } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";

type Combine = (lane: LaneEmitter, values: readonly Wasm[]) => Wasm;

/**
 * Runs `combine` on 16-bit values in 32-bit lanes: once, or for both halves of a packed register (PTX ISA
 * section 9.7.4). `combine` returns lanes whose upper 16 bits are zero.
 */
function eachHalf(lane: LaneEmitter, instruction: ProgramInstruction, combine: Combine): void {
  const type = typeOf(instruction);
  const packed = isPacked(type);
  const [d, ...sources] = instruction.operands;
  const values = sources.map((operand) =>
    lane.keep(lane.readOne(instruction, operand, packed ? types.f16x2 : types.f16)),
  );
  if (!packed) {
    lane.write(instruction, d, types.b16, [combine(lane, values)]);
    return;
  }
  const lower = lane.keep(
    combine(
      lane,
      values.map((value) => lane.keep(op("v128.and", value, splat32(0xffff)))),
    ),
  );
  const upper = combine(
    lane,
    values.map((value) => lane.keep(op("i32x4.shr_u", value, i32(16)))),
  );
  lane.write(instruction, d, types.b32, [op("v128.or", lower, op("i32x4.shl", upper, i32(16)))]);
}

function formatOf(instruction: ProgramInstruction): "f16" | "bf16" {
  return typeOf(instruction).kind === "bfloat" ? "bf16" : "f16";
}

/** Singles of the operands, flushed when asked for. */
function singles(lane: LaneEmitter, instruction: ProgramInstruction, values: readonly Wasm[]): Wasm[] {
  const format = formatOf(instruction);
  const flush = instruction.matched.modifiers["flush"] !== undefined;
  return values.map((value) =>
    lane.keep(lane.call(`${format}_to_f32`, flush ? flushedHalf(lane, value, format) : value)),
  );
}

/** Rounds singles to the format, with saturation, relu and flushing as the instruction says. */
function finish(lane: LaneEmitter, instruction: ProgramInstruction, single: Wasm): Wasm {
  const { saturate, relu, flush } = instruction.matched.modifiers;
  let limited = single;
  if (saturate) limited = saturated(single);
  else if (relu) limited = relued(lane, single);
  const rounded = lane.call(`f32_to_${formatOf(instruction)}_rn`, limited);
  return flush ? flushedHalf(lane, rounded, formatOf(instruction)) : rounded;
}

const binaryCodes: Readonly<Record<string, PlainOpcode>> = {
  add: "f32x4.add",
  sub: "f32x4.sub",
  mul: "f32x4.mul",
};

/** add, sub, mul: singles have more than twice the precision, so that rounding twice is rounding once. */
const halfBinary: LaneFamily = (lane, instruction) => {
  const { opcode } = instruction.matched.instruction;
  eachHalf(lane, instruction, (emitter, values) => {
    const [a = [], b = []] = singles(emitter, instruction, values);
    // Products of bfloat16 can be subnormal singles, where that does not hold: they go the way of fma, with
    // an addend of -0.
    if (opcode === "mul" && formatOf(instruction) === "bf16")
      return finish(emitter, instruction, emitter.call("fma_bf16_odd", a, b, splat32(0x8000_0000 | 0)));
    return finish(emitter, instruction, op(binaryCodes[opcode] ?? refuse(instruction), a, b));
  });
};

const halfFma: LaneFamily = (lane, instruction) => {
  eachHalf(lane, instruction, (emitter, values) => {
    const [a = [], b = [], c = []] = singles(emitter, instruction, values);
    return finish(emitter, instruction, emitter.call(`fma_${formatOf(instruction)}_odd`, a, b, c));
  });
};

/** abs, neg on the sign bit alone. */
const halfSign: LaneFamily = (lane, instruction) => {
  const { opcode } = instruction.matched.instruction;
  const flush = instruction.matched.modifiers["flush"] !== undefined;
  eachHalf(lane, instruction, (emitter, [value = []]) => {
    const source = flush ? flushedHalf(emitter, value, formatOf(instruction)) : value;
    return opcode === "abs"
      ? op("v128.and", source, splat32(0x7fff))
      : op("v128.xor", source, splat32(0x8000));
  });
};

/** min, max: as for singles; conversion is exact, so that they are compared there. */
const halfExtreme: LaneFamily = (lane, instruction) => {
  const {
    modifiers,
    instruction: { opcode },
  } = instruction.matched;
  eachHalf(lane, instruction, (emitter, values) => {
    const all = singles(emitter, instruction, values);
    const [first = [], second = []] = all;
    const [a = [], b = []] = modifiers["absolute"]
      ? all.map((value) => emitter.keep(op("f32x4.abs", value)))
      : all;
    const plain = emitter.keep(op(opcode === "min" ? "f32x4.min" : "f32x4.max", a, b));
    const withoutA = op("v128.bitselect", b, plain, op("f32x4.ne", a, a));
    const either = modifiers["nan"] ? plain : op("v128.bitselect", a, withoutA, op("f32x4.ne", b, b));
    const sign = op("v128.and", op("v128.xor", first, second), splat32(0x8000_0000 | 0));
    const signed = modifiers["xorsign"] ? op("v128.or", op("f32x4.abs", either), sign) : either;
    return emitter.call(`f32_to_${formatOf(instruction)}_rn`, signed);
  });
};

/**
 * tanh and ex2 of halves (PTX ISA sections 9.7.4.9 and 9.7.4.10): singles, then rounded. The manual allows
 * tanh 2^-10.987 (f16) or 2^-8 (bf16), ex2 2^-9.9 (f16) or 2^-7 (bf16) of the result.
 */
const halfApproximate: LaneFamily = (lane, instruction) => {
  const { opcode } = instruction.matched.instruction;
  eachHalf(lane, instruction, (emitter, values) => {
    const [value = []] = singles(emitter, instruction, values);
    return finish(emitter, instruction, emitter.call(`${opcode}_f32`, value));
  });
};

/**
 * Masks of a comparison of halves, one for each half of packed operands, combined with a predicate where the
 * instruction says so.
 */
function compareHalves(lane: LaneEmitter, instruction: ProgramInstruction): Wasm[] {
  const { comparison = "eq", combine } = instruction.matched.modifiers;
  const packed = isPacked(typeOf(instruction));
  const [, a, b, c] = instruction.operands;
  const [left, right] = [a, b].map((operand) =>
    lane.keep(lane.readOne(instruction, operand, packed ? types.f16x2 : types.f16)),
  ) as [Wasm, Wasm];
  const other = combine ? lane.keep(lane.readOne(instruction, c, types.pred)) : undefined;
  return (packed ? [0, 16] : [0]).map((bit) => {
    const values = [left, right].map((value) =>
      !packed
        ? value
        : lane.keep(bit === 0 ? op("v128.and", value, splat32(0xffff)) : op("i32x4.shr_u", value, i32(16))),
    );
    const [x = [], y = []] = singles(lane, instruction, values);
    const mask = compareFloats(lane, comparison, [x], [y]) ?? refuse(instruction);
    return lane.keep(other ? op(`v128.${combine as "and" | "or" | "xor"}`, mask, other) : mask);
  });
}

/** What `set` gives where the comparison holds: 1.0 of a format, or all ones. */
function oneOf({ kind }: PtxType): number {
  if (kind === "bfloat") return 0x3f80;
  return kind === "float" ? 0x3c00 : 0xffff;
}

/**
 * set with half operands: 1.0 or all ones where it holds, for each half of packed operands (PTX ISA section
 * 9.7.7.1).
 */
const halfCompare: LaneFamily = (lane, instruction) => {
  const result = typeOf(instruction, "result");
  const [d] = instruction.operands;
  const masks = compareHalves(lane, instruction);
  const one = oneOf(result);
  const [lower = [], upper] = masks.map((mask) => op("v128.and", mask, splat32(one)));
  if (upper !== undefined)
    lane.write(instruction, d, types.b32, [op("v128.or", lower, op("i32x4.shl", upper, i32(16)))]);
  else if (result.bits === 32) lane.write(instruction, d, types.b32, [at(masks, 0)]);
  else lane.write(instruction, d, types.b16, [lower]);
};

/** setp of packed halves: a predicate for the lower and one for the upper half (PTX ISA section 9.7.7.2). */
const halfPredicates: LaneFamily = (lane, instruction) => {
  const [d] = instruction.operands;
  const [first, second] = d?.kind === "pair" ? [d.first, d.second] : [d, undefined];
  const [lower = [], upper = []] = compareHalves(lane, instruction);
  lane.write(instruction, first, types.pred, [lower]);
  if (second) lane.write(instruction, second, types.pred, [upper]);
};

export const halfFamilies = {
  "half-binary": halfBinary,
  "half-fma": halfFma,
  "half-sign": halfSign,
  "half-extreme": halfExtreme,
  "half-approximate": halfApproximate,
  "half-compare": halfCompare,
  "half-predicates": halfPredicates,
} as const satisfies LaneFamilies;
