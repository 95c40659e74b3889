import { at as element } from "../../../base/known";
import { type Wasm, call, get, i32, load, op, set, shuffle, splat32, store } from "../../wasm/code";
import { isFloat } from "../../ptx/types";
import { withOneNaN } from "../arithmetic/floats";
import type { LibraryContext } from "../library";
import type { Shape } from "./matrix-shapes";
import { evenWords, oddWords, zippedWords } from "../../wasm/shuffles";

/**
 * A row of C or D: row g (half 0) or g + 8 (half 1). Its four lanes are `register` + `extra` bytes into each
 * register.
 */
export interface RowPlace {
  readonly half: number;
  readonly register: Wasm;
  readonly extra: number;
  /** Locals of the first and the last four columns. */
  readonly left: number;
  readonly right: number;
}

/** Reads a row of C. A lane holds two neighbouring columns, in two registers or as packed halves. */
export function readRow(context: LibraryContext, shape: Shape, c: readonly Wasm[], at: RowPlace): Wasm {
  const from = (index: number): Wasm =>
    load("v128.load", op("i32.add", element(c, index), at.register), at.extra);
  if (shape.accumulator.bits === 16) {
    const row = context.builder.local("v128");
    const widen = (value: Wasm): Wasm => call(context.require("f16_to_f32"), value);
    const code = [
      set(row, from(at.half)),
      set(at.left, widen(op("i32x4.extend_low_i16x8_u", get(row)))),
      set(at.right, widen(op("i32x4.extend_high_i16x8_u", get(row)))),
    ];
    context.builder.release(row);
    return code;
  }
  const [even, odd] = [from(2 * at.half), from(2 * at.half + 1)];
  return [
    set(at.left, shuffle(even, odd, zippedWords.low)),
    set(at.right, shuffle(even, odd, zippedWords.high)),
  ];
}

/** Adds C to the sum of the products, which cannot overflow itself, and clamps the result to 32 bits. */
export function addClamped(context: LibraryContext, shape: Shape, c: readonly Wasm[], at: RowPlace): Wasm {
  const { builder } = context;
  const [left, right, sum] = Array.from({ length: 3 }, () => builder.local("v128")) as [
    number,
    number,
    number,
  ];
  const clamp = (target: number, other: number): Wasm => {
    const limit = op("v128.xor", op("i32x4.shr_s", get(target), i32(31)), splat32(0x7fff_ffff));
    const same = op("v128.not", op("v128.xor", get(target), get(other)));
    const overflow = op("i32x4.shr_s", op("v128.and", same, op("v128.xor", get(target), get(sum))), i32(31));
    return [
      set(sum, op("i32x4.add", get(target), get(other))),
      set(target, op("v128.bitselect", limit, get(sum), overflow)),
    ];
  };
  const code = [
    readRow(context, shape, c, { ...at, left, right }),
    clamp(at.left, left),
    clamp(at.right, right),
  ];
  for (const local of [left, right, sum]) builder.release(local);
  return code;
}

/** Writes a row of D; a NaN of single precision becomes the canonical one. */
export function writeRow(context: LibraryContext, shape: Shape, d: readonly Wasm[], at: RowPlace): Wasm {
  const to = (index: number, value: Wasm): Wasm =>
    store("v128.store", op("i32.add", element(d, index), at.register), value, at.extra);
  if (shape.result.bits === 16) {
    const narrow = (local: number): Wasm => call(context.require("f32_to_f16_rn"), get(local));
    return to(at.half, op("i16x8.narrow_i32x4_u", narrow(at.left), narrow(at.right)));
  }
  const canonical = isFloat(shape.result)
    ? [at.left, at.right].map((local) => set(local, withOneNaN(get(local))))
    : [];
  return [
    canonical,
    to(2 * at.half, shuffle(get(at.left), get(at.right), evenWords)),
    to(2 * at.half + 1, shuffle(get(at.left), get(at.right), oddWords)),
  ];
}
