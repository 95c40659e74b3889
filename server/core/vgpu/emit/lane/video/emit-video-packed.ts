import { at } from "../../../../base/known";
import { type PtxType, isSigned, types } from "../../../ptx/types";
import { type Wasm, i32, op, splat32 } from "../../../wasm/code";
import type { LaneFamily, LaneFamilies } from "../emit-integer";
import { compareIntegers } from "../emit-logic";
import type { LaneEmitter } from "../../emitters/lane-emitter";
import type { ProgramInstruction } from "../../../flatten/program";
import { refuse } from "../../../flatten/refusal";
import { extendPiece, partOf, readWord, videoTypes } from "./video-parts";

function packedResult(lane: LaneEmitter, instruction: ProgramInstruction, x: Wasm, y: Wasm): Wasm {
  const { comparison } = instruction.matched.modifiers;
  const { opcode } = instruction.matched.instruction;
  if (comparison !== undefined)
    return op(
      "v128.and",
      compareIntegers(comparison, types.s32, [x], [y]) ?? refuse(instruction),
      splat32(1),
    );
  switch (opcode.slice(0, -1)) {
    case "vadd":
      return op("i32x4.add", x, y);
    case "vsub":
      return op("i32x4.sub", x, y);
    case "vabsdiff":
      return op("i32x4.abs", op("i32x4.sub", x, y));
    case "vmin":
      return op("i32x4.min_s", x, y);
    case "vmax":
      return op("i32x4.max_s", x, y);
    default: {
      // The average rounds away from zero in the middle, but only upwards: a mask is -1 where the sum is not
      // negative.
      const sum = lane.keep(op("i32x4.add", x, y));
      return op("i32x4.shr_s", op("i32x4.sub", sum, op("i32x4.ge_s", sum, splat32(0))), i32(1));
    }
  }
}

/** Source lane of each result lane, lowest first; lanes of b are numbered after those of a. */
function choiceOf(instruction: ProgramInstruction, index: 1 | 2, count: number): readonly number[] {
  const { part } = partOf(instruction, index);
  if (part === undefined) return Array.from({ length: count }, (_, at) => at + (index === 1 ? 0 : count));
  const digits = [...part.slice(1)].reverse().map(Number);
  const isRight =
    part.startsWith(count === 2 ? "h" : "b") &&
    digits.length === count &&
    digits.every((digit) => digit < 2 * count);
  return isRight ? digits : refuse(instruction, `the part .${part} of two registers`);
}

/** Which numbers of the result are kept: a part such as .h1 or .b310 names them in descending order. */
function maskOf(instruction: ProgramInstruction, count: number): readonly boolean[] {
  const { part } = partOf(instruction, 0);
  if (part === undefined) return Array.from({ length: count }, () => true);
  const digits = [...part.slice(1)].map(Number);
  const isRight =
    part.startsWith(count === 2 ? "h" : "b") &&
    digits.every((digit, at) => digit < count && digit < (digits[at - 1] ?? count));
  return isRight
    ? Array.from({ length: count }, (_, at) => digits.includes(at))
    : refuse(instruction, `the part .${part} of the result`);
}

/**
 * The forms on two halves or four bytes of a register (PTX ISA, "SIMD Video Instructions"): the numbers that
 * the result's part names take the places of those of c, or with .add are added to c.
 */
const packed: LaneFamily = (lane, instruction) => {
  const { saturate, combine } = instruction.matched.modifiers;
  const { result: type, first, second } = videoTypes(instruction);
  const count = Number(instruction.matched.instruction.opcode.at(-1));
  const bits = count === 2 ? 16 : 8;
  if (instruction.operands.length !== 4) return refuse(instruction, "an operand too few or too many");
  if (partOf(instruction, 3).part !== undefined) return refuse(instruction, "a part of the last operand");
  if (instruction.matched.instruction.parts?.some(({ negated }) => negated))
    return refuse(instruction, "a sign before an operand");
  const mask = maskOf(instruction, count);
  const words = [readWord(lane, instruction, 1), readWord(lane, instruction, 2)];
  const [choiceA, choiceB] = [choiceOf(instruction, 1, count), choiceOf(instruction, 2, count)];
  const chosen = (choice: number, kind: PtxType): Wasm =>
    lane.keep(
      extendPiece(at(words, Math.floor(choice / count)), kind, { shift: bits * (choice % count), bits }),
    );
  const [least, most] = isSigned(type) ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  const results = mask.flatMap((isKept, index) => {
    if (!isKept) return [];
    const result = packedResult(
      lane,
      instruction,
      chosen(at(choiceA, index), first),
      chosen(at(choiceB, index), second),
    );
    return [
      {
        index,
        value: lane.keep(
          saturate ? op("i32x4.min_s", op("i32x4.max_s", result, splat32(least)), splat32(most)) : result,
        ),
      },
    ];
  });
  const last = readWord(lane, instruction, 3);
  const field = 2 ** bits - 1;
  const kept = results.reduce((bitsOfResult, { index }) => bitsOfResult | (field << (bits * index)), 0);
  const total = combine
    ? results.reduce((sum, { value }) => op("i32x4.add", sum, value), last)
    : results.reduce(
        (word, { index, value }) =>
          op("v128.or", word, op("i32x4.shl", op("v128.and", value, splat32(field)), i32(bits * index))),
        op("v128.and", last, splat32(~kept)),
      );
  lane.write(instruction, instruction.operands[0], types.b32, [total]);
};

export const packedVideoFamilies = { "video-packed": packed } as const satisfies LaneFamilies;
