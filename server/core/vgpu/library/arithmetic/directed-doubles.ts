import { at } from "../../../base/known";
import { type Wasm, call, get, i32, i64, lane, op, set, splat64, splatDouble, when } from "../../wasm/code";
import type { LibraryContext, LibraryFunction, LibraryTable } from "../library";
import { type ErrorMaker, multiplyAddError, productError, remainder, sumError } from "./exact-errors";
import { exactOperations, exactRoundings } from "./floats";

type Direction = "rz" | "rm" | "rp";

/** Locals of two lanes each: the operands and the nearest result. */
interface Values {
  readonly operands: readonly number[];
  readonly nearest: number;
}

/** One operation in double precision. */
interface Evaluation {
  readonly operands: number;
  readonly nearest: (context: LibraryContext, operands: readonly Wasm[]) => Wasm;
  /** What has the sign of the exact value less the nearest one, and is zero where these are equal. */
  readonly error: (maker: ErrorMaker, values: Values) => Wasm;
  /** Where that sign is right, as a mask; the operands are finite. */
  readonly isSafe: (values: Values) => Wasm;
  /** Sign bits of the terms of a sum, one or the other: what an exact zero may have when rounding down. */
  readonly signs?: (operands: readonly number[]) => Wasm;
}

const below = (value: Wasm, limit: number): Wasm =>
  op("f64x2.lt", op("f64x2.abs", value), splatDouble(limit));

/** Zero, or of a magnitude whose products and pieces neither overflow nor lose bits. */
function isUsual(local: number): Wasm {
  const isLarge = op("f64x2.gt", op("f64x2.abs", get(local)), splatDouble(2 ** -400));
  const isZero = op("f64x2.eq", get(local), splatDouble(0));
  return op("v128.and", op("v128.or", isLarge, isZero), below(get(local), 2 ** 400));
}

const areUsual = ({ operands }: Values): Wasm =>
  operands.map(isUsual).reduce((all, each) => op("v128.and", all, each));

/** Sums are exact down to the least double. */
const isSmallSum = ({ nearest, operands }: Values): Wasm =>
  [nearest, ...operands]
    .map((local) => below(get(local), 2 ** 1000))
    .reduce((all, each) => op("v128.and", all, each));

const pair = (operands: readonly number[]): readonly [number, number] => [at(operands, 0), at(operands, 1)];

const evaluations: Readonly<Record<string, Evaluation>> = {
  add: {
    operands: 2,
    nearest: (_, [a = [], b = []]) => op("f64x2.add", a, b),
    error: (maker, { operands, nearest }) => sumError(maker, [...pair(operands), nearest]),
    isSafe: isSmallSum,
    signs: (operands) => op("v128.or", get(at(operands, 0)), get(at(operands, 1))),
  },
  mul: {
    operands: 2,
    nearest: (_, [a = [], b = []]) => op("f64x2.mul", a, b),
    error: (maker, { operands, nearest }) => productError(maker, [...pair(operands), nearest]),
    isSafe: areUsual,
  },
  fma: {
    operands: 3,
    nearest: ({ require }, operands) => call(require("fma_f64_rn"), ...operands),
    error: (maker, { operands, nearest }) =>
      multiplyAddError(maker, [...pair(operands), at(operands, 2), nearest]),
    isSafe: areUsual,
    signs: (operands) => {
      const [a, b] = pair(operands);
      return op("v128.or", op("v128.xor", get(a), get(b)), get(at(operands, 2)));
    },
  },
  div: {
    operands: 2,
    nearest: (_, [a = [], b = []]) => op("f64x2.div", a, b),
    error: (maker, { operands, nearest }) => {
      const [a, b] = pair(operands);
      const left = remainder(maker, [a, nearest, b]);
      return op("v128.xor", left, op("v128.and", get(b), splat64(signBit)));
    },
    isSafe: areUsual,
  },
  sqrt: {
    operands: 1,
    nearest: (_, [a = []]) => op("f64x2.sqrt", a),
    error: (maker, { operands, nearest }) => remainder(maker, [at(operands, 0), nearest, nearest]),
    isSafe: areUsual,
  },
};

const signBit = -(2n ** 63n);

/** Where the nearest double lies on the wrong side of the exact value, which is `error` more. */
function isBeyond(direction: Direction, nearest: number, error: number): Wasm {
  if (direction === "rm") return op("f64x2.lt", get(error), splatDouble(0));
  if (direction === "rp") return op("f64x2.gt", get(error), splatDouble(0));
  const isOther = op("i64x2.shr_s", op("v128.xor", get(nearest), get(error)), i32(63));
  return op("v128.and", isOther, op("f64x2.gt", op("f64x2.abs", get(error)), splatDouble(0)));
}

/** What to add to a double's bits for its neighbour in the rounding direction. */
function stepOf(direction: Direction, bits: Wasm): Wasm {
  if (direction === "rz") return splat64(-1n);
  const outward = op("v128.or", op("i64x2.shr_s", bits, i32(63)), splat64(1n));
  return direction === "rp" ? outward : op("i64x2.neg", outward);
}

/** The host computes the lanes in which the sign of the error is not sure, with the operation's numbers. */
function throughHost(
  { imported }: LibraryContext,
  { operands, result }: { readonly operands: readonly number[]; readonly result: number },
  [operation, direction]: readonly [string, Direction],
): (index: 0 | 1) => Wasm {
  const [kind, rounding] = [operations.indexOf(operation), roundings.indexOf(direction)];
  return (index) => {
    const values = [0, 1, 2].map((place) =>
      lane("f64x2.extract_lane", index, get(at(operands, Math.min(place, operands.length - 1)))),
    );
    const exact = call(imported("exact"), i32(kind), i32(rounding), i32(64), ...values);
    return set(result, lane("f64x2.replace_lane", index, get(result), exact));
  };
}

const operations: readonly string[] = exactOperations;
const roundings: readonly string[] = exactRoundings;

/**
 * Operations on doubles with directed rounding: the nearest result, moved to its neighbour where what it
 * lacks of the exact value says so. With an operand that is not finite the error is none or a NaN, and the
 * nearest result stays.
 */
function directed(name: string, evaluation: Evaluation, direction: Direction): LibraryFunction {
  return {
    signature: {
      parameters: Array.from({ length: evaluation.operands }, () => "v128" as const),
      results: ["v128"],
    },
    build: (context) => {
      const { builder, fuses, parameters } = context;
      const operands = parameters.map((_, index) => index);
      const [nearest, error, result, unsure] = [0, 1, 2, 3].map(() => builder.local("v128")) as [
        number,
        number,
        number,
        number,
      ];
      const values = { operands, nearest };
      const areFinite = operands
        .map((local) => below(get(local), Infinity))
        .reduce((all, each) => op("v128.and", all, each));
      const moved = op(
        "i64x2.add",
        get(nearest),
        op("v128.and", stepOf(direction, get(nearest)), isBeyond(direction, nearest, error)),
      );
      const signs = direction === "rm" ? evaluation.signs?.(operands) : undefined;
      const isZero = op("f64x2.eq", get(nearest), splatDouble(0));
      const withZero = (zero: Wasm): Wasm =>
        op("v128.or", moved, op("v128.and", splat64(signBit), op("v128.and", isZero, zero)));
      const host = throughHost(context, { operands, result }, [name, direction]);
      const one = (index: 0 | 1): Wasm =>
        when(op("i64.ne", lane("i64x2.extract_lane", index, get(unsure)), i64(0n)), host(index));
      return [
        set(nearest, evaluation.nearest(context, parameters)),
        set(error, evaluation.error({ builder, fuses }, values)),
        set(unsure, op("v128.andnot", areFinite, evaluation.isSafe(values))),
        set(result, signs === undefined ? moved : withZero(signs)),
        when(op("v128.any_true", get(unsure)), [one(0), one(1)]),
        get(result),
      ];
    },
  };
}

const directions = ["rz", "rm", "rp"] as const;

function difference(direction: Direction): LibraryFunction {
  return {
    signature: { parameters: ["v128", "v128"], results: ["v128"] },
    build: ({ parameters: [a = [], b = []], require }) =>
      call(require(`add_f64_${direction}`), a, op("f64x2.neg", b)),
  };
}

/** `OPERATION_f64_DIRECTION`, with one vector for each operand. */
export const directedDoubleLibrary: LibraryTable = Object.fromEntries(
  directions.flatMap((direction) => [
    [`sub_f64_${direction}`, difference(direction)] as const,
    ...Object.entries(evaluations).map(
      ([name, evaluation]) => [`${name}_f64_${direction}`, directed(name, evaluation, direction)] as const,
    ),
  ]),
);
