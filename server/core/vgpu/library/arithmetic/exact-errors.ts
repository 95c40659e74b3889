import { type Wasm, get, op, set, splatDouble } from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { vectorLocals } from "../library";

/** Makes what nearest rounding has lost: an expression over locals of two doubles each. */
export interface ErrorMaker {
  readonly builder: FunctionBuilder;
  /** The engine multiplies and adds with one rounding. */
  readonly fuses: boolean;
}

/** 2 ** 27 + 1, which parts a double into two halves (Dekker). */
const splitter = splatDouble(134217729);

/** `x + y - sum` exactly, where nothing overflows (Knuth). */
export function sumError({ builder }: ErrorMaker, [x, y, sum]: readonly [number, number, number]): Wasm {
  const part = builder.local("v128");
  return [
    set(part, op("f64x2.sub", get(sum), get(x))),
    op(
      "f64x2.add",
      op("f64x2.sub", get(x), op("f64x2.sub", get(sum), get(part))),
      op("f64x2.sub", get(y), get(part)),
    ),
  ];
}

/** `x * y - product` exactly, where nothing overflows or loses bits (Dekker). */
export function productError(
  { builder, fuses }: ErrorMaker,
  [x, y, product]: readonly [number, number, number],
): Wasm {
  if (fuses) return op("f64x2.relaxed_madd", get(x), get(y), op("f64x2.neg", get(product)));
  const { xHigh, yHigh, xLow, yLow } = vectorLocals(builder, "xHigh", "yHigh", "xLow", "yLow");
  const split = (value: number, high: number, low: number): Wasm => [
    set(high, op("f64x2.mul", get(value), splitter)),
    set(high, op("f64x2.sub", get(high), op("f64x2.sub", get(high), get(value)))),
    set(low, op("f64x2.sub", get(value), get(high))),
  ];
  const times = (left: number, right: number): Wasm => op("f64x2.mul", get(left), get(right));
  return [
    split(x, xHigh, xLow),
    split(y, yHigh, yLow),
    op(
      "f64x2.add",
      times(xLow, yLow),
      op(
        "f64x2.add",
        times(xLow, yHigh),
        op("f64x2.add", times(xHigh, yLow), op("f64x2.sub", times(xHigh, yHigh), get(product))),
      ),
    ),
  ];
}

/** `whole - x * y`, which is a double where `x` is the nearest quotient, or both are the nearest root. */
export function remainder(maker: ErrorMaker, [whole, x, y]: readonly [number, number, number]): Wasm {
  const product = maker.builder.local("v128");
  return [
    set(product, op("f64x2.mul", get(x), get(y))),
    op("f64x2.sub", op("f64x2.sub", get(whole), get(product)), productError(maker, [x, y, product])),
  ];
}

/**
 * `x * y + z - result`, or at least its sign, where `result` is the nearest to the exact value and nothing
 * overflows or loses bits (Boldo and Muller).
 */
export function multiplyAddError(
  maker: ErrorMaker,
  [x, y, z, result]: readonly [number, number, number, number],
): Wasm {
  const { builder } = maker;
  const { high, low, small, rest, large, left } = vectorLocals(
    builder,
    ...(["high", "low", "small", "rest", "large", "left"] as const),
  );
  return [
    set(high, op("f64x2.mul", get(x), get(y))),
    set(low, productError(maker, [x, y, high])),
    set(small, op("f64x2.add", get(z), get(low))),
    set(rest, sumError(maker, [z, low, small])),
    set(large, op("f64x2.add", get(high), get(small))),
    set(left, sumError(maker, [high, small, large])),
    op("f64x2.add", op("f64x2.add", op("f64x2.sub", get(large), get(result)), get(left)), get(rest)),
  ];
}
