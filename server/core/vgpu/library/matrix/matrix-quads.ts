import { at as element, known } from "../../../base/known";
import type { Matched } from "../../opcodes/table";
import { type PtxType, types } from "../../ptx/types";
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
  splat32,
  store,
  tee,
} from "../../wasm/code";
import { withOneNaN } from "../arithmetic/floats";
import type { LibraryContext, LibraryFunction, LibraryTable } from "../library";
import { vectors } from "./matrix-memory";
import { transpose32 } from "./matrix-widen";

/** How a quad holds a matrix: lines of A or B along rows or along columns. */
type Order = "row" | "col";

/** The kinds of mma.m8n8k4 with halves. */
interface QuadProduct {
  readonly result: PtxType;
  readonly accumulator: PtxType;
  readonly a: Order;
  readonly b: Order;
}

/** With this shape an accumulator of .f32 requires a result of .f32. */
const precisions = [
  [types.f32, types.f32],
  [types.f32, types.f16],
  [types.f16, types.f16],
] as const;
const orders = ["row", "col"] as const;

const products: readonly QuadProduct[] = precisions.flatMap(([result, accumulator]) =>
  orders.flatMap((a) => orders.map((b) => ({ result, accumulator, a, b }))),
);

function nameOf({ result, accumulator, a, b }: QuadProduct): string {
  return `mma_quads_${a}_${b}_${result.name}_${accumulator.name}`;
}

function countsOf({ result, accumulator }: QuadProduct): readonly [number, number, number, number] {
  const outer = ({ bits }: PtxType): number => bits / 4;
  return [outer(result), 2, 2, outer(accumulator)];
}

/**
 * Function and register counts of D, A, B and C for mma.m8n8k4 of halves; undefined for the modifiers of
 * another product.
 */
export function quadProduct({
  modifiers,
  types: named,
}: Matched): { readonly name: string; readonly counts: readonly number[] } | undefined {
  if (modifiers["shape"] !== "m8n8k4" || named.a !== types.f16 || named.b !== types.f16) return undefined;
  const found = products.find(
    ({ result, accumulator, a, b }) =>
      named.d === result &&
      named.c === accumulator &&
      modifiers["layoutA"] === a &&
      modifiers["layoutB"] === b,
  );
  return found && { name: nameOf(found), counts: countsOf(found) };
}

/** Four lanes of a register: the low or the high group of the current product. */
interface Quad {
  readonly context: LibraryContext;
  /** Byte offset of the product's low group in each register. */
  readonly offset: number;
  readonly group: 0 | 1;
}

function place({ offset, group }: Quad, pointer: Wasm | undefined): [Wasm, number] {
  return [op("i32.add", known(pointer, "the address of a register"), get(offset)), 64 * group];
}

/** Element i of each of the four lanes as singles, one vector for each i: registers hold two halves each. */
function unpack(quad: Quad, registers: readonly Wasm[], into: readonly number[]): Wasm {
  const { context } = quad;
  return into.map((local, index) => {
    const word = load("v128.load", ...place(quad, registers[index >> 1]));
    return set(
      local,
      call(
        context.require("f16_to_f32"),
        index % 2 === 0 ? op("v128.and", word, splat32(0xffff)) : op("i32x4.shr_u", word, i32(16)),
      ),
    );
  });
}

/**
 * Rows of single precision share registers in pairs: lanes 0 and 2 hold columns of the even row, lanes 1 and
 * 3 those of the odd one.
 */
const pairs = {
  first: [0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27],
  second: [4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31],
};

/** Four rows of C or D: a vector of four columns of each, the left and the right half. */
interface Rows {
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly spare: readonly number[];
}

function readRows(quad: Quad, type: PtxType, c: readonly Wasm[], rows: Rows): Wasm {
  return ([rows.left, rows.right] as const).map((sums, half) => {
    if (type === types.f16)
      return [unpack(quad, c.slice(2 * half, 2 * half + 2), sums), transpose32(sums, rows.spare)];
    return [0, 2].map((row) => {
      const [even, odd] = [0, 1].map((index) =>
        load("v128.load", ...place(quad, c[4 * half + row + index])),
      ) as [Wasm, Wasm];
      return [
        set(element(sums, row), shuffle(even, odd, pairs.first)),
        set(element(sums, row + 1), shuffle(even, odd, pairs.second)),
      ];
    });
  });
}

/** Writes four rows; a NaN of single precision becomes the canonical one. */
function writeRows(quad: Quad, type: PtxType, d: readonly Wasm[], rows: Rows): Wasm {
  const { context } = quad;
  return ([rows.left, rows.right] as const).map((sums, half) => {
    if (type === types.f16) {
      const narrow = (local: number): Wasm => call(context.require("f32_to_f16_rn"), get(local));
      return [
        transpose32(sums, rows.spare),
        [0, 1].map((index) =>
          store(
            "v128.store",
            ...stored(
              quad,
              d[2 * half + index],
              op(
                "v128.or",
                narrow(element(sums, 2 * index)),
                op("i32x4.shl", narrow(element(sums, 2 * index + 1)), i32(16)),
              ),
            ),
          ),
        ),
      ];
    }
    const canonical = sums.map((local) => set(local, withOneNaN(get(local))));
    return [
      canonical,
      [0, 2].map((row) =>
        (["first", "second"] as const).map((which, index) =>
          store(
            "v128.store",
            ...stored(
              quad,
              d[4 * half + row + index],
              shuffle(get(element(sums, row)), get(element(sums, row + 1)), pairs[which]),
            ),
          ),
        ),
      ),
    ];
  });
}

function stored(quad: Quad, pointer: Wasm | undefined, value: Wasm): [Wasm, Wasm, number] {
  const [address, at] = place(quad, pointer);
  return [address, value, at];
}

/** Adds the products of four rows in ascending order of k. */
function accumulate(order: Order, a: readonly number[], b: readonly (readonly number[])[], rows: Rows): Wasm {
  const splat = (row: number, k: number): Wasm => {
    const [local, lane] = order === "row" ? [element(a, k), row] : [element(a, row), k];
    return shuffle(
      get(local),
      get(local),
      Array.from({ length: 16 }, (_, byte) => 4 * lane + (byte & 3)),
    );
  };
  return [rows.left, rows.right].map((sums, half) =>
    sums.map((sum, row) =>
      [0, 1, 2, 3].map((k) =>
        set(
          sum,
          op("f32x4.add", get(sum), op("f32x4.mul", splat(row, k), get(element(element(b, half), k)))),
        ),
      ),
    ),
  );
}

/**
 * mma.m8n8k4 of halves (PTX ISA section 9.7.15.5.1): lanes 4·q to 4·q + 3 and those 16 above them compute
 * product q of four. A lane holds a row of A and a column of B; in the other layout a column of the upper or
 * lower half of A and a row of the left or right half of B. All lanes of a product are read before any is
 * written. Products are exact; sums are rounded to single precision after each addition.
 */
function multiplyQuads(product: QuadProduct): LibraryFunction {
  const counts = countsOf(product);
  return {
    signature: {
      parameters: Array.from({ length: counts.reduce((sum, count) => sum + count) }, () => "i32" as const),
      results: [],
    },
    build: (context) => {
      const { builder } = context;
      const pointers = [...context.parameters];
      const [d = [], a = [], b = [], c = []] = counts.map((count) => pointers.splice(0, count));
      const offset = builder.local("i32");
      const [left, right, spare, factors] = Array.from({ length: 4 }, () => vectors(builder, 4)) as [
        number[],
        number[],
        number[],
        number[],
      ];
      const columns = [vectors(builder, 4), vectors(builder, 4)];
      const rows: Rows = { left, right, spare };
      const quads = ([0, 1] as const).map((group): Quad => ({ context, offset, group }));
      return [
        set(offset, i32(0)),
        loop(
          quads.map((quad) => {
            const into = element(columns, quad.group);
            return [unpack(quad, b, into), product.b === "row" ? transpose32(into, spare) : []];
          }),
          quads.map((quad) => [
            unpack(quad, a, factors),
            readRows(quad, product.accumulator, c, rows),
            accumulate(product.a, factors, columns, rows),
            writeRows(quad, product.result, d, rows),
          ]),
          branchIf(0, op("i32.lt_u", tee(offset, op("i32.add", get(offset), i32(16))), i32(64))),
        ),
      ];
    },
  };
}

export const quadLibrary: LibraryTable = Object.fromEntries(
  products.map((product) => [nameOf(product), multiplyQuads(product)]),
);
