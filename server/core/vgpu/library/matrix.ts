import { staticLayout } from "../layout";
import { type Wasm, branchIf, call, get, getGlobal, i32, lane, load, loop, op, set, shuffle, splat32, store, tee } from "../wasm/code";
import { type LibraryContext, type LibraryFunction, type LibraryTable, globals } from "./library";

const scratch = staticLayout.addresses;

/** Interleaves 16-bit pieces of two vectors: the low or the high half of each. */
const zip16 = { low: [0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23], high: [8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31] };

/**
 * load_matrix(destination, first lane): copies the eight rows of 16 bytes whose linear addresses stand in the scratch vector from the
 * first lane on. Lane l then holds elements 2·(l mod 4) and the next of row l/4 (PTX ISA section 9.7.14.5.15, ldmatrix).
 */
const loadMatrix: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: [] },
  build: ({ parameters: [destination = [], first = []] }) => rowAddresses(first).map((address, row) =>
    store("v128.store", destination, load("v128.load", address), 16 * row)),
};

function rowAddresses(first: Wasm): Wasm[] {
  const base = op("i32.add", getGlobal(globals.static), op("i32.shl", first, i32(2)));
  return Array.from({ length: 8 }, (_, row) => load("i32.load", base, scratch + 4 * row));
}

/** load_matrix_transposed: the same with rows and columns exchanged: three rounds of interleaving 16-bit elements. */
const loadMatrixTransposed: LibraryFunction = {
  signature: { parameters: ["i32", "i32"], results: [] },
  build: ({ builder, parameters: [destination = [], first = []] }) => {
    const rows = Array.from({ length: 8 }, () => builder.local("v128"));
    const next = Array.from({ length: 8 }, () => builder.local("v128"));
    const round = (from: readonly number[], to: readonly number[]): Wasm => Array.from({ length: 4 }, (_, pair) => {
      const [a, b] = [get(from[pair] ?? 0), get(from[pair + 4] ?? 0)];
      return [set(to[2 * pair] ?? 0, shuffle(a, b, zip16.low)), set(to[2 * pair + 1] ?? 0, shuffle(a, b, zip16.high))];
    });
    return [
      rowAddresses(first).map((address, row) => set(rows[row] ?? 0, load("v128.load", address))),
      round(rows, next), round(next, rows), round(rows, next),
      next.map((row, index) => store("v128.store", destination, get(row), 16 * index)),
    ];
  },
};

type Element = "f16" | "bf16" | "tf32" | "s8" | "u8";

/** Eight consecutive elements of a fragment's row of 16 bytes as 32-bit vectors: how many depends on their size. */
function unpackRow(context: LibraryContext, element: Element, row: number): Wasm[] {
  const { builder } = context;
  const value = get(row);
  if (element === "tf32") return [op("v128.and", value, splat32(~0x1fff))];
  if (element === "bf16") return [op("i32x4.shl", op("i32x4.extend_low_i16x8_u", value), i32(16)), op("i32x4.shl", op("i32x4.extend_high_i16x8_u", value), i32(16))];
  if (element === "f16") {
    return [callHalf(context, op("i32x4.extend_low_i16x8_u", value)), callHalf(context, op("i32x4.extend_high_i16x8_u", value))];
  }
  const sign = element === "s8" ? "s" : "u";
  const [low, high] = [builder.local("v128"), builder.local("v128")];
  return [
    [set(low, op(`i16x8.extend_low_i8x16_${sign}`, value)), op("i32x4.extend_low_i16x8_s", get(low))],
    op("i32x4.extend_high_i16x8_s", get(low)),
    [set(high, op(`i16x8.extend_high_i8x16_${sign}`, value)), op("i32x4.extend_low_i16x8_s", get(high))],
    op("i32x4.extend_high_i16x8_s", get(high)),
  ];
}

function callHalf(context: LibraryContext, value: Wasm): Wasm {
  return call(context.require("f16_to_f32"), value);
}

/** Elements of one fragment row of 16 bytes. */
const perRow: Readonly<Record<Element, number>> = { f16: 8, bf16: 8, tf32: 4, s8: 16, u8: 16 };

interface Shape {
  readonly a: Element;
  readonly b: Element;
  /** Length of the inner dimension. */
  readonly k: number;
  readonly accumulator: "f32" | "f16" | "s32";
  readonly result: "f32" | "f16" | "s32";
  /** Clamp the integer sum instead of letting it wrap. */
  readonly saturate: boolean;
}

/** How many registers the fragments of D, A, B and C have. */
function countsOf(shape: Shape): readonly [number, number, number, number] {
  const rowsOfA = Math.max(1, shape.k / perRow[shape.a]);
  return [shape.result === "f16" ? 2 : 4, 2 * rowsOfA, Math.max(1, shape.k / perRow[shape.b]), shape.accumulator === "f16" ? 2 : 4];
}

/**
 * mma of 16 by 8 by k (PTX ISA section 9.7.14.5): pointers to the registers of D, A, B and C. The layouts of the fragments mean that one
 * register of 32 lanes is a matrix of eight rows of 16 bytes. Rows of A and columns of B are widened to 32 bits in the static area; then
 * each row of D is the row of C plus the products in ascending order of k, rounded to single precision after each addition (integers
 * wrap). The manual leaves order and precision of the sum open ("at least single precision").
 */
function multiply(shape: Shape): LibraryFunction {
  const counts = countsOf(shape);
  return {
    signature: { parameters: Array.from({ length: counts.reduce((sum, count) => sum + count) }, () => "i32" as const), results: [] },
    build: (context) => {
      const pointers = [...context.parameters];
      const [d = [], a = [], b = [], c = []] = counts.map((count) => pointers.splice(0, count));
      const offset = context.builder.local("i32");
      return [
        set(offset, i32(0)),
        loop(
          widenB(context, shape, b, get(offset)),
          branchIf(0, op("i32.lt_u", tee(offset, op("i32.add", get(offset), i32(16))), i32(128))),
        ),
        set(offset, i32(0)),
        loop(
          [0, 1].map((half) => rowOfD(context, shape, { d, a, c }, { half, offset: get(offset) })),
          branchIf(0, op("i32.lt_u", tee(offset, op("i32.add", get(offset), i32(16))), i32(128))),
        ),
      ];
    },
  };
}

const matrixB = staticLayout.matrix;
const matrixA = staticLayout.matrix + 32 * 8 * 4;

/** Column n of B, n = offset/16, scattered into rows of eight: element (k, n) at 32·k + 4·n. */
function widenB(context: LibraryContext, shape: Shape, b: readonly Wasm[], offset: Wasm): Wasm {
  const row = context.builder.local("v128");
  const part = context.builder.local("v128");
  const to = op("i32.add", getGlobal(globals.static), op("i32.shr_u", offset, i32(2)));
  const per = perRow[shape.b];
  return b.map((pointer, index) => [
    set(row, load("v128.load", op("i32.add", pointer, offset))),
    unpackRow(context, shape.b, row).map((vector, piece) => [
      set(part, vector),
      [0, 1, 2, 3].map((element) => store("i32.store", to, lane("i32x4.extract_lane", element, get(part)), matrixB + 32 * (index * per + 4 * piece + element))),
    ]),
  ]);
}

interface Fragments {
  readonly d: readonly Wasm[];
  readonly a: readonly Wasm[];
  readonly c: readonly Wasm[];
}

/** Rows g (half 0) and g + 8 (half 1) of D, g = offset/16. */
function rowOfD(context: LibraryContext, shape: Shape, { d, a, c }: Fragments, at: { readonly half: number; readonly offset: Wasm }): Wasm {
  const { builder } = context;
  const [left, right, row, factor] = Array.from({ length: 4 }, () => builder.local("v128")) as [number, number, number, number];
  const [add, multiplyCode] = shape.accumulator === "s32" ? ["i32x4.add", "i32x4.mul"] as const : ["f32x4.add", "f32x4.mul"] as const;
  const registers = a.filter((_, index) => index % 2 === at.half);
  const base = getGlobal(globals.static);
  const widened = registers.map((pointer, index) => [
    set(row, load("v128.load", op("i32.add", pointer, at.offset))),
    unpackRow(context, shape.a, row).map((vector, piece) => store("v128.store", base, vector, matrixA + 4 * (index * perRow[shape.a] + 4 * piece))),
  ]);
  const steps = Array.from({ length: shape.k }, (_, k) => [
    set(factor, load("v128.load32_splat", base, matrixA + 4 * k)),
    set(left, op(add, get(left), op(multiplyCode, get(factor), load("v128.load", base, matrixB + 32 * k)))),
    set(right, op(add, get(right), op(multiplyCode, get(factor), load("v128.load", base, matrixB + 32 * k + 16)))),
  ]);
  const start = shape.saturate ? [set(left, splat32(0)), set(right, splat32(0))] : readRow(context, shape, c, { ...at, left, right });
  const code = [
    start,
    widened,
    steps,
    shape.saturate ? addClamped(context, shape, c, { ...at, left, right }) : [],
    writeRow(context, shape, d, { ...at, left, right }),
  ];
  for (const local of [left, right, row, factor]) builder.release(local);
  return code;
}

/** Adds C to the sum of the products, which is far from overflow itself, and clamps to 32 bits. */
function addClamped(context: LibraryContext, shape: Shape, c: readonly Wasm[], at: RowPlace): Wasm {
  const { builder } = context;
  const [left, right, sum] = Array.from({ length: 3 }, () => builder.local("v128")) as [number, number, number];
  const clamp = (target: number, other: number): Wasm => {
    const limit = op("v128.xor", op("i32x4.shr_s", get(target), i32(31)), splat32(0x7fff_ffff));
    const same = op("v128.not", op("v128.xor", get(target), get(other)));
    const overflow = op("i32x4.shr_s", op("v128.and", same, op("v128.xor", get(target), get(sum))), i32(31));
    return [set(sum, op("i32x4.add", get(target), get(other))), set(target, op("v128.bitselect", limit, get(sum), overflow))];
  };
  return [readRow(context, shape, c, { ...at, left, right }), clamp(at.left, left), clamp(at.right, right)];
}

const interleave = { low: [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23], high: [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31] };

interface RowPlace {
  readonly half: number;
  readonly offset: Wasm;
  readonly left: number;
  readonly right: number;
}

function readRow(context: LibraryContext, shape: Shape, c: readonly Wasm[], at: RowPlace): Wasm {
  const row = context.builder.local("v128");
  const from = (index: number): Wasm => load("v128.load", op("i32.add", c[index] ?? [], at.offset));
  if (shape.accumulator === "f16") {
    return [
      set(row, from(at.half)),
      set(at.left, callHalf(context, op("i32x4.extend_low_i16x8_u", get(row)))),
      set(at.right, callHalf(context, op("i32x4.extend_high_i16x8_u", get(row)))),
    ];
  }
  const [even, odd] = [from(2 * at.half), from(2 * at.half + 1)];
  return [set(at.left, shuffle(even, odd, interleave.low)), set(at.right, shuffle(even, odd, interleave.high))];
}

function writeRow(context: LibraryContext, shape: Shape, d: readonly Wasm[], at: RowPlace): Wasm {
  const to = (index: number): Wasm => op("i32.add", d[index] ?? [], at.offset);
  if (shape.result === "f16") {
    const narrow = (local: number): Wasm => call(context.require("f32_to_f16_rn"), get(local));
    return store("v128.store", to(at.half), op("i16x8.narrow_i32x4_u", narrow(at.left), narrow(at.right)));
  }
  const [even, odd] = [[0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27], [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]];
  return [
    store("v128.store", to(2 * at.half), shuffle(get(at.left), get(at.right), even)),
    store("v128.store", to(2 * at.half + 1), shuffle(get(at.left), get(at.right), odd)),
  ];
}

const shapes: ReadonlyMap<string, Shape> = new Map(listShapes().map((shape) =>
  [`mma_m16n8k${shape.k}_${shape.result}_${shape.a}_${shape.b}_${shape.accumulator}${shape.saturate ? "_satfinite" : ""}`, shape]));

function listShapes(): Shape[] {
  const halves = (["f32", "f16"] as const).flatMap((result) => (["f32", "f16"] as const).map((accumulator) => ({ result, accumulator })));
  const bytes = (["s8", "u8"] as const).flatMap((a) => (["s8", "u8"] as const).flatMap((b) => [false, true].map((saturate) => ({ a, b, saturate }))));
  return [
    ...[8, 16].flatMap((k) => [
      { a: "bf16", b: "bf16", k, result: "f32", accumulator: "f32", saturate: false } as const,
      ...halves.map((types) => ({ a: "f16", b: "f16", k, ...types, saturate: false }) as const),
    ]),
    ...[4, 8].map((k) => ({ a: "tf32", b: "tf32", k, result: "f32", accumulator: "f32", saturate: false }) as const),
    ...[16, 32].flatMap((k) => bytes.map((types) => ({ ...types, k, result: "s32", accumulator: "s32" }) as const)),
  ];
}

/** Name of the library function for an instruction; undefined when there is none. */
export function multiplyName(shape: string, modifiers: Readonly<Record<string, string>>): string | undefined {
  const suffix = modifiers["saturate"] ? "_satfinite" : "";
  const name = `mma_${shape}_${modifiers["d"] ?? ""}_${modifiers["a"] ?? ""}_${modifiers["b"] ?? ""}_${modifiers["c"] ?? ""}${suffix}`;
  return shapes.has(name) ? name : undefined;
}

/** How many registers D, A, B and C have in a library function of that name. */
export function multiplyOperands(name: string): readonly number[] {
  const shape = shapes.get(name);
  return shape ? countsOf(shape) : [];
}

export const matrixLibrary: LibraryTable = {
  load_matrix: loadMatrix,
  load_matrix_transposed: loadMatrixTransposed,
  ...Object.fromEntries([...shapes].map(([name, shape]) => [name, multiply(shape)])),
};
