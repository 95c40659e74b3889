import {
  type Wasm,
  call,
  get,
  i32,
  lane,
  op,
  set,
  shuffle,
  splat32,
  splat64,
  splatDouble,
  splatFloat,
} from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { sumToOdd } from "./fma";
import { type LibraryContext, type LibraryFunction, type LibraryTable, vectorLocals } from "../library";
import { evenWords, firstLongs, upperLong } from "../../wasm/shuffles";

const unary = { parameters: ["v128"], results: ["v128"] } as const;

/** Half to single precision: a multiplication moves the exponent and normalises subnormals. */
function halfToSingle(value: Wasm, kept: number): Wasm {
  const magnitude = op("i32x4.shl", op("v128.and", get(kept), splat32(0x7fff)), i32(13));
  const special = op(
    "v128.and",
    op("i32x4.ge_u", op("v128.and", get(kept), splat32(0x7fff)), splat32(0x7c00)),
    splat32(0x7f80_0000),
  );
  return [
    set(kept, value),
    op(
      "v128.or",
      op("v128.or", op("f32x4.mul", magnitude, splatFloat(2 ** 112)), special),
      op("i32x4.shl", op("v128.and", get(kept), splat32(0x8000)), i32(16)),
    ),
  ];
}

const fromHalf: LibraryFunction = {
  signature: unary,
  build: ({ builder, parameters: [value = []] }) => halfToSingle(value, builder.local("v128")),
};

/**
 * Single to half precision. Subnormal results come from adding 0.5, whose last place is the smallest half.
 * NaN becomes 0x7fff (PTX ISA 9.7.4).
 */
function toHalf(nearest: boolean): LibraryFunction {
  return {
    signature: unary,
    build: ({ builder, parameters: [value = []] }) => {
      const magnitude = builder.local("v128");
      const normal = builder.local("v128");
      const tiny = nearest
        ? op("i32x4.sub", op("f32x4.add", get(magnitude), splat32(0x3f00_0000)), splat32(0x3f00_0000))
        : op("i32x4.trunc_sat_f32x4_s", op("f32x4.mul", get(magnitude), splatFloat(2 ** 24)));
      const addend = nearest
        ? op(
            "i32x4.add",
            splat32(0xfff),
            op("v128.and", op("i32x4.shr_u", get(magnitude), i32(13)), splat32(1)),
          )
        : splat32(0);
      const shifted = op(
        "i32x4.shr_u",
        op("i32x4.add", op("i32x4.sub", get(magnitude), splat32(0x3800_0000)), addend),
        i32(13),
      );
      const infinite = op("i32x4.eq", get(magnitude), splat32(0x7f80_0000));
      const limited = nearest
        ? op("i32x4.min_u", shifted, splat32(0x7c00))
        : op("v128.bitselect", splat32(0x7c00), op("i32x4.min_u", shifted, splat32(0x7bff)), infinite);
      const isTiny = op("i32x4.lt_s", get(magnitude), splat32(0x3880_0000));
      const isNan = op("i32x4.gt_s", get(magnitude), splat32(0x7f80_0000));
      return [
        set(magnitude, op("v128.and", value, splat32(0x7fff_ffff))),
        set(normal, op("v128.bitselect", tiny, limited, isTiny)),
        op(
          "v128.bitselect",
          splat32(0x7fff),
          op("v128.or", get(normal), op("v128.and", op("i32x4.shr_u", value, i32(16)), splat32(0x8000))),
          isNan,
        ),
      ];
    },
  };
}

/** Single to bfloat16: the upper half, rounded to nearest even or truncated. NaN becomes 0x7fff. */
function toBfloat(nearest: boolean): LibraryFunction {
  return {
    signature: unary,
    build: ({ parameters: [value = []] }) => {
      const addend = op(
        "i32x4.add",
        splat32(0x7fff),
        op("v128.and", op("i32x4.shr_u", value, i32(16)), splat32(1)),
      );
      const upper = op("i32x4.shr_u", nearest ? op("i32x4.add", value, addend) : value, i32(16));
      return op("v128.bitselect", splat32(0x7fff), upper, op("f32x4.ne", value, value));
    },
  };
}

/**
 * Two doubles to singles in the low lanes, with any rounding except to nearest; "odd" prepares for a second
 * rounding.
 */
function demote(rounding: "rz" | "rm" | "rp" | "odd"): LibraryFunction {
  return {
    signature: unary,
    build: ({ builder, parameters: [value = []] }) => {
      const single = builder.local("v128");
      const back = builder.local("v128");
      return [
        set(single, op("f32x4.demote_f64x2_zero", value)),
        set(back, op("f64x2.promote_low_f32x4", get(single))),
        adjusted(value, get(single), get(back), rounding),
      ];
    },
  };
}

/** Two 64-bit integers to doubles: their halves are exact doubles, whose sum is rounded once. */
function integerToDouble(signed: boolean, rounding: "rz" | "rm" | "rp" | "odd"): LibraryFunction {
  return {
    signature: unary,
    build: ({ builder, parameters: [value = []] }) => {
      const { x, y, sum, error } = vectorLocals(builder, "x", "y", "sum", "error");
      const upper = op(
        signed ? "f64x2.convert_low_i32x4_s" : "f64x2.convert_low_i32x4_u",
        shuffle(value, value, [4, 5, 6, 7, 12, 13, 14, 15, 4, 5, 6, 7, 12, 13, 14, 15]),
      );
      const parts = [
        set(x, op("f64x2.mul", upper, splatDouble(2 ** 32))),
        set(y, op("f64x2.convert_low_i32x4_u", shuffle(value, value, evenWords))),
      ];
      if (rounding === "odd") return [...parts, sumToOdd(builder, x, y)];
      // The upper part is zero or the larger one, so its distance to the sum is exact.
      const positive = op("f64x2.gt", get(error), splatDouble(0));
      const negative = op("f64x2.lt", get(error), splatDouble(0));
      const isNegative = op("i64x2.shr_s", get(sum), i32(63));
      // One unit in the last place away from zero: +1 for positive sums, -1 for negative ones.
      const outward = op("v128.or", isNegative, splat64(1n));
      const steps = {
        rp: op("v128.and", positive, outward),
        rm: op("i64x2.neg", op("v128.and", negative, outward)),
        rz: op("v128.bitselect", positive, negative, isNegative),
      };
      return [
        ...parts,
        set(sum, op("f64x2.add", get(x), get(y))),
        set(error, op("f64x2.sub", get(y), op("f64x2.sub", get(sum), get(x)))),
        op("i64x2.add", get(sum), steps[rounding]),
      ];
    },
  };
}

/**
 * Corrects singles that were rounded to nearest for another rounding mode. `back`: the same singles as
 * doubles.
 */
function adjusted(value: Wasm, single: Wasm, back: Wasm, rounding: "rz" | "rm" | "rp" | "odd"): Wasm {
  const words = (mask: Wasm): Wasm => shuffle(mask, splat32(0), evenWords);
  const farther = words(op("f64x2.gt", op("f64x2.abs", back), op("f64x2.abs", value)));
  // A mask is -1: adding it moves one unit in the last place towards zero.
  if (rounding === "rz") return op("i32x4.add", single, farther);
  if (rounding === "odd") {
    const inexact = words(op("v128.or", op("f64x2.lt", back, value), op("f64x2.gt", back, value)));
    return op("v128.or", op("i32x4.add", single, farther), op("v128.and", inexact, splat32(1)));
  }
  const wrongSide = words(rounding === "rp" ? op("f64x2.lt", back, value) : op("f64x2.gt", back, value));
  const negative = op("i32x4.shr_s", single, i32(31));
  // One unit towards the wanted side: up in magnitude on its own side of zero, else down.
  const outward = rounding === "rp" ? op("v128.not", negative) : negative;
  const step = op("v128.or", op("v128.not", outward), splat32(1));
  return op("i32x4.add", single, op("v128.and", wrongSide, step));
}

/**
 * fma in half precision by singles: the product is exact and the sum is rounded to odd before it is rounded
 * to half.
 */
const fmaHalf: LibraryFunction = {
  signature: { parameters: ["v128", "v128", "v128"], results: ["v128"] },
  build: (context) => {
    const {
      builder,
      parameters: [a = [], b = [], c = []],
    } = context;
    const [product, sum, part, error] = Array.from({ length: 4 }, () => builder.local("v128")) as [
      number,
      number,
      number,
      number,
    ];
    const inexact = op("f32x4.ne", get(error), splat32(0));
    const even = op("i32x4.eq", op("v128.and", get(sum), splat32(1)), splat32(0));
    const finite = op("f32x4.lt", op("f32x4.abs", get(sum)), splatFloat(Infinity));
    const direction = op(
      "v128.or",
      op("i32x4.shr_s", op("v128.xor", get(sum), get(error)), i32(31)),
      splat32(1),
    );
    return [
      set(product, op("f32x4.mul", a, b)),
      set(sum, op("f32x4.add", get(product), c)),
      set(part, op("f32x4.sub", get(sum), get(product))),
      set(
        error,
        op(
          "f32x4.add",
          op("f32x4.sub", get(product), op("f32x4.sub", get(sum), get(part))),
          op("f32x4.sub", c, get(part)),
        ),
      ),
      op(
        "i32x4.add",
        get(sum),
        op("v128.and", direction, op("v128.and", finite, op("v128.and", inexact, even))),
      ),
    ];
  },
};

/** fma in bfloat16 by singles rounded to odd; the product needs the range of doubles. */
const fmaBfloat: LibraryFunction = {
  signature: { parameters: ["v128", "v128", "v128"], results: ["v128"] },
  build: (context) => {
    const {
      builder,
      parameters: [a = [], b = [], c = []],
    } = context;
    const [low, high] = [
      halfOfBfloat(context, builder, [a, b, c]),
      halfOfBfloat(
        context,
        builder,
        [a, b, c].map((value) => shuffle(value, value, upperLong)),
      ),
    ];
    return shuffle(low, high, firstLongs);
  },
};

function halfOfBfloat(
  context: LibraryContext,
  builder: FunctionBuilder,
  [a = [], b = [], c = []]: readonly Wasm[],
): Wasm {
  const product = builder.local("v128");
  const addend = builder.local("v128");
  return [
    set(product, op("f64x2.mul", op("f64x2.promote_low_f32x4", a), op("f64x2.promote_low_f32x4", b))),
    set(addend, op("f64x2.promote_low_f32x4", c)),
    call(context.require("f64_to_f32_odd"), sumToOdd(builder, product, addend)),
  ];
}

/** Converts lanes of 64-bit integers one by one. */
function integerLanes(toFloat: boolean, signed: boolean, wideFloat: boolean): LibraryFunction {
  const sign = signed ? "s" : "u";
  return {
    signature: unary,
    build: ({ parameters: [value = []] }) => {
      const floatShape = wideFloat ? "f64x2" : "f32x4";
      const scalar = wideFloat ? "f64" : "f32";
      let result: Wasm = splat32(0);
      for (let index = 0; index < 2; index += 1) {
        if (toFloat) {
          result = lane(
            `${floatShape}.replace_lane`,
            index,
            result,
            op(`${scalar}.convert_i64_${sign}`, lane("i64x2.extract_lane", index, value)),
          );
        } else {
          const source = lane(`${floatShape}.extract_lane`, index, value);
          result = lane("i64x2.replace_lane", index, result, op(`i64.trunc_sat_${scalar}_${sign}`, source));
        }
      }
      if (toFloat) return result;
      // A NaN becomes the number whose only set bit is the highest (PTX ISA section 9.7.9.21).
      const doubles = wideFloat ? value : op("f64x2.promote_low_f32x4", value);
      return op("v128.bitselect", splat64(1n << 63n), result, op("f64x2.ne", doubles, doubles));
    },
  };
}

export const halfLibrary: LibraryTable = {
  f16_to_f32: fromHalf,
  bf16_to_f32: { signature: unary, build: ({ parameters: [value = []] }) => op("i32x4.shl", value, i32(16)) },
  f32_to_f16_rn: toHalf(true),
  f32_to_f16_rz: toHalf(false),
  f32_to_bf16_rn: toBfloat(true),
  f32_to_bf16_rz: toBfloat(false),
  f64_to_f32_rz: demote("rz"),
  f64_to_f32_rm: demote("rm"),
  f64_to_f32_rp: demote("rp"),
  f64_to_f32_odd: demote("odd"),
  ...Object.fromEntries(
    (["rz", "rm", "rp", "odd"] as const).flatMap(
      (rounding) =>
        [
          [`u64_to_f64_${rounding}`, integerToDouble(false, rounding)],
          [`s64_to_f64_${rounding}`, integerToDouble(true, rounding)],
        ] as const,
    ),
  ),
  fma_f16_odd: fmaHalf,
  fma_bf16_odd: fmaBfloat,
  s64_to_f32: integerLanes(true, true, false),
  u64_to_f32: integerLanes(true, false, false),
  s64_to_f64: integerLanes(true, true, true),
  u64_to_f64: integerLanes(true, false, true),
  f32_to_s64: integerLanes(false, true, false),
  f32_to_u64: integerLanes(false, false, false),
  f64_to_s64: integerLanes(false, true, true),
  f64_to_u64: integerLanes(false, false, true),
};
