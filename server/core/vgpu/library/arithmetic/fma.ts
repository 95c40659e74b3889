import { at as element } from "../../../base/known";
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
  splat64,
  splatDouble,
  when,
} from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { firstLongs, upperLong } from "../../wasm/shuffles";
import { type LibraryFunction, type LibraryTable, doubleLocals, vectorLocals } from "../library";

/**
 * Sum of two doubles rounded to odd: exact, or the neighbour with an odd last bit. A later rounding to a
 * shorter format then rounds as if it were the only one.
 */
export function sumToOdd(builder: FunctionBuilder, x: number, y: number): Wasm {
  const { sum, part, error, direction } = vectorLocals(builder, "sum", "part", "error", "direction");
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

/** fma in single precision: a product that is exact in double precision, then a sum rounded to odd. */
const fmaSingle: LibraryFunction = {
  signature: { parameters: ["v128", "v128", "v128"], results: ["v128"] },
  build: ({ builder, parameters: [a = [], b = [], c = []] }) => {
    const { product, addend, low } = vectorLocals(builder, "product", "addend", "low");
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

/**
 * fma in double precision: the exact product as two doubles (Dekker), then a sum with rounding to odd in the
 * middle (Boldo and Melquiond). Correct when no piece overflows or underflows; the host computes the rest.
 */
const fmaDouble: LibraryFunction = {
  signature: { parameters: ["v128", "v128", "v128"], results: ["v128"] },
  build: ({ builder, imported, parameters, fuses }) => {
    const { a, b, c } = doubleLocals(builder, "a", "b", "c");
    const result = builder.local("v128");
    const isNaN = op("v128.any_true", op("f64x2.ne", get(result), get(result)));
    // Which NaN the processor delivers is not ours to choose.
    const atOnce = [
      set(result, op("f64x2.relaxed_madd", ...parameters)),
      when(op("i32.eqz", isNaN), [get(result), op("return")]),
    ];
    const one = (index: number): Wasm => [
      [a, b, c].map((local, at) => set(local, lane("f64x2.extract_lane", index, element(parameters, at)))),
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
    return [
      fuses ? atOnce : [],
      set(result, op("f64x2.splat", one(0))),
      lane("f64x2.replace_lane", 1, get(result), one(1)),
    ];
  },
};

/** True when the product or the addend is zero: then a multiplication and an addition round only once. */
function roundsOnce(a: number, b: number, c: number): Wasm {
  const zero = (value: number): Wasm => op("f64.eq", get(value), f64(0));
  return op(
    "i32.or",
    op("i32.or", zero(a), zero(b)),
    op("i32.and", zero(c), op("f64.gt", op("f64.abs", op("f64.mul", get(a), get(b))), f64(2 ** -1000))),
  );
}

/** True when no piece of the product or the sum can overflow or lose bits. */
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

/** Sets `sum` and its rounding `error` to the exact sum of two locals (Knuth). Clobbers `part`. */
function twoSum(
  part: number,
  [x, y]: readonly [number, number],
  { sum, error }: { readonly sum: number; readonly error: number },
): Wasm {
  return [
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
}

/** Sets `high` and `low` to the exact product of two locals (Dekker), through the upper halves of both. */
function twoProduct(
  [a, b]: readonly [number, number],
  { aHigh, bHigh, high, low }: Readonly<Record<"aHigh" | "bHigh" | "high" | "low", number>>,
): Wasm {
  const split = (value: number, into: number): Wasm => [
    set(into, op("f64.mul", get(value), f64(134217729))),
    set(into, op("f64.sub", get(into), op("f64.sub", get(into), get(value)))),
  ];
  const rest = (value: number, upper: number): Wasm => op("f64.sub", get(value), get(upper));
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
  ];
}

const pieceNames = [
  "aHigh",
  "bHigh",
  "high",
  "low",
  "tHigh",
  "tLow",
  "vHigh",
  "vLow",
  "z",
  "part",
  "error",
] as const;

/** The exact product plus c, with the small parts rounded to odd before the last addition. */
function fmaPieces(builder: FunctionBuilder, a: number, b: number, c: number): Wasm {
  const pieces = doubleLocals(builder, ...pieceNames);
  const { high, low, tHigh, tLow, vHigh, vLow, z, part, error } = pieces;
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
  return [
    twoProduct([a, b], pieces),
    twoSum(part, [c, low], { sum: tHigh, error: tLow }),
    twoSum(part, [high, tHigh], { sum: vHigh, error: vLow }),
    twoSum(part, [tLow, vLow], { sum: z, error }),
    set(part, get(error)),
    op(
      "f64.add",
      get(vHigh),
      op("f64.reinterpret_i64", op("i64.add", bits, op("select", direction, i64(0n), needsOdd))),
    ),
  ];
}

/** Fused multiply-add, rounded to nearest even. */
export const fmaLibrary: LibraryTable = {
  fma_f32_rn: fmaSingle,
  fma_f64_rn: fmaDouble,
};
