import { at } from "../../../base/known";
import { type PtxType, isFloat, isHalfWord, types } from "../../ptx/types";
import { type PlainOpcode, type Wasm, op, shuffle, splat32, splatDouble, splatFloat } from "../../wasm/code";
import { flushedHalf, readFloat } from "./emit-float";
import { type LaneFamily, type LaneFamilies, each } from "./emit-integer";
import { compareIntegers } from "./emit-logic";
import type { LaneEmitter } from "../emitters/lane-emitter";
import { typeOf } from "../../opcodes/table";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import type { Parts } from "../emitters/values";
import { evenWords } from "../../wasm/shuffles";

const floatComparisons: Readonly<
  Record<string, { code: "eq" | "ne" | "lt" | "le"; swap: boolean; unordered: boolean }>
> = {
  eq: { code: "eq", swap: false, unordered: false },
  lt: { code: "lt", swap: false, unordered: false },
  le: { code: "le", swap: false, unordered: false },
  gt: { code: "lt", swap: true, unordered: false },
  ge: { code: "le", swap: true, unordered: false },
  neu: { code: "ne", swap: false, unordered: false },
  // The unordered forms are the negation of the opposite ordered one.
  ltu: { code: "le", swap: true, unordered: true },
  leu: { code: "lt", swap: true, unordered: true },
  gtu: { code: "le", swap: false, unordered: true },
  geu: { code: "lt", swap: false, unordered: true },
};

/** Compares floats: lanes of 0 or -1 (PTX ISA section 9.3.2). */
export function compareFloats(lane: LaneEmitter, comparison: string, a: Parts, b: Parts): Wasm | undefined {
  const wide = a.length === 2;
  const shape = wide ? "f64x2" : "f32x4";
  const join = ([low = [], high]: Parts): Wasm => (high === undefined ? low : shuffle(low, high, evenWords));
  const [left, right] = [lane.keepAll(a), lane.keepAll(b)];
  const map = (code: PlainOpcode, x: Parts, y: Parts): Parts =>
    x.map((part, index) => op(code, part, at(y, index)));
  const unordered = (): Wasm =>
    op("v128.or", join(map(`${shape}.ne`, left, left)), join(map(`${shape}.ne`, right, right)));
  if (comparison === "nan") return unordered();
  if (comparison === "num") return op("v128.not", unordered());
  if (comparison === "ne") return op("v128.andnot", join(map(`${shape}.ne`, left, right)), unordered());
  if (comparison === "equ") return op("v128.or", join(map(`${shape}.eq`, left, right)), unordered());
  const rule = floatComparisons[comparison];
  if (!rule) return undefined;
  const result = join(
    rule.swap ? map(`${shape}.${rule.code}`, right, left) : map(`${shape}.${rule.code}`, left, right),
  );
  return rule.unordered ? op("v128.not", result) : result;
}

/** What `set` gives where the comparison holds: 1.0 of a format, or all ones. */
function oneOf({ kind, bits }: PtxType): Wasm {
  if (kind === "bfloat") return splat32(0x3f80);
  if (kind !== "float") return splat32(-1);
  return bits === 32 ? splatFloat(1) : splat32(0x3c00);
}

/**
 * setp, set: a comparison, combined with a predicate, and its complement (PTX ISA sections 9.7.6.1 and
 * 9.7.6.2).
 */
const compare: LaneFamily = (lane, instruction) => {
  const {
    modifiers,
    instruction: { opcode },
  } = instruction.matched;
  const [d, a, b, c] = instruction.operands;
  const compared = lane.keep(comparisonMask(lane, instruction, a, b));
  const other = modifiers["combine"] ? lane.keep(lane.readOne(instruction, c, types.pred)) : undefined;
  const combined = (mask: Wasm): Wasm =>
    other ? op(`v128.${modifiers["combine"] as "and" | "or" | "xor"}`, mask, other) : mask;
  if (opcode === "set") {
    const result = typeOf(instruction, "result");
    lane.write(instruction, d, isHalfWord(result) ? types.b16 : types.b32, [
      op("v128.and", combined(compared), oneOf(result)),
    ]);
    return;
  }
  const [first, second] = d?.kind === "pair" ? [d.first, d.second] : [d, undefined];
  if (second && isHalfWord(typeOf(instruction)) && isFloat(typeOf(instruction)))
    return refuse(instruction, "two results");
  const complement = second ? lane.keep(combined(op("v128.not", compared))) : undefined;
  lane.write(instruction, first, types.pred, [combined(compared)]);
  if (second && complement) lane.write(instruction, second, types.pred, [complement]);
};

function comparisonMask(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  a: ProgramOperand | undefined,
  b: ProgramOperand | undefined,
): Wasm {
  const type = typeOf(instruction);
  const comparison = instruction.matched.modifiers["comparison"] ?? "eq";
  if (type === types.f32 || type === types.f64) {
    const left = readFloat(lane, instruction, a);
    return compareFloats(lane, comparison, left, readFloat(lane, instruction, b)) ?? refuse(instruction);
  }
  if (type === types.f16 || type === types.bf16) {
    const flush = instruction.matched.modifiers["flush"] !== undefined;
    if (flush && type === types.bf16) return refuse(instruction);
    const format = type === types.f16 ? "f16" : "bf16";
    const single = (operand: ProgramOperand | undefined): Parts => {
      const value = lane.readOne(instruction, operand, types.u16);
      return [lane.call(`${format}_to_f32`, flush ? flushedHalf(lane, value, format) : value)];
    };
    return compareFloats(lane, comparison, single(a), single(b)) ?? refuse(instruction);
  }
  const left = lane.read(instruction, a, type);
  return compareIntegers(comparison, type, left, lane.read(instruction, b, type)) ?? refuse(instruction);
}

/** testp: classes of numbers; zeroes are normal ones (PTX ISA section 9.7.3.1). */
const testNumber: LaneFamily = (lane, instruction) => {
  const [d, a] = instruction.operands;
  const wide = typeOf(instruction) === types.f64;
  const value = lane.read(instruction, a, typeOf(instruction));
  const magnitudes = lane.keepAll(each("f32x4.abs", "f64x2.abs", value));
  const infinity: Parts = magnitudes.map(() => (wide ? splatDouble(Infinity) : splatFloat(Infinity)));
  const smallest: Parts = magnitudes.map(() => (wide ? splatDouble(2 ** -1022) : splatFloat(2 ** -126)));
  const zero: Parts = magnitudes.map(() => splat32(0));
  const is = (comparison: string, other: Parts): Wasm =>
    compareFloats(lane, comparison, magnitudes, other) ?? refuse(instruction);
  const results: Readonly<Record<string, () => Wasm>> = {
    finite: () => is("lt", infinity),
    infinite: () => is("eq", infinity),
    number: () => is("num", magnitudes),
    notanumber: () => is("nan", magnitudes),
    normal: () => op("v128.and", is("lt", infinity), op("v128.or", is("ge", smallest), is("eq", zero))),
    subnormal: () => op("v128.and", is("lt", smallest), is("gt", zero)),
  };
  lane.write(instruction, d, types.pred, [
    results[instruction.matched.modifiers["test"] ?? ""]?.() ?? refuse(instruction),
  ]);
};

export const compareFamilies = {
  compare: compare,
  "test-number": testNumber,
} as const satisfies LaneFamilies;
