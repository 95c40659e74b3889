import { typeOf } from "../../../opcodes/table";
import { type PtxType, isSigned, types } from "../../../ptx/types";
import type { OperandPart } from "../../../ptx/module";
import { type Wasm, i32, op, shuffle, splat32, splat64 } from "../../../wasm/code";
import { evenWords } from "../../../wasm/shuffles";
import type { LaneEmitter } from "../../emitters/lane-emitter";
import type { ProgramInstruction } from "../../../flatten/program";
import { refuse } from "../../../flatten/refusal";
import type { Parts } from "../../emitters/values";

/** Types of the sources and of the result; a comparison names none for its result, which is 0 or 1. */
export function videoTypes(instruction: ProgramInstruction): {
  readonly result: PtxType;
  readonly first: PtxType;
  readonly second: PtxType;
} {
  return {
    result: instruction.matched.types.d ?? types.u32,
    first: typeOf(instruction, "a"),
    second: typeOf(instruction, "b"),
  };
}

/** What an instruction says of one of its operands besides the register. */
export function partOf(instruction: ProgramInstruction, index: number): OperandPart {
  return instruction.matched.instruction.parts?.[index] ?? { negated: false };
}

/** The operand's 32 bits. Signs before an operand are for those that the caller names. */
export function readWord(lane: LaneEmitter, instruction: ProgramInstruction, index: number): Wasm {
  return lane.keep(lane.readOne(instruction, instruction.operands[index], types.b32));
}

/** A byte or a half of a register: its lowest bit and how many there are. */
interface Piece {
  readonly shift: number;
  readonly bits: 8 | 16 | 32;
}

const pieces: Readonly<Record<string, Piece>> = {
  b0: { shift: 0, bits: 8 },
  b1: { shift: 8, bits: 8 },
  b2: { shift: 16, bits: 8 },
  b3: { shift: 24, bits: 8 },
  h0: { shift: 0, bits: 16 },
  h1: { shift: 16, bits: 16 },
};

/** The piece of a register that a scalar instruction names; all of it where it names none. */
export function pieceOf(instruction: ProgramInstruction, index: number): Piece {
  const { part } = partOf(instruction, index);
  if (part === undefined) return { shift: 0, bits: 32 };
  return pieces[part] ?? refuse(instruction, `the part .${part} of a register`);
}

/** A piece of 32-bit lanes, extended by the type's sign. */
export function extendPiece(value: Wasm, type: PtxType, { shift, bits }: Piece): Wasm {
  if (bits === 32) return value;
  return op(
    isSigned(type) ? "i32x4.shr_s" : "i32x4.shr_u",
    op("i32x4.shl", value, i32(32 - bits - shift)),
    i32(32 - bits),
  );
}

/** Puts a piece into the place that it has in another value. */
export function mergePiece(value: Wasm, { shift, bits }: Piece, other: Wasm): Wasm {
  return bits === 32
    ? value
    : op("v128.bitselect", op("i32x4.shl", value, i32(shift)), other, splat32((2 ** bits - 1) << shift));
}

/**
 * Two halves of four 32-bit lanes as 64-bit ones, by the type's sign: sums and differences do not overflow
 * there.
 */
export function widened(lane: LaneEmitter, value: Wasm, type: PtxType): Parts {
  const kept = lane.keep(value);
  const sign = isSigned(type) ? "s" : "u";
  return lane.keepAll([
    op(`i64x2.extend_low_i32x4_${sign}`, kept),
    op(`i64x2.extend_high_i32x4_${sign}`, kept),
  ]);
}

/** Clamps 64-bit lanes to the numbers of a type's sign that have so many bits. */
export function clampWide(lane: LaneEmitter, value: Parts, type: PtxType, bits: number): Parts {
  const [least, most] = isSigned(type)
    ? [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n]
    : [0n, (1n << BigInt(bits)) - 1n];
  return value.map((part) => {
    const kept = lane.keep(part);
    const high = lane.keep(op("v128.bitselect", splat64(most), kept, op("i64x2.gt_s", kept, splat64(most))));
    return lane.keep(op("v128.bitselect", splat64(least), high, op("i64x2.lt_s", high, splat64(least))));
  });
}

/** The low words of 64-bit lanes. */
export function lowWords([low = [], high = []]: Parts): Wasm {
  return shuffle(low, high, evenWords);
}
