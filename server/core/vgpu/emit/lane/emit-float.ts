import { isWide } from "../../ptx/types";
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
import { type LaneFamily, each, typeOf } from "./emit-integer";
import { compareIntegers } from "./emit-logic";
import type { LaneEmitter } from "../emitters/lane-emitter";
import { readLoose, settle, writeLoose } from "../emitters/loose-nans";
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
function readFloat(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  operand: ProgramOperand | undefined,
): Parts {
  const parts = readLoose(lane, instruction, operand, typeOf(instruction));
  return instruction.matched.modifiers["flush"] && typeOf(instruction) === "f32"
    ? parts.map((part) => flushed(lane, part))
    : parts;
}

/** Writes a float result with the flush and saturation that the instruction asks for. */
function writeFloat(lane: LaneEmitter, instruction: ProgramInstruction, value: Parts): void {
  let result = value;
  if (instruction.matched.modifiers["flush"]) result = result.map((part) => flushed(lane, part));
  if (instruction.matched.modifiers["saturate"]) result = result.map(saturated);
  if (typeOf(instruction) === "f32") writeLoose(lane, instruction, instruction.operands[0], result);
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

/**
 * add, sub, mul (PTX ISA sections 9.7.3.1 to 9.7.3.5). Rounding other than to nearest goes through an exact
 * software path.
 */
export const floatBinary: LaneFamily = (lane, instruction) => {
  const { opcode } = instruction.matched.instruction;
  const rounding = instruction.matched.modifiers["rounding"] ?? "rn";
  const [, a, b] = instruction.operands;
  const left = readFloat(lane, instruction, a);
  const right = readFloat(lane, instruction, b);
  if (rounding === "rn")
    writeFloat(
      lane,
      instruction,
      each(narrowCodes[opcode] ?? refuse(instruction), wideCodes[opcode] ?? refuse(instruction), left, right),
    );
  else
    writeFloat(
      lane,
      instruction,
      left.map((part, index) =>
        lane.call(`${opcode}_${typeOf(instruction)}_${rounding}`, part, right[index] ?? []),
      ),
    );
};

/** fma, mad: one rounding (PTX ISA section 9.7.3.6). */
export const floatFma: LaneFamily = (lane, instruction) => {
  const rounding = instruction.matched.modifiers["rounding"] ?? "rn";
  const [, a, b, c] = instruction.operands;
  const [x, y, z] = [
    readFloat(lane, instruction, a),
    readFloat(lane, instruction, b),
    readFloat(lane, instruction, c),
  ];
  if (typeOf(instruction) === "f32" && rounding === "rn")
    writeFloat(lane, instruction, [fusedSingle(lane, x[0] ?? [], y[0] ?? [], z[0] ?? [])]);
  else
    writeFloat(
      lane,
      instruction,
      x.map((part, index) =>
        lane.call(`fma_${typeOf(instruction)}_${rounding}`, part, y[index] ?? [], z[index] ?? []),
      ),
    );
};

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
export const floatDivide: LaneFamily = (lane, instruction) => {
  const { rounding = "rn", kind } = instruction.matched.modifiers;
  const [, a, b] = instruction.operands;
  const left = readFloat(lane, instruction, a);
  const right = readFloat(lane, instruction, b);
  if (kind === "approx") {
    const [x, y] = [lane.keep(left[0] ?? []), lane.keep(right[0] ?? [])];
    const withZero = op("f32x4.mul", x, op("v128.and", y, splat32(0x8000_0000 | 0)));
    writeFloat(lane, instruction, [
      op(
        "v128.bitselect",
        withZero,
        op("f32x4.div", x, y),
        op("f32x4.gt", op("f32x4.abs", y), splatFloat(2 ** 126)),
      ),
    ]);
  } else if (rounding === "rn") writeFloat(lane, instruction, each("f32x4.div", "f64x2.div", left, right));
  else
    writeFloat(
      lane,
      instruction,
      left.map((part, index) =>
        lane.call(`div_${typeOf(instruction)}_${rounding}`, part, right[index] ?? []),
      ),
    );
};

/**
 * rcp (PTX ISA section 9.7.3.13): the approximate form may be off by one unit in the last place and is
 * computed with one rounding.
 */
export const floatReciprocal: LaneFamily = (lane, instruction) => {
  const rounding = instruction.matched.modifiers["rounding"] ?? "rn";
  const value = readFloat(lane, instruction, instruction.operands[1]);
  const one = isWide(typeOf(instruction)) ? splatDouble(1) : splatFloat(1);
  if (rounding === "rn")
    writeFloat(
      lane,
      instruction,
      each(
        "f32x4.div",
        "f64x2.div",
        value.map(() => one),
        value,
      ),
    );
  else
    writeFloat(
      lane,
      instruction,
      value.map((part) => lane.call(`div_${typeOf(instruction)}_${rounding}`, one, part)),
    );
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
export const approximateDouble: LaneFamily = (lane, instruction) => {
  const [d, a] = instruction.operands;
  const isRoot = instruction.matched.instruction.opcode === "rsqrt";
  if (!instruction.matched.modifiers["flush"]) {
    lane.write(
      instruction,
      d,
      "f64",
      lane.read(instruction, a, "f64").map((part) => op("f64x2.div", splatDouble(1), op("f64x2.sqrt", part))),
    );
    return;
  }
  lane.write(
    instruction,
    d,
    "f64",
    lane.read(instruction, a, "f64").map((part) => {
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
export const floatSquareRoot: LaneFamily = (lane, instruction) => {
  const rounding = instruction.matched.modifiers["rounding"] ?? "rn";
  const value = readFloat(lane, instruction, instruction.operands[1]);
  if (rounding === "rn") writeFloat(lane, instruction, each("f32x4.sqrt", "f64x2.sqrt", value));
  else
    writeFloat(
      lane,
      instruction,
      value.map((part) => lane.call(`sqrt_${typeOf(instruction)}_${rounding}`, part)),
    );
};

/**
 * rsqrt, sin, cos, lg2, ex2, tanh (PTX ISA sections 9.7.3.16 and 9.7.3.18 to 9.7.3.22), computed in double
 * precision and rounded once. The manual allows rsqrt 2^-22.9 and tanh 2^-11 of the result; sin and cos
 * 2^-20.5 up to 2π and 2^-14.7 up to 100π; lg2 2^-22, of the result outside of (0.5, 2); ex2 two units in the
 * last place.
 */
export const floatApproximate: LaneFamily = (lane, instruction) => {
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
export const floatSign: LaneFamily = (lane, instruction) => {
  const value = readFloat(lane, instruction, instruction.operands[1]);
  const [narrow, wide]: [PlainOpcode, PlainOpcode] =
    instruction.matched.instruction.opcode === "abs"
      ? ["f32x4.abs", "f64x2.abs"]
      : ["f32x4.neg", "f64x2.neg"];
  if (typeOf(instruction) === "f32")
    writeLoose(lane, instruction, instruction.operands[0], each(narrow, wide, value));
  else lane.write(instruction, instruction.operands[0], typeOf(instruction), each(narrow, wide, value));
};

/** min, max: the other operand where one is a NaN, -0 below +0 (PTX ISA sections 9.7.3.11 and 9.7.3.12). */
export const floatExtreme: LaneFamily = (lane, instruction) => {
  const {
    modifiers,
    instruction: { opcode },
  } = instruction.matched;
  const wide = isWide(typeOf(instruction));
  const operands = instruction.operands.slice(1);
  if (operands.length !== 2) return refuse(instruction, "three operands");
  // The sign of a NaN counts too.
  if (modifiers["xorsign"])
    for (const operand of operands) if (operand.kind === "register") settle(lane, operand.register);
  let values = operands.map((operand) => lane.keepAll(readFloat(lane, instruction, operand)));
  const [first = [], second = []] = values;
  const sign = modifiers["xorsign"]
    ? lane.keep(op("v128.and", op("v128.xor", first[0] ?? [], second[0] ?? []), splat32(0x8000_0000 | 0)))
    : undefined;
  if (modifiers["absolute"])
    values = values.map((parts) => lane.keepAll(each("f32x4.abs", "f64x2.abs", parts)));
  const code: PlainOpcode =
    opcode === "min" ? (wide ? "f64x2.min" : "f32x4.min") : wide ? "f64x2.max" : "f32x4.max";
  const different: PlainOpcode = wide ? "f64x2.ne" : "f32x4.ne";
  const nan = wide ? splat64(0x7fff_ffff_ffff_ffffn) : splat32(0x7fff_ffff);
  const combine = (a: Parts, b: Parts): Parts =>
    a.map((left, part) => {
      const right = b[part] ?? [];
      const plain = lane.keep(op(code, left, right));
      if (modifiers["nan"]) return lane.keep(op("v128.bitselect", nan, plain, op(different, plain, plain)));
      const withoutLeft = op("v128.bitselect", right, plain, op(different, left, left));
      const either = lane.keep(op("v128.bitselect", left, withoutLeft, op(different, right, right)));
      return lane.keep(op("v128.bitselect", nan, either, op(different, either, either)));
    });
  const result = combine(values[0] ?? [], values[1] ?? []);
  writeFloat(
    lane,
    instruction,
    sign ? result.map((part) => op("v128.or", op("f32x4.abs", part), sign)) : result,
  );
};

/** copysign: magnitude of b with the sign of a (PTX ISA section 9.7.3.2). */
export const copySign: LaneFamily = (lane, instruction) => {
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
      .map((part, index) => op("v128.bitselect", part, magnitude[index] ?? [], mask)),
  );
};

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
    x.map((part, index) => op(code, part, y[index] ?? []));
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

/**
 * setp, set: a comparison, combined with a predicate, and its complement (PTX ISA sections 9.7.6.1 and
 * 9.7.6.2).
 */
export const compare: LaneFamily = (lane, instruction) => {
  const {
    modifiers,
    instruction: { opcode },
  } = instruction.matched;
  const [d, a, b, c] = instruction.operands;
  const compared = lane.keep(comparisonMask(lane, instruction, a, b));
  const other = modifiers["combine"] ? lane.keep(lane.read(instruction, c, "pred")[0] ?? []) : undefined;
  const combined = (mask: Wasm): Wasm =>
    other ? op(`v128.${modifiers["combine"] as "and" | "or" | "xor"}`, mask, other) : mask;
  if (opcode === "set") {
    const { result = "u32" } = modifiers;
    const ones: Readonly<Record<string, Wasm>> = {
      f32: splatFloat(1),
      f16: splat32(0x3c00),
      bf16: splat32(0x3f80),
    };
    lane.write(instruction, d, result.endsWith("16") ? "b16" : "b32", [
      op("v128.and", combined(compared), ones[result] ?? splat32(-1)),
    ]);
    return;
  }
  const [first, second] = d?.kind === "pair" ? [d.first, d.second] : [d, undefined];
  if (second && typeOf(instruction).endsWith("f16")) return refuse(instruction, "two results");
  const complement = second ? lane.keep(combined(op("v128.not", compared))) : undefined;
  lane.write(instruction, first, "pred", [combined(compared)]);
  if (second && complement) lane.write(instruction, second, "pred", [complement]);
};

function comparisonMask(
  lane: LaneEmitter,
  instruction: ProgramInstruction,
  a: ProgramOperand | undefined,
  b: ProgramOperand | undefined,
): Wasm {
  const type = typeOf(instruction);
  const comparison = instruction.matched.modifiers["comparison"] ?? "eq";
  if (type === "f32" || type === "f64") {
    const left = readFloat(lane, instruction, a);
    return compareFloats(lane, comparison, left, readFloat(lane, instruction, b)) ?? refuse(instruction);
  }
  if (type === "f16" || type === "bf16") {
    const flush = instruction.matched.modifiers["flush"] !== undefined;
    if (flush && type === "bf16") return refuse(instruction);
    const single = (operand: ProgramOperand | undefined): Parts => {
      const value = lane.read(instruction, operand, "u16")[0] ?? [];
      return [lane.call(`${type}_to_f32`, flush ? flushedHalf(lane, value, type) : value)];
    };
    return compareFloats(lane, comparison, single(a), single(b)) ?? refuse(instruction);
  }
  const left = lane.read(instruction, a, type);
  return compareIntegers(comparison, type, left, lane.read(instruction, b, type)) ?? refuse(instruction);
}

/** testp: classes of numbers; zeroes are normal ones (PTX ISA section 9.7.3.1). */
export const testNumber: LaneFamily = (lane, instruction) => {
  const [d, a] = instruction.operands;
  const wide = typeOf(instruction) === "f64";
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
  lane.write(instruction, d, "pred", [
    results[instruction.matched.modifiers["test"] ?? ""]?.() ?? refuse(instruction),
  ]);
};
