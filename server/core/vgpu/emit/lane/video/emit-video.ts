import { at } from "../../../../base/known";
import { type PtxType, isSigned, types } from "../../../ptx/types";
import { type Wasm, i32, op, splat32, splat64 } from "../../../wasm/code";
import type { LaneFamily, LaneFamilies } from "../emit-integer";
import { compareIntegers } from "../emit-logic";
import type { LaneEmitter } from "../../emitters/lane-emitter";
import type { ProgramInstruction } from "../../../flatten/program";
import { refuse } from "../../../flatten/refusal";
import type { Parts } from "../../emitters/values";
import {
  clampWide,
  extendPiece,
  lowWords,
  mergePiece,
  partOf,
  pieceOf,
  readWord,
  videoTypes,
  widened,
} from "./video-parts";

/** Shifts by the clamped or wrapped amount in each of two 64-bit lanes. */
function shifted(lane: LaneEmitter, name: string, value: Parts, amount: Parts): Parts {
  return value.map((part, index) => lane.call(name, part, at(amount, index)));
}

/** A source of a scalar instruction, of which it may name a byte or a half, as 32 bits. */
function source(lane: LaneEmitter, instruction: ProgramInstruction, index: number, type: PtxType): Wasm {
  return lane.keep(extendPiece(readWord(lane, instruction, index), type, pieceOf(instruction, index)));
}

/** What a scalar instruction works on: two numbers, and how many bits its result is saturated to. */
interface Scalar {
  readonly left: Wasm;
  readonly right: Wasm;
  readonly bits: number;
}

/** The operation on whole numbers, before saturation. */
function scalarResult(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  { left, right, bits }: Scalar,
): Parts {
  const { mode, saturate } = instruction.matched.modifiers;
  const { result: type, first, second } = videoTypes(instruction);
  const { opcode } = instruction.matched.instruction;
  const x = widened(lane, left, first);
  if (opcode === "vshl" || opcode === "vshr") {
    const amount =
      mode === "wrap" ? op("v128.and", right, splat32(31)) : op("i32x4.min_u", right, splat32(32));
    if (opcode === "vshr") return shifted(lane, "shift_right_signed_64", x, widened(lane, amount, types.u32));
    if (!saturate) return shifted(lane, "shift_left_64", x, widened(lane, amount, types.u32));
    // A shift by 32 could leave 64 bits: what is saturated before its last step is so after it.
    const [kept, most] = [lane.keep(amount), lane.keep(op("i32x4.min_u", amount, splat32(31)))];
    const almost = clampWide(
      lane,
      shifted(lane, "shift_left_64", x, widened(lane, most, types.u32)),
      type,
      bits,
    );
    return shifted(lane, "shift_left_64", almost, widened(lane, op("i32x4.sub", kept, most), types.u32));
  }
  const y = widened(lane, right, second);
  return x.map((part, index) => {
    const other = at(y, index);
    switch (opcode) {
      case "vadd":
        return op("i64x2.add", part, other);
      case "vsub":
        return op("i64x2.sub", part, other);
      case "vabsdiff":
        return op("i64x2.abs", op("i64x2.sub", part, other));
      case "vmin":
        return op("v128.bitselect", part, other, op("i64x2.lt_s", part, other));
      default:
        return op("v128.bitselect", part, other, op("i64x2.gt_s", part, other));
    }
  });
}

/** The second operation of a scalar instruction: adds c, or takes the smaller or larger one. */
function combined(instruction: ProgramInstruction, result: Wasm, other: Wasm, signed: boolean): Wasm {
  const sign = signed ? "s" : "u";
  switch (instruction.matched.modifiers["combine"]) {
    case "min":
      return op(`i32x4.min_${sign}`, result, other);
    case "max":
      return op(`i32x4.max_${sign}`, result, other);
    default:
      return op("i32x4.add", result, other);
  }
}

/**
 * Refuses what the assembler does not take: signs, a part of c, a part of the result beside a second
 * operation, a c that nothing is done with.
 */
function requireScalarOperands(instruction: ProgramInstruction): void {
  const { combine } = instruction.matched.modifiers;
  const part = partOf(instruction, 0).part !== undefined;
  if (combine !== undefined && part)
    return refuse(instruction, "a part of the result beside a second operation");
  if (instruction.operands.length !== (combine !== undefined || part ? 4 : 3))
    return refuse(instruction, "an operand too few or too many");
  if (partOf(instruction, 3).part !== undefined) return refuse(instruction, "a part of the last operand");
  if (instruction.matched.instruction.parts?.some(({ negated }) => negated))
    return refuse(instruction, "a sign before an operand");
}

/**
 * vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr and vset (PTX ISA, "Scalar Video Instructions"): the result is
 * combined with c, or replaces a byte or a half of it. GPUs since sm_50 lack these instructions, and what an
 * assembler puts in their place may differ from the manual where results are saturated, compared with c or
 * put into its upper half; here the manual's pseudocode counts.
 */
const scalar: LaneFamily = (lane, instruction) => {
  const { saturate, combine, comparison } = instruction.matched.modifiers;
  const { result: type, first, second } = videoTypes(instruction);
  requireScalarOperands(instruction);
  const target = pieceOf(instruction, 0);
  const [left, right] = [source(lane, instruction, 1, first), source(lane, instruction, 2, second)];
  let result: Wasm;
  if (comparison !== undefined) {
    const mask =
      compareWide(lane, comparison, widened(lane, left, first), widened(lane, right, second)) ??
      refuse(instruction);
    result = op("v128.and", mask, splat32(1));
  } else {
    const wide = scalarResult(lane, instruction, { left, right, bits: target.bits });
    result = lowWords(saturate ? clampWide(lane, wide, type, target.bits) : wide);
  }
  const signed = comparison === undefined ? isSigned(type) : isSigned(first);
  const last = (): Wasm => readWord(lane, instruction, 3);
  const whole = (): Wasm => {
    if (combine) return combined(instruction, result, last(), signed);
    return target.bits === 32 ? result : mergePiece(result, target, last());
  };
  lane.write(instruction, instruction.operands[0], types.b32, [whole()]);
};

function compareWide(lane: LaneEmitter, comparison: string, x: Parts, y: Parts): Wasm | undefined {
  return compareIntegers(comparison, types.s64, lane.keepAll(x), lane.keepAll(y));
}

/**
 * Which of a product and the addend is negated, and whether the sum has a sign; undefined for what the
 * assembler does not take.
 */
function signsOf(
  instruction: ProgramInstruction,
): { readonly product: boolean; readonly addend: boolean; readonly signed: boolean } | undefined {
  const { plusOne } = instruction.matched.modifiers;
  const { first, second } = videoTypes(instruction);
  const [, a = false, b = false, addend = false] = [0, 1, 2, 3].map(
    (index) => partOf(instruction, index).negated,
  );
  const product = a !== b;
  if (product && addend) return undefined;
  if (plusOne !== undefined && (a || b || addend)) return undefined;
  return { product, addend, signed: isSigned(first) || isSigned(second) || product || addend };
}

/**
 * From here on it does not matter how large a product is whose sum is saturated: shifted right by 15 at most,
 * the sum is still out of range.
 */
const largeProduct = 1n << 62n;

/**
 * The product of two numbers of 32 bits in 64, negated as its complement. An unsigned one that is saturated
 * later may stop at a large number.
 */
function product(lane: LaneEmitter, instruction: ProgramInstruction, negated: boolean): Parts {
  const { saturate } = instruction.matched.modifiers;
  const { first, second } = videoTypes(instruction);
  const x = widened(lane, source(lane, instruction, 1, first), first);
  const y = widened(lane, source(lane, instruction, 2, second), second);
  const mayStop = saturate !== undefined && !isSigned(first) && !isSigned(second);
  return x.map((part, index) => {
    const whole = lane.keep(op("i64x2.mul", part, at(y, index)));
    const isSmall = op("i64x2.eq", op("i64x2.shr_u", whole, i32(62)), splat64(0n));
    const value = mayStop ? op("v128.bitselect", whole, splat64(largeProduct), isSmall) : whole;
    return negated ? op("v128.not", value) : value;
  });
}

/**
 * vmad: a·b + c with a sign, one more (.po), a shift and saturation (PTX ISA, "Scalar Video Instructions:
 * vmad"). What an assembler puts in its place may take unsigned words from 2³¹ on for negative ones where the
 * sum is shifted or saturated; here the manual's pseudocode counts.
 */
const multiplyAdd: LaneFamily = (lane, instruction) => {
  const { plusOne, saturate, scale } = instruction.matched.modifiers;
  const signs = signsOf(instruction) ?? refuse(instruction, "signs that exclude each other");
  if (instruction.operands.length !== 4) return refuse(instruction, "an operand too few or too many");
  if (partOf(instruction, 0).part !== undefined || partOf(instruction, 3).part !== undefined)
    return refuse(instruction, "a part of the result or of the last operand");
  if (partOf(instruction, 0).negated) return refuse(instruction, "a sign before the result");
  const type = signs.signed ? types.s32 : types.u32;
  const c = readWord(lane, instruction, 3);
  const addend = widened(lane, signs.addend ? op("v128.not", c) : c, type);
  const one = splat64(signs.product || signs.addend || plusOne !== undefined ? 1n : 0n);
  const sum = product(lane, instruction, signs.product).map((part, index) => {
    const whole = op("i64x2.add", op("i64x2.add", part, at(addend, index)), one);
    return scale === undefined ? whole : op("i64x2.shr_s", whole, i32(scale === "shr7" ? 7 : 15));
  });
  lane.write(instruction, instruction.operands[0], types.b32, [
    lowWords(saturate ? clampWide(lane, sum, type, 32) : lane.keepAll(sum)),
  ]);
};

export const videoFamilies = {
  video: scalar,
  "video-multiply": multiplyAdd,
} as const satisfies LaneFamilies;
