import { at } from "../../../base/known";
import { type PtxType, isFloat, isSigned, isWide, types } from "../../ptx/types";
import { singleBits } from "../../ptx/variables";
import { type Wasm, i32, op, shuffle, splat32, splat64 } from "../../wasm/code";
import { evenWords } from "../../wasm/shuffles";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";

/**
 * Four lanes of one value: one vector of 32-bit lanes (also for smaller types and predicates), or two vectors
 * of 64-bit lanes.
 */
export type Parts = readonly Wasm[];

/** The lower 32 bits of each lane, as one vector. */
export function narrowed(parts: Parts): Wasm {
  const low = at(parts, 0);
  return parts.length === 1 ? low : shuffle(low, at(parts, 1), evenWords);
}

/** A mask over four 32-bit lanes as masks over two times two 64-bit lanes. */
export function widenMask(mask: Wasm): Parts {
  return [op("i64x2.extend_low_i32x4_s", mask), op("i64x2.extend_high_i32x4_s", mask)];
}

/**
 * Sign- or zero-extends 8- and 16-bit lanes; `from` is the type of the register, whose upper bits are zero
 * when it is small.
 */
export function normalize(value: Wasm, type: PtxType, from: PtxType): Wasm {
  const { bytes } = type;
  if (bytes >= 4) return value;
  const shift = i32(32 - 8 * bytes);
  if (isSigned(type)) return op("i32x4.shr_s", op("i32x4.shl", value, shift), shift);
  if (from.bytes <= bytes) return value;
  return op("v128.and", value, splat32(bytes === 1 ? 0xff : 0xffff));
}

/**
 * ptxas takes no integers where floating-point values belong (PTX ISA section 4.5.2 has literals of their own
 * for them).
 */
export function refuseInteger(instruction: ProgramInstruction, value: bigint, type: PtxType): void {
  if (isFloat(type)) refuse(instruction, `the integer ${value} where a floating-point literal belongs`);
}

/** An integer in all lanes. */
export function integerParts(value: bigint, type: PtxType): Parts {
  if (type === types.pred) return [splat32(value === 0n ? 0 : -1)];
  if (isWide(type)) return [splat64(value), splat64(value)];
  return [normalize(splat32(Number(BigInt.asIntN(32, value))), type, types.b32)];
}

/** A floating-point literal in all lanes. */
export function floatParts(
  instruction: ProgramInstruction,
  operand: Extract<ProgramOperand, { kind: "float" }>,
  type: PtxType,
): Parts {
  if (type === types.f64 || isWide(type)) {
    if (operand.size !== 64) return refuse(instruction, "a single-precision literal for a double");
    return [splat64(operand.bits), splat64(operand.bits)];
  }
  if (type.bytes !== 4) return refuse(instruction, `a literal of type ${type.name}`);
  const bits = operand.size === 32 ? operand.bits : singleBits(operand.bits);
  return [splat32(Number(BigInt.asIntN(32, bits)))];
}
