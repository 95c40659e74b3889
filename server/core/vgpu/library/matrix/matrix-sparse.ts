import { at as element, mustGet } from "../../../base/known";
import type { Matched } from "../../opcodes/table";
import { type PtxType, isSigned, types } from "../../ptx/types";
import { staticLayout } from "../../layout";
import {
  type Wasm,
  branchIf,
  get,
  getGlobal,
  i32,
  load,
  loop,
  op,
  set,
  splat32,
  store,
  tee,
} from "../../wasm/code";
import { type LibraryContext, type LibraryFunction, type LibraryTable, globals } from "../library";
import { accumulate, widen } from "./matrix";
import type { Fragments } from "./matrix-double";
import { vectors } from "./matrix-memory";
import { type RowPlace, addClamped, readRow, writeRow } from "./matrix-rows";
import { type Shape, countsOf, pairsOf } from "./matrix-shapes";
import { doubleFragment, doubledType, unitsOf } from "./matrix-widen";

/** Element types with their inner lengths for mma.sp. */
const kinds: readonly {
  readonly elements: readonly PtxType[];
  readonly lengths: readonly number[];
  readonly sums: readonly PtxType[];
}[] = [
  { elements: [types.f16], lengths: [16, 32], sums: [types.f32, types.f16] },
  { elements: [types.bf16], lengths: [16, 32], sums: [types.f32] },
  { elements: [types.tf32], lengths: [8, 16], sums: [types.f32] },
  { elements: [types.e4m3, types.e5m2], lengths: [64], sums: [types.f32] },
  { elements: [types.s8, types.u8], lengths: [32, 64], sums: [types.s32] },
  { elements: [types.s4, types.u4], lengths: [64, 128], sums: [types.s32] },
];

/** A product with a sparse A, and the layout of its metadata. */
interface SparseShape extends Shape {
  /** Indices must ascend (`.sp::ordered_metadata`). */
  readonly ordered: boolean;
  /** Bytes of a row's metadata in one register: half a register for elements of 16 bits and more. */
  readonly pieceBytes: 2 | 4;
  /** Number of such pieces of a row, two registers or two halves apart. */
  readonly pieces: number;
}

function describe(shape: Shape, ordered: boolean): SparseShape {
  const pieceBytes = shape.a.bits <= 8 ? 4 : 2;
  const metadataBits = (4 * shape.k) / mustGet(describedColumns, shape.a.bits);
  return { ...shape, ordered, pieceBytes, pieces: metadataBits / (8 * pieceBytes) };
}

/**
 * Columns of A that four bits of metadata describe, by the bits of an element: indices of 4-bit integers are
 * for pairs, and of two numbers of 32 bits one is stored (PTX ISA section 9.7.15.6.1).
 */
const describedColumns: ReadonlyMap<number, number> = new Map([
  [4, 8],
  [8, 4],
  [16, 4],
  [32, 2],
]);

const shapes: ReadonlyMap<string, SparseShape> = new Map(
  kinds.flatMap(({ elements, lengths, sums }) =>
    pairsOf(elements).flatMap(({ a, b }) =>
      lengths.flatMap((k) =>
        sums.flatMap((sum) =>
          (isSigned(sum) ? [false, true] : [false]).flatMap((saturate) =>
            [false, true].map((ordered) => {
              const shape = describe({ m: 16, k, a, b, accumulator: sum, result: sum, saturate }, ordered);
              return [nameOf(shape), shape] as const;
            }),
          ),
        ),
      ),
    ),
  ),
);

function nameOf({
  k,
  a,
  b,
  result,
  saturate,
  ordered,
}: Pick<SparseShape, "k" | "a" | "b" | "result" | "saturate" | "ordered">): string {
  return `mma_sparse_m16n8k${k}_${result.name}_${a.name}_${b.name}${saturate ? "_satfinite" : ""}${ordered ? "_ordered" : ""}`;
}

/** What the emitter needs to know of a product with a sparse A. */
interface SparseProduct {
  readonly name: string;
  /** Registers of D, A, B and C. */
  readonly counts: readonly number[];
  /**
   * Number of values of the sparsity selector, and the bytes from the threads of one to those of the next in
   * a group of four.
   */
  readonly selectors: number;
  readonly step: number;
}

/** The library's function for an mma.sp; undefined when there is none. */
export function sparseProduct({ modifiers, types: named }: Matched): SparseProduct | undefined {
  const { sparse, shape = "", d = "", a = "", b = "", saturate } = modifiers;
  const name = `mma_sparse_${shape}_${d}_${a}_${b}${saturate ? "_satfinite" : ""}${sparse === "sp" ? "" : "_ordered"}`;
  const found = shapes.get(name);
  if (!found || found.accumulator !== named.c) return undefined;
  const step = 2 * found.pieceBytes * found.pieces;
  return { name, counts: registersOf(found), selectors: 16 / step, step };
}

/** A has as many registers as in a dense product of half the length. */
function registersOf(shape: Shape): readonly [number, number, number, number] {
  const [d, a, b, c] = countsOf(shape);
  return [d, a / 2, b, c];
}

/**
 * Where the function finds its operands: the static area, and the offset in a group of the first thread that
 * the selector chooses.
 */
interface Place {
  readonly base: Wasm;
  readonly at: Wasm;
}

/**
 * Sets the lowest bit of each valid nibble: two different indices, ascending if required; for tf32 the only
 * two valid values.
 */
function rightNibbles({ a, ordered }: SparseShape, word: number): Wasm {
  const shifted = (count: number): Wasm => op("i32x4.shr_u", get(word), i32(count));
  const differing = (count: number): Wasm => op("v128.xor", shifted(count), shifted(count + 2));
  if (a.bits === 32)
    return op(
      "v128.andnot",
      op("v128.andnot", shifted(2), get(word)),
      op("v128.xor", shifted(3), shifted(1)),
    );
  if (!ordered) return op("v128.or", differing(0), differing(1));
  // The second index is greater if its high bit is, or if the high bits are equal and its low bit is greater.
  return op(
    "v128.or",
    op("v128.andnot", shifted(3), shifted(1)),
    op("v128.andnot", op("v128.andnot", shifted(2), get(word)), differing(1)),
  );
}

/**
 * Copies the metadata register, which D may overwrite, and sets `bad` to the chosen lanes with undefined
 * indices.
 */
function takeMetadata(
  { builder }: LibraryContext,
  shape: SparseShape,
  { from, bad }: { readonly from: Wasm; readonly bad: number },
  { base, at }: Place,
): Wasm {
  const word = builder.local("v128");
  const nibbles = splat32(0x1111_1111);
  const lanes = (1 << ((2 * shape.pieceBytes * shape.pieces) / 4)) - 1;
  const code = Array.from({ length: 8 }, (_, group) => {
    const right = op(
      "i32x4.bitmask",
      op("i32x4.eq", op("v128.and", rightNibbles(shape, word), nibbles), nibbles),
    );
    const wrong = op(
      "i32.and",
      op("i32.xor", right, i32(-1)),
      op("i32.shl", i32(lanes), op("i32.shr_u", at, i32(2))),
    );
    return [
      set(word, load("v128.load", from, 16 * group)),
      store("v128.store", base, get(word), staticLayout.sparseMetadata + 16 * group),
      set(bad, op("i32.or", get(bad), op("i32.shl", wrong, i32(4 * group)))),
    ];
  });
  builder.release(word);
  return [set(bad, i32(0)), code];
}

/**
 * The bits of a row's metadata, 32 in each local. `row`: address of the group's first contributing thread.
 */
function readMetadata(
  { pieceBytes, pieces }: SparseShape,
  words: readonly number[],
  row: Wasm,
  half: number,
): Wasm {
  const at = (piece: number): number => staticLayout.sparseMetadata + pieceBytes * (half + 2 * piece);
  if (pieceBytes === 4) return words.map((word, piece) => set(word, load("i32.load", row, at(piece))));
  const low = load("i32.load16_u", row, at(0));
  return set(
    element(words, 0),
    pieces === 1 ? low : op("i32.or", low, op("i32.shl", load("i32.load16_u", row, at(1)), i32(16))),
  );
}

/** Bits of a row's metadata from `bit` on, moved to bit `to` and masked. */
function metadataField(words: readonly number[], bit: number, to: number, mask: number): Wasm {
  const word = get(element(words, bit >> 5));
  const shift = (bit & 31) - to;
  return op(
    "i32.and",
    shift < 0 ? op("i32.shl", word, i32(-shift)) : op("i32.shr_u", word, i32(shift)),
    i32(mask),
  );
}

/** Four columns from `column` on, of the row of B that belongs to a unit of A. */
function unitOfB(
  shape: SparseShape,
  {
    words,
    base,
    unit,
    column,
  }: {
    readonly words: readonly number[];
    readonly base: Wasm;
    readonly unit: number;
    readonly column: number;
  },
): Wasm {
  const from = (offset: Wasm, row: number): Wasm =>
    load("v128.load", op("i32.add", base, offset), staticLayout.sparseUnits + 32 * row + 4 * column);
  // The two values of an index of tf32, 0b0100 and 0b1110, differ in bit 1.
  if (shape.a.bits === 32) return from(metadataField(words, 4 * unit + 1, 5, 0x20), 2 * unit);
  const isPairs = shape.a.bits === 8 && shape.a.format === undefined;
  if (!isPairs) return from(metadataField(words, 2 * unit, 5, 0x60), 4 * (unit >> 1));
  // A unit is a pair of bytes, each multiplied by a byte of another row: the high bit of an index chooses the
  // pair, the low one the byte in it.
  const pair = (index: number): Wasm =>
    from(metadataField(words, 4 * unit + 2 * index + 1, 5, 0x20), 2 * unit);
  const half = (index: number): Wasm => metadataField(words, 4 * unit + 2 * index, 4, 0x10);
  return op(
    "v128.bitselect",
    op("i32x4.shr_u", pair(0), half(0)),
    op("i32x4.shl", pair(1), op("i32.xor", half(1), i32(16))),
    splat32(0xffff),
  );
}

/**
 * Computes each row of D: its row of C plus the products of A's units with the rows of B that the metadata
 * chooses, in the order of A.
 */
function multiplyRows(
  context: LibraryContext,
  shape: SparseShape,
  { d, c, units }: Pick<Fragments, "d" | "c"> & { readonly units: number },
  { base, at }: Place,
): Wasm {
  const { builder } = context;
  const [left = 0, right = 0, factor = 0] = vectors(builder, 3);
  const [offset, row, metadata] = [builder.local("i32"), builder.local("i32"), builder.local("i32")];
  const words = Array.from({ length: shape.pieceBytes === 4 ? shape.pieces : 1 }, () => builder.local("i32"));
  const oneRow = (half: 0 | 1): Wasm => {
    const place: RowPlace = { half, register: get(offset), extra: 0, left, right };
    return [
      readMetadata(shape, words, get(metadata), half),
      shape.saturate ? [set(left, splat32(0)), set(right, splat32(0))] : readRow(context, shape, c, place),
      Array.from({ length: units }, (_, unit) => [
        set(factor, load("v128.load32_splat", get(row), staticLayout.matrixRows + 4 * (half * units + unit))),
        [left, right].map((sum, side) =>
          set(
            sum,
            accumulate(shape, get(sum), get(factor), unitOfB(shape, { words, base, unit, column: 4 * side })),
          ),
        ),
      ]),
      shape.saturate ? addClamped(context, shape, c, place) : [],
      writeRow(context, shape, d, place),
    ];
  };
  return [
    set(offset, i32(0)),
    set(row, base),
    set(metadata, op("i32.add", base, at)),
    loop(
      oneRow(0),
      oneRow(1),
      set(row, op("i32.add", get(row), i32(8 * units))),
      set(metadata, op("i32.add", get(metadata), i32(16))),
      branchIf(0, op("i32.lt_u", tee(offset, op("i32.add", get(offset), i32(16))), i32(128))),
    ),
  ];
}

/** Widens A and B, after doubling elements of 8 or 4 bits, and multiplies them. */
function multiplyFragments(
  context: LibraryContext,
  shape: SparseShape,
  { d, a, b, c }: Fragments,
  place: Place,
): Wasm {
  const { base } = place;
  const where = { base, units: staticLayout.sparseUnits };
  const [wideA, wideB] = [doubledType(shape.a), doubledType(shape.b)];
  if (!wideA || !wideB)
    return [
      widen(context, shape, { a, b }, where),
      multiplyRows(context, shape, { d, c, units: unitsOf(shape.a) * (a.length / 2) }, place),
    ];
  const left = doubleFragment(context, a, {
    element: shape.a,
    rows: 2,
    base,
    at: staticLayout.matrixDoubled,
  });
  const right = doubleFragment(context, b, {
    element: shape.b,
    rows: 1,
    base,
    at: staticLayout.sparseDoubled,
  });
  return [
    left.code,
    right.code,
    widen(context, { ...shape, a: wideA, b: wideB }, { a: left.registers, b: right.registers }, where),
    multiplyRows(context, shape, { d, c, units: unitsOf(wideA) * a.length }, place),
  ];
}

/**
 * Parameters after the registers of D, A, B and C: the metadata register, and the offset in a group of the
 * first thread that the selector chooses.
 */
const further = 2;

/**
 * mma.sp of 16 by 8 by k (PTX ISA section 9.7.15.6): each stored element of A is multiplied by the row of B
 * that its index chooses, and by no other, so an infinity in B has no effect where A is zero. Sums are
 * rounded as in the dense products. Returns the lanes with undefined metadata.
 */
function multiplySparse(shape: SparseShape): LibraryFunction {
  const counts = registersOf(shape);
  return {
    signature: {
      parameters: Array.from(
        { length: counts.reduce((sum, count) => sum + count) + further },
        () => "i32" as const,
      ),
      results: ["i32"],
    },
    build: (context) => {
      const pointers = [...context.parameters];
      const [d = [], a = [], b = [], c = [], [from = [], at = []] = []] = [...counts, further].map((count) =>
        pointers.splice(0, count),
      );
      const [baseLocal, bad] = [context.builder.local("i32"), context.builder.local("i32")];
      const base = get(baseLocal);
      return [
        set(baseLocal, getGlobal(globals.static)),
        takeMetadata(context, shape, { from, bad }, { base, at }),
        multiplyFragments(context, shape, { d, a, b, c }, { base, at }),
        get(bad),
      ];
    },
  };
}

export const sparseLibrary: LibraryTable = Object.fromEntries(
  [...shapes].map(([name, shape]) => [name, multiplySparse(shape)]),
);
