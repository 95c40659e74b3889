import { at as element } from "../../../base/known";
import {
  type Wasm,
  branchIf,
  call,
  get,
  i32,
  load,
  loop,
  op,
  set,
  shuffle,
  store,
  tee,
} from "../../wasm/code";
import type { LibraryContext } from "../library";
import type { Shape } from "./matrix-shapes";
import { firstLongs, secondLongs } from "../../wasm/shuffles";

/** Pointers to the registers of a product. */
export interface Fragments {
  readonly d: readonly Wasm[];
  readonly a: readonly Wasm[];
  readonly b: readonly Wasm[];
  readonly c: readonly Wasm[];
}

/** The halves of a pair of registers: the longs 0 and 1 of each. */
const split = { low: firstLongs, high: secondLongs };

/** Locals and operands of one product. */
interface DoubleProduct {
  readonly shape: Shape;
  readonly fragments: Fragments;
  /** Vectors of two sums: columns 0 and 1, 2 and 3, 4 and 5, 6 and 7 of a row. */
  readonly sums: readonly number[];
  /** Bytes from the start of a register to the current row. */
  readonly row: number;
}

/** Loads a row of C: four lanes of 8 bytes in each of two registers, the even and the odd columns. */
function loadSums({ fragments: { c }, sums, row }: DoubleProduct, half: number): Wasm {
  const [even, odd] = [element(c, 2 * half), element(c, 2 * half + 1)];
  const at = (pointer: Wasm, offset: number): Wasm =>
    load("v128.load", op("i32.add", pointer, get(row)), offset);
  return sums.map((sum, pair) =>
    set(
      sum,
      shuffle(at(even, 16 * (pair >> 1)), at(odd, 16 * (pair >> 1)), pair % 2 === 0 ? split.low : split.high),
    ),
  );
}

/** Adds A's element in column k times B's row k to the sums. */
function addColumn(
  context: LibraryContext,
  { shape, fragments: { a, b }, sums, row }: DoubleProduct,
  { half, k }: { readonly half: number; readonly k: number },
): Wasm {
  const rows = shape.m / 8;
  const left = load(
    "v128.load64_splat",
    op("i32.add", element(a, rows * (k >> 2) + half), get(row)),
    8 * (k & 3),
  );
  const entry = (column: number): Wasm =>
    load("v128.load64_splat", element(b, k >> 2), 32 * column + 8 * (k & 3));
  return sums.map((sum, pair) =>
    set(
      sum,
      call(
        context.require("fma_f64_rn"),
        left,
        shuffle(entry(2 * pair), entry(2 * pair + 1), split.low),
        get(sum),
      ),
    ),
  );
}

/** Stores the sums to a row of D. */
function storeSums({ fragments: { d }, sums, row }: DoubleProduct, half: number): Wasm {
  return [0, 1].map((parity) =>
    [0, 1].map((part) =>
      store(
        "v128.store",
        op("i32.add", element(d, 2 * half + parity), get(row)),
        shuffle(
          get(element(sums, 2 * part)),
          get(element(sums, 2 * part + 1)),
          parity === 0 ? split.low : split.high,
        ),
        16 * part,
      ),
    ),
  );
}

/**
 * mma in double precision (PTX ISA section 9.7.15.5.3): lane 4·g + t holds A at row g and column t, B at row
 * t and column g, and columns 2·t and 2·t + 1 of row g of C. Each product is added with one rounding, in
 * ascending order of k.
 */
export function multiplyDouble(context: LibraryContext, shape: Shape, fragments: Fragments): Wasm {
  const sums = Array.from({ length: 4 }, () => context.builder.local("v128"));
  const row = context.builder.local("i32");
  const product: DoubleProduct = { shape, fragments, sums, row };
  const oneRow = (half: number): Wasm => [
    loadSums(product, half),
    Array.from({ length: shape.k }, (_, k) => addColumn(context, product, { half, k })),
    storeSums(product, half),
  ];
  return [
    set(row, i32(0)),
    loop(
      Array.from({ length: shape.m / 8 }, (_, half) => oneRow(half)),
      branchIf(0, op("i32.lt_u", tee(row, op("i32.add", get(row), i32(32))), i32(256))),
    ),
  ];
}
