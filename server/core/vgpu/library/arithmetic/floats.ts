import {
  type Wasm,
  call,
  choose,
  f64,
  get,
  i32,
  i64,
  lane,
  op,
  set,
  shuffle,
  splat32,
  splat64,
  splatDouble,
} from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import type { LibraryFunction, LibraryTable } from "../library";
import { firstLongs, upperLong } from "../../wasm/shuffles";

/**
 * Singles, which may be evaluated again and again, with the one NaN that instructions deliver for any other
 * (PTX ISA section 9.7.3).
 */
export function withOneNaN(singles: Wasm): Wasm {
  return op("v128.bitselect", splat32(0x7fff_ffff), singles, op("f32x4.ne", singles, singles));
}

/**
 * Sum of two doubles rounded to odd: exact, or the neighbour with an odd last bit, so that a second rounding
 * is the only one.
 */
export function sumToOdd(builder: FunctionBuilder, x: number, y: number): Wasm {
  const sum = builder.local("v128");
  const part = builder.local("v128");
  const error = builder.local("v128");
  const direction = builder.local("v128");
  const inexact = op("f64x2.ne", get(error), splat64(0n));
  const even = op("i64x2.eq", op("v128.and", get(sum), splat64(1n)), splat64(0n));
  const finite = op("f64x2.lt", op("f64x2.abs", get(sum)), splatDouble(Infinity));
  return [
    set(sum, op("f64x2.add", get(x), get(y))),
    set(part, op("f64x2.sub", get(sum), get(x))),
    set(
      error,
      op(
        "f64x2.add",
        op("f64x2.sub", get(x), op("f64x2.sub", get(sum), get(part))),
        op("f64x2.sub", get(y), get(part)),
      ),
    ),
    // +1 where the exact sum is farther from zero than the rounded one, else -1.
    set(
      direction,
      op("v128.or", op("i64x2.shr_s", op("v128.xor", get(sum), get(error)), i32(63)), splat64(1n)),
    ),
    op(
      "i64x2.add",
      get(sum),
      op("v128.and", get(direction), op("v128.and", finite, op("v128.and", inexact, even))),
    ),
  ];
}

/** fma of single precision through a product that doubles hold exactly and a sum rounded to odd. */
const fmaSingle: LibraryFunction = {
  signature: { parameters: ["v128", "v128", "v128"], results: ["v128"] },
  build: ({ builder, parameters: [a = [], b = [], c = []] }) => {
    const product = builder.local("v128");
    const addend = builder.local("v128");
    const low = builder.local("v128");
    const half = (pick: (value: Wasm) => Wasm): Wasm => [
      set(
        product,
        op("f64x2.mul", op("f64x2.promote_low_f32x4", pick(a)), op("f64x2.promote_low_f32x4", pick(b))),
      ),
      set(addend, op("f64x2.promote_low_f32x4", pick(c))),
      op("f32x4.demote_f64x2_zero", sumToOdd(builder, product, addend)),
    ];
    return [
      set(
        low,
        half((value) => value),
      ),
      shuffle(
        get(low),
        half((value) => shuffle(value, value, upperLong)),
        firstLongs,
      ),
    ];
  },
};

/** Evaluates a polynomial in two doubles, highest coefficient last. */
function polynomial(x: Wasm, coefficients: readonly number[]): Wasm {
  return coefficients
    .slice(0, -1)
    .reduceRight<Wasm>(
      (sum, coefficient) => op("f64x2.add", op("f64x2.mul", sum, x), splatDouble(coefficient)),
      splatDouble(coefficients.at(-1) ?? 0),
    );
}

/** A function of one single-precision vector computed on two doubles at a time. */
function throughDoubles(evaluate: (builder: FunctionBuilder, x: number) => Wasm): LibraryFunction {
  return {
    signature: { parameters: ["v128"], results: ["v128"] },
    build: ({ builder, parameters: [value = []] }) => {
      const x = builder.local("v128");
      const low = builder.local("v128");
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
 * 2 to the power x: an integer power by exponent bits, and the Taylor series of the rest, |rest| ≤ 1/2, to
 * 1e-14.
 */
function exponential(builder: FunctionBuilder, x: number): Wasm {
  const whole = builder.local("v128");
  const rest = builder.local("v128");
  // Beyond ±1000 the result has long left single precision; the clamp lets a NaN through.
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

/** Base-2 logarithm: exponent plus the series of atanh over a mantissa between √½ and √2. */
function logarithm(builder: FunctionBuilder, x: number): Wasm {
  const bits = builder.local("v128");
  const exponent = builder.local("v128");
  const t = builder.local("v128");
  const squared = builder.local("v128");
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

/**
 * sin or cos: reduced by multiples of π in two pieces, then Taylor series; infinities and NaNs give NaN.
 * Beyond some 2^26 multiples what is left after the reduction means nothing; it is kept within a quarter
 * turn, so that the result never leaves [-1, 1] (the manual bounds errors up to 100π).
 */
function circular(isCosine: boolean): (builder: FunctionBuilder, x: number) => Wasm {
  return (builder, x) => {
    const turns = builder.local("v128");
    const rest = builder.local("v128");
    const squared = builder.local("v128");
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

/** tanh through 2^(2x·log₂e); for small x its own series, which does not cancel. */
function hyperbolicTangent(builder: FunctionBuilder, x: number): Wasm {
  const power = builder.local("v128");
  const scaled = builder.local("v128");
  const squared = builder.local("v128");
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

/** Operations that the host computes exactly, by number: see `exact-arithmetic.ts`. */
export const exactOperations = ["add", "sub", "mul", "fma", "div", "sqrt"] as const;
export const exactRoundings = ["rn", "rz", "rm", "rp"] as const;

/** Calls the host for each lane: exact arithmetic with any rounding, slow and rare. */
function throughHost(
  operation: number,
  rounding: number,
  wide: boolean,
  operandCount: number,
): LibraryFunction {
  return {
    signature: { parameters: Array.from({ length: operandCount }, () => "v128" as const), results: ["v128"] },
    build: ({ imported, parameters }) => {
      const kind = wide ? "f64x2" : "f32x4";
      let result: Wasm = splat32(0);
      for (let index = 0; index < (wide ? 2 : 4); index += 1) {
        const values = [0, 1, 2].map((at) => {
          const value = lane(`${kind}.extract_lane`, index, parameters[Math.min(at, operandCount - 1)] ?? []);
          return wide ? value : op("f64.promote_f32", value);
        });
        const exact = call(imported("exact"), i32(operation), i32(rounding), i32(wide ? 64 : 32), ...values);
        result = lane(`${kind}.replace_lane`, index, result, wide ? exact : op("f32.demote_f64", exact));
      }
      return result;
    },
  };
}

const operandCounts: Readonly<Record<string, number>> = { add: 2, sub: 2, mul: 2, fma: 3, div: 2, sqrt: 1 };

const exactTable: LibraryTable = Object.fromEntries(
  exactOperations.flatMap((name, operation) =>
    exactRoundings.flatMap((rounding, mode) =>
      [false, true].map(
        (wide) =>
          [
            `${name}_${wide ? "f64" : "f32"}_${rounding}`,
            throughHost(operation, mode, wide, operandCounts[name] ?? 2),
          ] as const,
      ),
    ),
  ),
);

/**
 * fma of doubles: the exact product as two doubles (Dekker), added with rounding to odd in the middle (Boldo
 * and Melquiond), right whenever no piece over- or underflows; the rest goes to the host.
 */
const fmaDouble: LibraryFunction = {
  signature: { parameters: ["v128", "v128", "v128"], results: ["v128"] },
  build: ({ builder, imported, parameters }) => {
    const [a, b, c] = Array.from({ length: 3 }, () => builder.local("f64")) as [number, number, number];
    const result = builder.local("v128");
    const one = (index: number): Wasm => [
      parameters.map((parameter, at) =>
        set([a, b, c][at] ?? 0, lane("f64x2.extract_lane", index, parameter)),
      ),
      choose(
        "f64",
        roundsOnce(a, b, c),
        op("f64.add", op("f64.mul", get(a), get(b)), get(c)),
        choose(
          "f64",
          safeForPieces(a, b, c),
          fmaPieces(builder, a, b, c),
          call(imported("exact"), i32(3), i32(0), i32(64), get(a), get(b), get(c)),
        ),
      ),
    ];
    return [set(result, op("f64x2.splat", one(0))), lane("f64x2.replace_lane", 1, get(result), one(1))];
  },
};

/**
 * True when product or addend is zero, so that a multiplication and an addition round only once (far from
 * underflow).
 */
function roundsOnce(a: number, b: number, c: number): Wasm {
  const zero = (value: number): Wasm => op("f64.eq", get(value), f64(0));
  return op(
    "i32.or",
    op("i32.or", zero(a), zero(b)),
    op("i32.and", zero(c), op("f64.gt", op("f64.abs", op("f64.mul", get(a), get(b))), f64(2 ** -1000))),
  );
}

/**
 * True when all magnitudes lie where the pieces of the product and of the sum neither overflow nor lose bits.
 */
function safeForPieces(a: number, b: number, c: number): Wasm {
  const within = (value: Wasm, low: number, high: number): Wasm =>
    op(
      "i32.and",
      op("f64.gt", op("f64.abs", value), f64(low)),
      op("f64.lt", op("f64.abs", value), f64(high)),
    );
  return op(
    "i32.and",
    within(get(c), 2 ** -400, 2 ** 800),
    op("i32.and", within(get(a), 2 ** -400, 2 ** 400), within(get(b), 2 ** -400, 2 ** 400)),
  );
}

function fmaPieces(builder: FunctionBuilder, a: number, b: number, c: number): Wasm {
  const locals = Array.from({ length: 10 }, () => builder.local("f64"));
  const [aHigh = 0, bHigh = 0, high = 0, low = 0, tHigh = 0, tLow = 0, vHigh = 0, vLow = 0, z = 0, part = 0] =
    locals;
  const split = (value: number, into: number): Wasm => [
    set(into, op("f64.mul", get(value), f64(134217729))),
    set(into, op("f64.sub", get(into), op("f64.sub", get(into), get(value)))),
  ];
  const twoSum = (x: number, y: number, sum: number, error: number): Wasm => [
    set(sum, op("f64.add", get(x), get(y))),
    set(part, op("f64.sub", get(sum), get(x))),
    set(
      error,
      op(
        "f64.add",
        op("f64.sub", get(x), op("f64.sub", get(sum), get(part))),
        op("f64.sub", get(y), get(part)),
      ),
    ),
  ];
  const rest = (value: number, upper: number): Wasm => op("f64.sub", get(value), get(upper));
  const bits = op("i64.reinterpret_f64", get(z));
  const needsOdd = op(
    "i32.and",
    op("f64.ne", get(part), f64(0)),
    op("i64.eqz", op("i64.and", bits, i64(1n))),
  );
  const direction = op(
    "i64.or",
    op("i64.shr_s", op("i64.xor", bits, op("i64.reinterpret_f64", get(part))), i64(63n)),
    i64(1n),
  );
  const error = builder.local("f64");
  return [
    split(a, aHigh),
    split(b, bHigh),
    set(high, op("f64.mul", get(a), get(b))),
    set(
      low,
      op(
        "f64.add",
        op("f64.mul", rest(a, aHigh), rest(b, bHigh)),
        op(
          "f64.add",
          op("f64.mul", rest(a, aHigh), get(bHigh)),
          op(
            "f64.add",
            op("f64.mul", get(aHigh), rest(b, bHigh)),
            op("f64.sub", op("f64.mul", get(aHigh), get(bHigh)), get(high)),
          ),
        ),
      ),
    ),
    twoSum(c, low, tHigh, tLow),
    twoSum(high, tHigh, vHigh, vLow),
    twoSum(tLow, vLow, z, error),
    set(part, get(error)),
    op(
      "f64.add",
      get(vHigh),
      op("f64.reinterpret_i64", op("i64.add", bits, op("select", direction, i64(0n), needsOdd))),
    ),
  ];
}

export const floatLibrary: LibraryTable = {
  ...exactTable,
  fma_f32_rn: fmaSingle,
  fma_f64_rn: fmaDouble,
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
