import { type PlainOpcode, type Wasm, get, i32, i64, lane, op, set, shuffle, splat32 } from "../../wasm/code";
import type { LibraryFunction, LibraryTable } from "../library";
import { firstLongs, upperLong } from "../../wasm/shuffles";

const binarySignature = { parameters: ["v128", "v128"], results: ["v128"] } as const;

/** Applies scalar code to each lane of the operands and collects the results. */
function lanewise(
  wide: boolean,
  operandCount: number,
  each: (lanes: readonly Wasm[]) => Wasm,
): LibraryFunction {
  const shape = wide ? "i64x2" : "i32x4";
  return {
    signature: { parameters: Array.from({ length: operandCount }, () => "v128" as const), results: ["v128"] },
    build: ({ parameters }) => {
      let result: Wasm = splat32(0);
      for (let index = 0; index < (wide ? 2 : 4); index += 1) {
        const values = parameters.map((parameter) => lane(`${shape}.extract_lane`, index, parameter));
        result = lane(`${shape}.replace_lane`, index, result, each(values));
      }
      return result;
    },
  };
}

/** Shifts each lane by its own count; counts of the width or more shift everything out. */
function variableShift(code: "shl" | "shr_u" | "shr_s", wide: boolean): LibraryFunction {
  const scalar = wide ? "i64" : "i32";
  const constant = (value: number): Wasm => (wide ? i64(BigInt(value)) : i32(value));
  const width = wide ? 64 : 32;
  return lanewise(wide, 2, ([value = [], count = []]) => {
    const inside = op(`${scalar}.lt_u`, count, constant(width));
    const beyond = code === "shr_s" ? op(`${scalar}.shr_s`, value, constant(width - 1)) : constant(0);
    return op("select", op(`${scalar}.${code}`, value, count), beyond, inside);
  });
}

/**
 * Quotient of unsigned 32-bit lanes in double precision. It is exact: a quotient that is not an integer
 * differs from one by more than the rounding error.
 */
function quotientUnsigned(a: Wasm, b: Wasm): Wasm {
  const high = upperLong;
  const half = (select: (value: Wasm) => Wasm): Wasm =>
    op(
      "i32x4.trunc_sat_f64x2_u_zero",
      op("f64x2.div", op("f64x2.convert_low_i32x4_u", select(a)), op("f64x2.convert_low_i32x4_u", select(b))),
    );
  return shuffle(
    half((value) => value),
    half((value) => shuffle(value, value, high)),
    firstLongs,
  );
}

function divide32(signed: boolean, remainder: boolean): LibraryFunction {
  return {
    signature: binarySignature,
    build: ({ builder, parameters: [a = [], b = []] }) => {
      const quotient = builder.local("v128");
      const sign = builder.local("v128");
      const unsigned: Wasm = signed
        ? [
            set(sign, op("i32x4.shr_s", op("v128.xor", a, b), i32(31))),
            set(quotient, quotientUnsigned(op("i32x4.abs", a), op("i32x4.abs", b))),
            set(quotient, op("i32x4.sub", op("v128.xor", get(quotient), get(sign)), get(sign))),
          ]
        : set(quotient, quotientUnsigned(a, b));
      const zero = op("i32x4.eq", b, splat32(0));
      return [
        unsigned,
        remainder
          ? op("i32x4.sub", a, op("i32x4.mul", get(quotient), b))
          : op("v128.or", get(quotient), zero),
      ];
    },
  };
}

function divide64(signed: boolean, remainder: boolean): LibraryFunction {
  return lanewise(true, 2, ([a = [], b = []]) => {
    const zero = op("i64.eqz", b);
    const safe = op("select", i64(1n), b, zero);
    if (!signed) {
      return remainder
        ? op("select", a, op("i64.rem_u", a, safe), zero)
        : op("select", i64(-1n), op("i64.div_u", a, safe), zero);
    }
    if (remainder) return op("select", a, op("i64.rem_s", a, safe), zero);
    // The most negative number divided by -1 would trap; negation wraps, as in 32 bits.
    const minusOne = op("i64.eq", b, i64(-1n));
    const divided = op("i64.div_s", a, op("select", i64(1n), safe, minusOne));
    return op("select", i64(-1n), op("select", op("i64.sub", i64(0n), a), divided, minusOne), zero);
  });
}

/** High 64 bits of a 64 by 64 product from four 32-bit products. */
function highProduct64(signed: boolean): LibraryFunction {
  return {
    signature: binarySignature,
    build: ({ builder, parameters: [a = [], b = []] }) => {
      const [x, y, middle, other] = Array.from({ length: 4 }, () => builder.local("i64")) as [
        number,
        number,
        number,
        number,
      ];
      const low = (value: Wasm): Wasm => op("i64.and", value, i64(0xffff_ffffn));
      const high = (value: Wasm): Wasm => op("i64.shr_u", value, i64(32n));
      const one = (index: number): Wasm => {
        const unsignedHigh = op(
          "i64.add",
          op("i64.add", op("i64.mul", high(get(x)), high(get(y))), high(get(middle))),
          high(get(other)),
        );
        const corrected = signed
          ? op(
              "i64.sub",
              op("i64.sub", unsignedHigh, op("i64.and", op("i64.shr_s", get(x), i64(63n)), get(y))),
              op("i64.and", op("i64.shr_s", get(y), i64(63n)), get(x)),
            )
          : unsignedHigh;
        return [
          set(x, lane("i64x2.extract_lane", index, a)),
          set(y, lane("i64x2.extract_lane", index, b)),
          set(
            middle,
            op(
              "i64.add",
              op("i64.mul", high(get(x)), low(get(y))),
              high(op("i64.mul", low(get(x)), low(get(y)))),
            ),
          ),
          set(other, op("i64.add", op("i64.mul", low(get(x)), high(get(y))), low(get(middle)))),
          corrected,
        ];
      };
      const result = builder.local("v128");
      return [set(result, op("i64x2.splat", one(0))), lane("i64x2.replace_lane", 1, get(result), one(1))];
    },
  };
}

function bitCount(scalar: "i32" | "i64", code: "popcnt" | "clz"): LibraryFunction {
  return lanewise(scalar === "i64", 1, ([value = []]) => op(`${scalar}.${code}` as PlainOpcode, value));
}

/** Reverses the bits of each lane: within bytes by three swaps, then the bytes. */
function reverseBits(wide: boolean): LibraryFunction {
  return {
    signature: { parameters: ["v128"], results: ["v128"] },
    build: ({ builder, parameters: [value = []] }) => {
      const kept = builder.local("v128");
      const swap = (bits: number, mask: number): Wasm =>
        set(
          kept,
          op(
            "v128.or",
            op("v128.and", op("i32x4.shr_u", get(kept), i32(bits)), splat32(mask)),
            op("i32x4.shl", op("v128.and", get(kept), splat32(mask)), i32(bits)),
          ),
        );
      const order = wide
        ? [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]
        : [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];
      return [
        set(kept, value),
        swap(1, 0x5555_5555),
        swap(2, 0x3333_3333),
        swap(4, 0x0f0f_0f0f),
        shuffle(get(kept), get(kept), order),
      ];
    },
  };
}

/**
 * prmt in its general form: each nibble of the selector chooses a byte; its high bit replicates the byte's
 * sign.
 */
const permuteBytes: LibraryFunction = lanewise(false, 3, ([a = [], b = [], selection = []]) => {
  const both = op("i64.or", op("i64.extend_i32_u", a), op("i64.shl", op("i64.extend_i32_u", b), i64(32n)));
  const one = (index: number): Wasm => {
    const nibble = op("i32.shr_u", selection, i32(4 * index));
    const byte = op(
      "i32.wrap_i64",
      op("i64.shr_u", both, op("i64.extend_i32_u", op("i32.shl", op("i32.and", nibble, i32(7)), i32(3)))),
    );
    const sign = op("i32.shr_s", op("i32.extend8_s", byte), i32(31));
    return op(
      "i32.shl",
      op("i32.and", op("select", sign, byte, op("i32.and", nibble, i32(8))), i32(255)),
      i32(8 * index),
    );
  };
  return [0, 1, 2, 3].map(one).reduce((left, right) => op("i32.or", left, right));
});

/** drop_low_bits(value, count): clears that many of the lowest set bits of each lane. */
const dropLowBits: LibraryFunction = {
  signature: binarySignature,
  build: ({ builder, parameters: [value = [], count = []] }) => {
    const rest = builder.local("v128");
    const without = op("v128.and", get(rest), op("i32x4.sub", get(rest), splat32(1)));
    const steps = Array.from({ length: 32 }, (_, done) =>
      set(rest, op("v128.bitselect", without, get(rest), op("i32x4.gt_s", count, splat32(done)))),
    );
    return [set(rest, value), ...steps, get(rest)];
  },
};

export const integerLibrary: LibraryTable = {
  drop_low_bits: dropLowBits,
  permute_bytes: permuteBytes,
  shift_left_32: variableShift("shl", false),
  shift_left_64: variableShift("shl", true),
  shift_right_32: variableShift("shr_u", false),
  shift_right_64: variableShift("shr_u", true),
  shift_right_signed_32: variableShift("shr_s", false),
  shift_right_signed_64: variableShift("shr_s", true),
  div_u32: divide32(false, false),
  div_s32: divide32(true, false),
  rem_u32: divide32(false, true),
  rem_s32: divide32(true, true),
  div_u64: divide64(false, false),
  div_s64: divide64(true, false),
  rem_u64: divide64(false, true),
  rem_s64: divide64(true, true),
  high_product_u64: highProduct64(false),
  high_product_s64: highProduct64(true),
  popc_32: bitCount("i32", "popcnt"),
  popc_64: bitCount("i64", "popcnt"),
  clz_32: bitCount("i32", "clz"),
  clz_64: bitCount("i64", "clz"),
  brev_32: reverseBits(false),
  brev_64: reverseBits(true),
};
