import type { Arithmetic } from "../../../base/arithmetic";
import { at } from "../../../base/known";
import { typeOf } from "../../opcodes/table";
import { isWide, types } from "../../ptx/types";
import {
  type PlainOpcode,
  type Wasm,
  choose,
  i32,
  op,
  shuffle,
  splat32,
  splat64,
  splatDouble,
  splatFloat,
} from "../../wasm/code";
import { codeBehind } from "../../wasm/byte-sink";
import { type LaneFamily, type LaneFamilies, each } from "./emit-integer";
import type { LaneEmitter } from "../emitters/lane-emitter";
import { readLoose, writeLoose } from "../emitters/loose-access";
import { settle } from "../emitters/loose-nans";
import type { ProgramInstruction, ProgramOperand } from "../../flatten/program";
import { refuse } from "../../flatten/refusal";
import type { Parts } from "../emitters/values";
import { evenWords, firstLongs, upperLong } from "../../wasm/shuffles";

/** Subnormal single-precision lanes become zeroes of the same sign (PTX ISA section 9.7.3, `.ftz`). */
export function flushed(lane: LaneEmitter, value: Wasm): Wasm {
  const kept = lane.keep(value);
  const subnormal = op("i32x4.eq", op("v128.and", kept, splat32(0x7f80_0000)), splat32(0));
  return op("v128.andnot", kept, op("v128.and", subnormal, splat32(0x7fff_ffff)));
}

/** Bits of the exponent. */
const halfExponents = { f16: 0x7c00, bf16: 0x7f80 } as const;

/** Subnormal halves become zeroes of the same sign. */
export function flushedHalf(lane: LaneEmitter, value: Wasm, format: "f16" | "bf16"): Wasm {
  const kept = lane.keep(value);
  const subnormal = op("i32x4.eq", op("v128.and", kept, splat32(halfExponents[format])), splat32(0));
  return op("v128.andnot", kept, op("v128.and", subnormal, splat32(0x7fff)));
}

/** Clamps to [0, 1]; a NaN becomes +0 (PTX ISA section 9.7.3, `.sat`). */
export function saturated(value: Wasm): Wasm {
  return op("f32x4.pmin", splatFloat(1), op("f32x4.pmax", splat32(0), value));
}

/** Reads a float operand, flushed when the instruction says so. */
export function readFloat(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  operand: ProgramOperand | undefined,
): Parts {
  const parts = readLoose(lane, instruction, operand, typeOf(instruction));
  return instruction.matched.modifiers["flush"] && typeOf(instruction) === types.f32
    ? parts.map((part) => flushed(lane, part))
    : parts;
}

/** Writes a float result with the flush and saturation that the instruction asks for. */
function writeFloat(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): void {
  let result = value;
  if (instruction.matched.modifiers["flush"]) result = result.map((part) => flushed(lane, part));
  if (instruction.matched.modifiers["saturate"]) result = result.map(saturated);
  if (typeOf(instruction) === types.f32) writeLoose(lane, instruction, instruction.operands[0], result);
  else lane.write(instruction, instruction.operands[0], typeOf(instruction), result);
}

const narrowCodes: Readonly<Record<string, PlainOpcode>> = {
  add: "f32x4.add",
  sub: "f32x4.sub",
  mul: "f32x4.mul",
  div: "f32x4.div",
};
const wideCodes: Readonly<Record<string, PlainOpcode>> = {
  add: "f64x2.add",
  sub: "f64x2.sub",
  mul: "f64x2.mul",
  div: "f64x2.div",
};

/** How a launch rounds that does not round to nearest. */
const directions: Partial<Record<Arithmetic, string>> = { "rounded-up": "rp", "rounded-down": "rm" };

function roundingOf({ kernel: { arithmetic } }: LaneEmitter, { matched }: ProgramInstruction): string {
  const own = matched.modifiers["rounding"] ?? "rn";
  if (own !== "rn" || arithmetic === undefined) return own;
  return directions[arithmetic] ?? own;
}

/** An operation with the instruction's rounding, by the library's exact function. */
function exactly(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  operation: string,
  ...operands: readonly Parts[]
): Parts {
  const name = `${operation}_${typeOf(instruction).name}_${roundingOf(lane, instruction)}`;
  return at(operands, 0).map((_, part) => lane.call(name, ...operands.map((list) => at(list, part))));
}

/**
 * add, sub, mul (PTX ISA sections 9.7.3.1 to 9.7.3.5). Rounding other than to nearest goes through an exact
 * software path.
 */
const floatBinary: LaneFamily = (lane, instruction) => {
  const { opcode } = instruction.matched.instruction;
  const [, a, b] = instruction.operands;
  const left = readFloat(lane, instruction, a);
  const right = readFloat(lane, instruction, b);
  const result =
    roundingOf(lane, instruction) === "rn"
      ? each(
          narrowCodes[opcode] ?? refuse(instruction),
          wideCodes[opcode] ?? refuse(instruction),
          left,
          right,
        )
      : exactly(lane, instruction, opcode, left, right);
  writeFloat(lane, instruction, result);
};

/** fma, mad: one rounding (PTX ISA section 9.7.3.6). */
const floatFma: LaneFamily = (lane, instruction) => {
  const [, a, b, c] = instruction.operands;
  const [x, y, z] = [
    readFloat(lane, instruction, a),
    readFloat(lane, instruction, b),
    readFloat(lane, instruction, c),
  ];
  writeFloat(lane, instruction, fusedParts(lane, instruction, [x, y, z]));
};

function fusedParts(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  [x, y, z]: readonly [Parts, Parts, Parts],
): Parts {
  const isSingle = typeOf(instruction) === types.f32;
  if (roundingOf(lane, instruction) !== "rn") return exactly(lane, instruction, "fma", x, y, z);
  if (!lane.kernel.fuses)
    return isSingle
      ? [fusedSingle(lane, at(x, 0), at(y, 0), at(z, 0))]
      : exactly(lane, instruction, "fma", x, y, z);
  if (isSingle) return [op("f32x4.relaxed_madd", at(x, 0), at(y, 0), at(z, 0))];
  return x.map((first, part) => fusedDouble(lane, first, at(y, part), at(z, part)));
}

/** The processor's own instruction. Which NaN it delivers is not ours to choose: those are computed again. */
function fusedDouble(lane: LaneEmitter, a: Wasm, b: Wasm, c: Wasm): Wasm {
  const [x, y, z] = [lane.keep(a), lane.keep(b), lane.keep(c)];
  const result = lane.keep(op("f64x2.relaxed_madd", x, y, z));
  const isNaN = op("v128.any_true", op("f64x2.ne", result, result));
  return choose("v128", isNaN, lane.call("fma_f64_rn", x, y, z), result);
}

/** Lanes of doubles, given their low 32 bits, that lie exactly half-way between two singles. */
const isHalfway = codeBehind((tails) =>
  op("i32x4.eq", op("i32x4.shl", tails, i32(3)), splat32(0x8000_0000 | 0)),
);
/** Subnormal singles but zeroes. */
const isSubnormal = codeBehind((single) =>
  op(
    "i32x4.lt_s",
    op("i32x4.add", op("i32x4.shl", single, i32(1)), splat32(0x7fff_fffe)),
    splat32(0x80ff_ffff | 0),
  ),
);
const isAnyOfTwo = codeBehind((masks) => op("v128.any_true", op("v128.or", masks, [[]])));
const promotedLow = codeBehind((single) => op("f64x2.promote_low_f32x4", single));
/** The same of two equal vectors. */
const promotedHigh = codeBehind((single) => op("f64x2.promote_low_f32x4", shuffle(single, [], upperLong)));
const tailsOfTwo = codeBehind((sums) => shuffle(sums, [], evenWords));

/**
 * Fused multiply-add of single precision, correctly rounded. In double precision the product is exact and the
 * sum is rounded once; rounding that again to single is right unless the double lies exactly half-way between
 * two singles (its low 29 bits are 1 and then zeroes) or the result is subnormal, where half-way points lie
 * elsewhere. Those rare lanes are computed again with rounding to odd. A result of zero needs no second look:
 * sums that small are exact in double precision.
 */
function fusedSingle(lane: LaneEmitter, a: Wasm, b: Wasm, c: Wasm): Wasm {
  const [x, y, z] = [lane.keep(a), lane.keep(b), lane.keep(c)];
  const low = (value: Wasm): Wasm => [value, promotedLow];
  const high = (value: Wasm): Wasm => [value, value, promotedHigh];
  const sumLow = lane.keep(op("f64x2.add", op("f64x2.mul", low(x), low(y)), low(z)));
  const sumHigh = lane.keep(op("f64x2.add", op("f64x2.mul", high(x), high(y)), high(z)));
  const rounded = lane.keep(
    shuffle(op("f32x4.demote_f64x2_zero", sumLow), op("f32x4.demote_f64x2_zero", sumHigh), firstLongs),
  );
  const doubtful: Wasm = [sumLow, sumHigh, tailsOfTwo, isHalfway, rounded, isSubnormal, isAnyOfTwo];
  return choose("v128", doubtful, lane.call("fma_f32_rn", x, y, z), rounded);
}

/**
 * div (PTX ISA section 9.7.3.8): the approximate forms are computed with one rounding, where two units in the
 * last place are allowed. Where a divisor is greater than 2^126, div.approx multiplies by a reciprocal of
 * zero: the quotient is a zero, or a NaN for an infinite dividend.
 */
const floatDivide: LaneFamily = (lane, instruction) => {
  const [, a, b] = instruction.operands;
  const left = readFloat(lane, instruction, a);
  const right = readFloat(lane, instruction, b);
  if (instruction.matched.modifiers["kind"] === "approx") {
    const quotient = approximateQuotient(lane.keep(at(left, 0)), lane.keep(at(right, 0)));
    writeFloat(lane, instruction, [quotient]);
    return;
  }
  const result =
    roundingOf(lane, instruction) === "rn"
      ? each("f32x4.div", "f64x2.div", left, right)
      : exactly(lane, instruction, "div", left, right);
  writeFloat(lane, instruction, result);
};

function approximateQuotient(x: Wasm, y: Wasm): Wasm {
  const withZero = op("f32x4.mul", x, op("v128.and", y, splat32(0x8000_0000 | 0)));
  const isLargeDivisor = op("f32x4.gt", op("f32x4.abs", y), splatFloat(2 ** 126));
  return op("v128.bitselect", withZero, op("f32x4.div", x, y), isLargeDivisor);
}

/**
 * rcp (PTX ISA section 9.7.3.13): the approximate form may be off by one unit in the last place and is
 * computed with one rounding.
 */
const floatReciprocal: LaneFamily = (lane, instruction) => {
  const value = readFloat(lane, instruction, instruction.operands[1]);
  const one = isWide(typeOf(instruction)) ? splatDouble(1) : splatFloat(1);
  const ones = value.map(() => one);
  const result =
    roundingOf(lane, instruction) === "rn"
      ? each("f32x4.div", "f64x2.div", ones, value)
      : exactly(lane, instruction, "div", ones, value);
  writeFloat(lane, instruction, result);
};

/** Subnormal doubles become zeroes of the same sign. */
function flushedDouble(lane: LaneEmitter, value: Wasm): Wasm {
  const kept = lane.keep(value);
  const subnormal = op("i64x2.eq", op("v128.and", kept, splat64(0x7ff0_0000_0000_0000n)), splat64(0n));
  return op("v128.andnot", kept, op("v128.and", subnormal, splat64(0x7fff_ffff_ffff_ffffn)));
}

/**
 * rcp and rsqrt with .approx.ftz.f64 (PTX ISA sections 9.7.3.14 and 9.7.3.17): only the upper 32 bits of the
 * operand count and only those of the result hold something; a NaN is 0x7fffffff00000000. The manual states
 * no bound; what is cut off is less than 2^-20 of the result. Without .ftz rsqrt is emulated in full
 * precision: the library's rsqrt of doubles is that one instruction and is within a unit in the last place.
 */
const approximateDouble: LaneFamily = (lane, instruction) => {
  const [d, a] = instruction.operands;
  const isRoot = instruction.matched.instruction.opcode === "rsqrt";
  if (!instruction.matched.modifiers["flush"]) {
    lane.write(
      instruction,
      d,
      types.f64,
      lane
        .read(instruction, a, types.f64)
        .map((part) => op("f64x2.div", splatDouble(1), op("f64x2.sqrt", part))),
    );
    return;
  }
  lane.write(
    instruction,
    d,
    types.f64,
    lane.read(instruction, a, types.f64).map((part) => {
      const upper = splat64(0xffff_ffff_0000_0000n);
      const value = flushedDouble(lane, op("v128.and", part, upper));
      const exact = lane.keep(op("f64x2.div", splatDouble(1), isRoot ? op("f64x2.sqrt", value) : value));
      return op(
        "v128.bitselect",
        splat64(0x7fff_ffff_0000_0000n),
        op("v128.and", flushedDouble(lane, exact), upper),
        op("f64x2.ne", exact, exact),
      );
    }),
  );
};

/**
 * sqrt (PTX ISA section 9.7.3.15): the approximate form may be off by 2^-23 of the result and is computed
 * with one rounding.
 */
const floatSquareRoot: LaneFamily = (lane, instruction) => {
  const value = readFloat(lane, instruction, instruction.operands[1]);
  const result =
    roundingOf(lane, instruction) === "rn"
      ? each("f32x4.sqrt", "f64x2.sqrt", value)
      : exactly(lane, instruction, "sqrt", value);
  writeFloat(lane, instruction, result);
};

/**
 * rsqrt, sin, cos, lg2, ex2, tanh (PTX ISA sections 9.7.3.16 and 9.7.3.18 to 9.7.3.22), computed in double
 * precision and rounded once. The manual allows rsqrt 2^-22.9 and tanh 2^-11 of the result; sin and cos
 * 2^-20.5 up to 2π and 2^-14.7 up to 100π; lg2 2^-22, of the result outside of (0.5, 2); ex2 two units in the
 * last place.
 */
const floatApproximate: LaneFamily = (lane, instruction) => {
  const { opcode } = instruction.matched.instruction;
  writeFloat(
    lane,
    instruction,
    readFloat(lane, instruction, instruction.operands[1]).map((part) =>
      lane.call(isWide(typeOf(instruction)) ? `${opcode}_f64` : `${opcode}_f32`, part),
    ),
  );
};

/** abs, neg (PTX ISA sections 9.7.3.9 and 9.7.3.10). */
const floatSign: LaneFamily = (lane, instruction) => {
  const value = readFloat(lane, instruction, instruction.operands[1]);
  const [narrow, wide]: [PlainOpcode, PlainOpcode] =
    instruction.matched.instruction.opcode === "abs"
      ? ["f32x4.abs", "f64x2.abs"]
      : ["f32x4.neg", "f64x2.neg"];
  if (typeOf(instruction) === types.f32)
    writeLoose(lane, instruction, instruction.operands[0], each(narrow, wide, value));
  else lane.write(instruction, instruction.operands[0], typeOf(instruction), each(narrow, wide, value));
};

/** min, max: the other operand where one is a NaN, -0 below +0 (PTX ISA sections 9.7.3.11 and 9.7.3.12). */
const floatExtreme: LaneFamily = (lane, instruction) => {
  const { modifiers } = instruction.matched;
  const operands = instruction.operands.slice(1);
  if (operands.length !== 2) return refuse(instruction, "three operands");
  // The sign of a NaN counts too.
  if (modifiers["xorsign"])
    for (const operand of operands) if (operand.kind === "register") settle(lane, operand.register);
  const values = operands.map((operand) => lane.keepAll(readFloat(lane, instruction, operand)));
  const [[first = []] = [], [second = []] = []] = values;
  const sign = modifiers["xorsign"]
    ? lane.keep(op("v128.and", op("v128.xor", first, second), splat32(0x8000_0000 | 0)))
    : undefined;
  const compared = modifiers["absolute"]
    ? values.map((parts) => lane.keepAll(each("f32x4.abs", "f64x2.abs", parts)))
    : values;
  const result = extremeOf(lane, instruction, compared);
  writeFloat(
    lane,
    instruction,
    sign ? result.map((part) => op("v128.or", op("f32x4.abs", part), sign)) : result,
  );
};

/** The smaller or larger of two numbers; of one number and a NaN the number, unless .NaN says otherwise. */
function extremeOf(
  lane: LaneEmitter,
  { matched }: ProgramInstruction,
  [a = [], b = []]: readonly Parts[],
): Parts {
  const shape = a.length === 2 ? "f64x2" : "f32x4";
  const code: PlainOpcode = `${shape}.${matched.instruction.opcode === "min" ? "min" : "max"}`;
  const different: PlainOpcode = `${shape}.ne`;
  const nan = a.length === 2 ? splat64(0x7fff_ffff_ffff_ffffn) : splat32(0x7fff_ffff);
  return a.map((left, part) => {
    const right = at(b, part);
    const plain = lane.keep(op(code, left, right));
    if (matched.modifiers["nan"])
      return lane.keep(op("v128.bitselect", nan, plain, op(different, plain, plain)));
    const withoutLeft = op("v128.bitselect", right, plain, op(different, left, left));
    const either = lane.keep(op("v128.bitselect", left, withoutLeft, op(different, right, right)));
    return lane.keep(op("v128.bitselect", nan, either, op(different, either, either)));
  });
}

/** copysign: magnitude of b with the sign of a (PTX ISA section 9.7.3.2). */
const copySign: LaneFamily = (lane, instruction) => {
  const type = typeOf(instruction);
  const [d, a, b] = instruction.operands;
  const mask = isWide(type) ? splat64(1n << 63n) : splat32(0x8000_0000 | 0);
  const magnitude = lane.read(instruction, b, type);
  lane.write(
    instruction,
    d,
    type,
    lane
      .read(instruction, a, type)
      .map((part, index) => op("v128.bitselect", part, at(magnitude, index), mask)),
  );
};

export const floatFamilies = {
  "float-binary": floatBinary,
  "float-fma": floatFma,
  "float-divide": floatDivide,
  "float-reciprocal": floatReciprocal,
  "float-square-root": floatSquareRoot,
  "float-approximate": floatApproximate,
  "approximate-double": approximateDouble,
  "float-sign": floatSign,
  "float-extreme": floatExtreme,
  "copy-sign": copySign,
} as const satisfies LaneFamilies;
