import { at as element } from "../../../base/known";
import { staticLayout } from "../../layout";
import { type Wasm, get, getGlobal, i32, load, op, set, shuffle, store } from "../../wasm/code";
import type { FunctionBuilder } from "../../wasm/module";
import { type LibraryFunction, type LibraryTable, globals } from "../library";

/** Interleaves 16-bit pieces of two vectors, of their low or high halves. */
const zip16 = {
  low: [0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23],
  high: [8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31],
};

/**
 * Transposes eight vectors of 16-bit elements by three rounds of interleaving. The result is in the other
 * eight locals.
 */
export function transpose16(rows: readonly number[], next: readonly number[]): Wasm {
  const round = (from: readonly number[], to: readonly number[]): Wasm =>
    Array.from({ length: 4 }, (_, pair) => {
      const [a, b] = [get(element(from, pair)), get(element(from, pair + 4))];
      return [
        set(element(to, 2 * pair), shuffle(a, b, zip16.low)),
        set(element(to, 2 * pair + 1), shuffle(a, b, zip16.high)),
      ];
    });
  return [round(rows, next), round(next, rows), round(rows, next)];
}

export function vectors(builder: FunctionBuilder, count: number): number[] {
  return Array.from({ length: count }, () => builder.local("v128"));
}

/** Linear addresses of eight rows, from the scratch vector at lane `first`. */
function rowAddresses(first: Wasm): Wasm[] {
  const base = op("i32.add", getGlobal(globals.static), op("i32.shl", first, i32(2)));
  return Array.from({ length: 8 }, (_, row) => load("i32.load", base, staticLayout.addresses + 4 * row));
}

const registerRow =
  (register: Wasm) =>
  (row: number): Wasm =>
    load("v128.load", register, 16 * row);
const storedRow =
  (register: Wasm) =>
  (row: number, value: Wasm): Wasm =>
    store("v128.store", register, value, 16 * row);

interface Move {
  /** The rows to read. */
  readonly from: (row: number) => Wasm;
  readonly to: (row: number, value: Wasm) => Wasm;
  readonly transpose: boolean;
}

/** Copies a matrix of eight rows of 16 bytes, transposed if asked for. */
function copyMatrix(builder: FunctionBuilder, { from, to, transpose }: Move): Wasm {
  const rows = vectors(builder, 8);
  const next = transpose ? vectors(builder, 8) : rows;
  return [
    rows.map((local, row) => set(local, from(row))),
    transpose ? transpose16(rows, next) : [],
    next.map((local, row) => to(row, get(local))),
  ];
}

/**
 * load_matrix(destination, first lane): loads eight rows of 16 bytes from the addresses in the scratch
 * vector. Lane l then holds elements 2·(l mod 4) and the next of row l/4 (PTX ISA section 9.7.15.5.15,
 * ldmatrix). store_matrix is the reverse (9.7.15.5.16, stmatrix).
 */
function loadMatrix(transpose: boolean): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32"], results: [] },
    build: ({ builder, parameters: [destination = [], first = []] }) => {
      const addresses = rowAddresses(first);
      return copyMatrix(builder, {
        from: (row) => load("v128.load", element(addresses, row)),
        to: storedRow(destination),
        transpose,
      });
    },
  };
}

function storeMatrix(transpose: boolean): LibraryFunction {
  return {
    signature: { parameters: ["i32", "i32"], results: [] },
    build: ({ builder, parameters: [source = [], first = []] }) => {
      const addresses = rowAddresses(first);
      return copyMatrix(builder, {
        from: registerRow(source),
        to: (row, value) => store("v128.store", element(addresses, row), value),
        transpose,
      });
    },
  };
}

/**
 * move_matrix(destination, source): movmatrix transposes eight rows of 16 bytes across the warp (PTX ISA
 * section 9.7.15.5.17).
 */
const moveMatrix: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: [] },
  build: ({ builder, parameters: [destination = [], source = []] }) =>
    copyMatrix(builder, { from: registerRow(source), to: storedRow(destination), transpose: true }),
};

export const matrixMemoryLibrary: LibraryTable = {
  load_matrix: loadMatrix(false),
  load_matrix_transposed: loadMatrix(true),
  store_matrix: storeMatrix(false),
  store_matrix_transposed: storeMatrix(true),
  move_matrix: moveMatrix,
};
