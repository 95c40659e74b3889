import { known } from "../../../base/known";
import { type Wasm, get, i32, op, set, shuffle, splat32, splat64 } from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { directedDoubleLibrary } from "./directed-doubles";
import { sumToOdd } from "./fma";
import type { LibraryFunction, LibraryTable } from "../library";
import { evenWords, firstLongs, oddWords, upperLong } from "../../wasm/shuffles";

type Direction = "rz" | "rm" | "rp";

/** Two lanes of a result in double precision, exact or rounded to odd, and the terms of a sum. */
interface Half {
  readonly value: number;
  /** Sign bits of the terms of a sum, one or the other. */
  readonly signs?: number;
}

type Evaluate = (builder: FunctionBuilder, operands: readonly Wasm[], half: Half) => Wasm;

const promote = (value: Wasm): Wasm => op("f64x2.promote_low_f32x4", value);

/** A sum of two terms, rounded to odd in double precision. */
function sum(terms: (operands: readonly Wasm[]) => readonly [Wasm, Wasm]): Evaluate {
  return (builder, operands, { value, signs }) => {
    const [left, right] = [builder.local("v128"), builder.local("v128")];
    const [first, second] = terms(operands);
    return [
      set(left, first),
      set(right, second),
      set(value, sumToOdd(builder, left, right)),
      signs === undefined ? [] : set(signs, op("v128.or", get(left), get(right))),
    ];
  };
}

interface Evaluation {
  readonly operands: number;
  readonly isSum: boolean;
  readonly evaluate: Evaluate;
}

const evaluations: Readonly<Record<string, Evaluation>> = {
  add: { operands: 2, isSum: true, evaluate: sum(([a = [], b = []]) => [promote(a), promote(b)]) },
  sub: {
    operands: 2,
    isSum: true,
    evaluate: sum(([a = [], b = []]) => [promote(a), op("f64x2.neg", promote(b))]),
  },
  fma: {
    operands: 3,
    isSum: true,
    evaluate: sum(([a = [], b = [], c = []]) => [op("f64x2.mul", promote(a), promote(b)), promote(c)]),
  },
  // Doubles hold the product of two singles exactly.
  mul: {
    operands: 2,
    isSum: false,
    evaluate: (_, [a = [], b = []], { value }) => set(value, op("f64x2.mul", promote(a), promote(b))),
  },
  // A quotient or root of singles that is no single is farther from every single than a double's rounding.
  div: {
    operands: 2,
    isSum: false,
    evaluate: (_, [a = [], b = []], { value }) => set(value, op("f64x2.div", promote(a), promote(b))),
  },
  sqrt: {
    operands: 1,
    isSum: false,
    evaluate: (_, [a = []], { value }) => set(value, op("f64x2.sqrt", promote(a))),
  },
};

/** True where the nearest single lies on the wrong side of the exact value. */
function isBeyond(direction: Direction, value: number, single: Wasm): Wasm {
  const nearest = promote(single);
  if (direction === "rm") return op("f64x2.gt", nearest, get(value));
  if (direction === "rp") return op("f64x2.lt", nearest, get(value));
  return op("f64x2.gt", op("f64x2.abs", nearest), op("f64x2.abs", get(value)));
}

/** What to add to a single's bits for its neighbour in the rounding direction. */
function stepOf(direction: Direction, bits: Wasm): Wasm {
  if (direction === "rz") return splat32(-1);
  // Adding 1 to positive and -1 to negative numbers moves away from zero, which is upwards for positive ones.
  const outward = op("v128.or", op("i32x4.shr_s", bits, i32(31)), splat32(1));
  return direction === "rp" ? outward : op("i32x4.neg", outward);
}

/**
 * Operations on singles with directed rounding: computed in double precision, exactly or rounded
 * to odd, and compared with the nearest single. A sum of exactly zero is negative when rounding down, unless
 * both terms are +0 (IEEE 754-2019 section 6.3).
 */
function directed({ operands, isSum, evaluate }: Evaluation, direction: Direction): LibraryFunction {
  const fixesZero = isSum && direction === "rm";
  return {
    signature: { parameters: Array.from({ length: operands }, () => "v128" as const), results: ["v128"] },
    build: ({ builder, parameters }) => {
      const halves = [0, 1].map((): Half => ({
        value: builder.local("v128"),
        ...(fixesZero ? { signs: builder.local("v128") } : {}),
      })) as [Half, Half];
      const singles = builder.local("v128");
      const [low, high] = halves;
      const both = (part: (half: Half, single: Wasm) => Wasm, words: Uint8Array): Wasm =>
        shuffle(part(low, get(singles)), part(high, shuffle(get(singles), get(singles), upperLong)), words);
      const moved = op(
        "i32x4.add",
        get(singles),
        op(
          "v128.and",
          stepOf(direction, get(singles)),
          both(({ value }, single) => isBeyond(direction, value, single), evenWords),
        ),
      );
      const isNegativeZero = ({ value, signs }: Half): Wasm =>
        op("v128.and", get(known(signs, "the signs of a sum")), op("f64x2.eq", get(value), splat64(0n)));
      return [
        evaluate(builder, parameters, low),
        evaluate(
          builder,
          parameters.map((operand) => shuffle(operand, operand, upperLong)),
          high,
        ),
        set(
          singles,
          shuffle(
            op("f32x4.demote_f64x2_zero", get(low.value)),
            op("f32x4.demote_f64x2_zero", get(high.value)),
            firstLongs,
          ),
        ),
        fixesZero
          ? op("v128.or", moved, op("v128.and", splat32(0x8000_0000 | 0), both(isNegativeZero, oddWords)))
          : moved,
      ];
    },
  };
}

const directedSingleLibrary: LibraryTable = Object.fromEntries(
  Object.entries(evaluations).flatMap(([name, evaluation]) =>
    (["rz", "rm", "rp"] as const).map(
      (direction) => [`${name}_f32_${direction}`, directed(evaluation, direction)] as const,
    ),
  ),
);

/** `OPERATION_f32_DIRECTION` and `OPERATION_f64_DIRECTION`, with one vector for each operand. */
export const directedLibrary: LibraryTable = { ...directedSingleLibrary, ...directedDoubleLibrary };
