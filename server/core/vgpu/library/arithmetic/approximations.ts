import { last } from "../../../base/known";
import { type Wasm, get, i32, op, set, shuffle, splat64, splatDouble } from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { firstLongs, upperLong } from "../../wasm/shuffles";
import { type LibraryFunction, type LibraryTable, vectorLocals } from "../library";

/** A polynomial of two doubles; the coefficient of the highest power comes last. */
function polynomial(x: Wasm, coefficients: readonly number[]): Wasm {
  return coefficients
    .slice(0, -1)
    .reduceRight<Wasm>(
      (sum, coefficient) => op("f64x2.add", op("f64x2.mul", sum, x), splatDouble(coefficient)),
      splatDouble(last(coefficients)),
    );
}

/** A function of a single-precision vector, computed in double precision. */
function throughDoubles(evaluate: (builder: FunctionBuilder, x: number) => Wasm): LibraryFunction {
  return {
    signature: { parameters: ["v128"], results: ["v128"] },
    build: ({ builder, parameters: [value = []] }) => {
      const { x, low } = vectorLocals(builder, "x", "low");
      const half = (source: Wasm): Wasm => [
        set(x, op("f64x2.promote_low_f32x4", source)),
        op("f32x4.demote_f64x2_zero", evaluate(builder, x)),
      ];
      return [set(low, half(value)), shuffle(get(low), half(shuffle(value, value, upperLong)), firstLongs)];
    },
  };
}

const factorials = [1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600];

/**
 * 2 to the power x: the integer part by exponent bits, the rest (at most 1/2) by its Taylor series to 1e-14.
 */
function exponential(builder: FunctionBuilder, x: number): Wasm {
  const { whole, rest } = vectorLocals(builder, "whole", "rest");
  // Beyond ±1000 the result is far outside single precision. The clamp preserves a NaN.
  const clamped = op("f64x2.pmin", op("f64x2.pmax", get(x), splatDouble(-1000)), splatDouble(1000));
  const magic = 6755399441055744;
  return [
    set(rest, clamped),
    set(whole, op("f64x2.nearest", get(rest))),
    set(rest, op("f64x2.mul", op("f64x2.sub", get(rest), get(whole)), splatDouble(Math.LN2))),
    op(
      "f64x2.mul",
      polynomial(
        get(rest),
        factorials.map((value) => 1 / value),
      ),
      op(
        "i64x2.shl",
        op("i64x2.add", op("f64x2.add", get(whole), splatDouble(magic)), splat64(1023n)),
        i32(52),
      ),
    ),
  ];
}

/** Base-2 logarithm: the exponent, plus the series of atanh for a mantissa between √½ and √2. */
function logarithm(builder: FunctionBuilder, x: number): Wasm {
  const { bits, exponent, t, squared } = vectorLocals(builder, "bits", "exponent", "t", "squared");
  // Adding this before the shift moves mantissas above √2 to the next exponent.
  const rounding = 0x3ff0000000000000n - 0x3fe6a09e667f3bcdn;
  const magic = 0x4330000000000000n;
  const series = [1, 3, 5, 7, 9, 11, 13, 15].map((odd) => 2 / (odd * Math.LN2));
  const general = op("f64x2.add", get(exponent), op("f64x2.mul", get(t), polynomial(get(squared), series)));
  const special: readonly (readonly [Wasm, Wasm])[] = [
    [op("f64x2.eq", get(x), splatDouble(0)), splatDouble(-Infinity)],
    [op("f64x2.eq", get(x), splatDouble(Infinity)), splatDouble(Infinity)],
    [op("v128.not", op("f64x2.ge", get(x), splatDouble(0))), splatDouble(NaN)],
  ];
  return [
    set(bits, op("i64x2.add", get(x), splat64(rounding))),
    set(
      exponent,
      op(
        "f64x2.sub",
        op("v128.or", op("i64x2.shr_u", get(bits), i32(52)), splat64(magic)),
        splatDouble(2 ** 52 + 1023),
      ),
    ),
    set(
      bits,
      op(
        "i64x2.sub",
        get(x),
        op("i64x2.shl", op("i64x2.sub", op("i64x2.shr_u", get(bits), i32(52)), splat64(1023n)), i32(52)),
      ),
    ),
    set(
      t,
      op("f64x2.div", op("f64x2.sub", get(bits), splatDouble(1)), op("f64x2.add", get(bits), splatDouble(1))),
    ),
    set(squared, op("f64x2.mul", get(t), get(t))),
    special.reduce<Wasm>(
      (value, [mask, replacement]) => op("v128.bitselect", replacement, value, mask),
      general,
    ),
  ];
}

/** What a GPU multiplies angles with to have turns: 1 / 2π as a single. */
const perTurn = Math.fround(1 / (2 * Math.PI));
/** Bits of a double's fraction that a single has not. */
const beyondSingle = (1n << 29n) - 1n;

/**
 * An angle as the unit for sin and cos gets it: its turns are a single, rounded towards zero, so that little
 * is left of the place within the turn where these are many.
 */
function turned(angle: Wasm): Wasm {
  const turns = op("v128.and", op("f64x2.mul", angle, splatDouble(perTurn)), splat64(~beyondSingle));
  return op("f64x2.mul", turns, splatDouble(2 * Math.PI));
}

/**
 * sin or cos: reduced by multiples of π in two pieces, then the Taylor series. Infinities and NaN give NaN.
 * Beyond about 2^26 multiples the reduced argument is meaningless; it is clamped to a quarter turn, so that
 * the result stays in [-1, 1] (the manual bounds errors up to 100π).
 */
function circular(isCosine: boolean): (builder: FunctionBuilder, x: number) => Wasm {
  return (builder, given) => {
    const { x, turns, rest, squared } = vectorLocals(builder, "x", "turns", "rest", "squared");
    const piHigh = 3.1415926218032837;
    const piLow = 3.178650954705639e-8;
    const shift = isCosine ? 0.5 : 0;
    const series = [
      1,
      -1 / 6,
      1 / 120,
      -1 / 5040,
      1 / 362880,
      -1 / 39916800,
      1 / 6227020800,
      -1 / 1307674368000,
    ];
    const magic = 6755399441055744;
    const odd = op(
      "i64x2.shl",
      op("f64x2.add", op("f64x2.add", get(turns), splatDouble(shift)), splatDouble(magic)),
      i32(63),
    );
    const within = (value: Wasm): Wasm =>
      op("f64x2.pmin", op("f64x2.pmax", value, splatDouble(-Math.PI / 2)), splatDouble(Math.PI / 2));
    return [
      set(x, turned(get(given))),
      set(
        turns,
        op(
          "f64x2.sub",
          op(
            "f64x2.nearest",
            op("f64x2.add", op("f64x2.mul", get(x), splatDouble(1 / Math.PI)), splatDouble(shift)),
          ),
          splatDouble(shift),
        ),
      ),
      set(
        rest,
        within(
          op(
            "f64x2.sub",
            op("f64x2.sub", get(x), op("f64x2.mul", get(turns), splatDouble(piHigh))),
            op("f64x2.mul", get(turns), splatDouble(piLow)),
          ),
        ),
      ),
      set(squared, op("f64x2.mul", get(rest), get(rest))),
      op("v128.xor", op("f64x2.mul", get(rest), polynomial(get(squared), series)), odd),
    ];
  };
}

/** tanh by 2^(2x·log₂e); for small x by its own series, which avoids cancellation. */
function hyperbolicTangent(builder: FunctionBuilder, x: number): Wasm {
  const { power, scaled, squared } = vectorLocals(builder, "power", "scaled", "squared");
  const clamped = op("f64x2.pmin", op("f64x2.pmax", get(x), splatDouble(-30)), splatDouble(30));
  const series = [1, -1 / 3, 2 / 15, -17 / 315, 62 / 2835, -1382 / 155925];
  return [
    set(scaled, op("f64x2.mul", clamped, splatDouble(2 * Math.LOG2E))),
    set(power, exponential(builder, scaled)),
    set(squared, op("f64x2.mul", get(x), get(x))),
    op(
      "v128.bitselect",
      op("f64x2.mul", get(x), polynomial(get(squared), series)),
      op(
        "f64x2.div",
        op("f64x2.sub", get(power), splatDouble(1)),
        op("f64x2.add", get(power), splatDouble(1)),
      ),
      op("f64x2.lt", op("f64x2.abs", get(x)), splatDouble(0.1)),
    ),
  ];
}

const inverseRoot = (_: FunctionBuilder, x: number): Wasm =>
  op("f64x2.div", splatDouble(1), op("f64x2.sqrt", get(x)));

/** Functions that PTX defines with a bound on the error (`.approx`). */
export const approximationLibrary: LibraryTable = {
  ex2_f32: throughDoubles(exponential),
  lg2_f32: throughDoubles(logarithm),
  sin_f32: throughDoubles(circular(false)),
  cos_f32: throughDoubles(circular(true)),
  tanh_f32: throughDoubles(hyperbolicTangent),
  rsqrt_f32: throughDoubles(inverseRoot),
  rsqrt_f64: {
    signature: { parameters: ["v128"], results: ["v128"] },
    build: ({ parameters: [value = []] }) => op("f64x2.div", splatDouble(1), op("f64x2.sqrt", value)),
  },
};
