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
  tee,
  when,
} from "../../wasm/code";
import { isSigned } from "../../ptx/types";
import { fragmentLibrary } from "./fragments";
import { groupLibrary } from "./matrix-group";
import { type LibraryContext, type LibraryFunction, type LibraryTable, globals } from "../library";
import { type Fragments, multiplyDouble } from "./matrix-double";
import { matrixMemoryLibrary, vectors } from "./matrix-memory";
import { quadLibrary } from "./matrix-quads";
import { type RowPlace, addClamped, readRow, writeRow } from "./matrix-rows";
import { type Shape, countsOf, shapes } from "./matrix-shapes";
import {
  type Widening,
  doubleFragment,
  doubledType,
  hasSpecials,
  losesSpecials,
  unitsOf,
  widenA,
  widenB,
} from "./matrix-widen";

/** Rows of D that are computed together, so that their sums and a row of B stay in host registers. */
const rowsAtOnce = 4;

/**
 * mma of m by 8 by k (PTX ISA section 9.7.15.5). Parameters: pointers to the registers of D, A, B and C. By
 * the layouts of fragments, one register of 32 lanes is a matrix of eight rows of 16 bytes. Rows of A and of
 * the transposed B are widened to 32-bit units in the static area; then each row of D is its row of C plus
 * the products in ascending order of k. Products are exact; the sum is rounded to single precision after each
 * addition (integers wrap, or clamp at the end). The manual leaves order and precision of the sum open ("at
 * least single precision").
 */
function multiply(shape: Shape): LibraryFunction {
  const counts = countsOf(shape);
  return {
    signature: {
      parameters: Array.from({ length: counts.reduce((sum, count) => sum + count) }, () => "i32" as const),
      results: [],
    },
    build: (context) => {
      const pointers = [...context.parameters];
      const [d = [], a = [], b = [], c = []] = counts.map((count) => pointers.splice(0, count));
      const base = context.builder.local("i32");
      return [
        set(base, getGlobal(globals.static)),
        shape.a.bits === 64
          ? multiplyDouble(context, shape, { d, a, b, c })
          : multiplyNarrow(context, shape, { d, a, b, c }, get(base)),
      ];
    },
  };
}

function multiplyNarrow(context: LibraryContext, shape: Shape, fragments: Fragments, base: Wasm): Wasm {
  const rows = shape.m / 8;
  const where = { base, units: staticLayout.matrix };
  const wideA = doubledType(shape.a);
  const wideB = doubledType(shape.b);
  if (!wideA || !wideB)
    return [widen(context, shape, fragments, where), multiplyRows(context, shape, fragments, base)];
  const a = doubleFragment(context, fragments.a, {
    element: shape.a,
    rows,
    base,
    at: staticLayout.matrixDoubled,
  });
  const b = doubleFragment(context, fragments.b, {
    element: shape.b,
    rows: 1,
    base,
    at: staticLayout.matrixDoubled + 128 * a.registers.length,
  });
  const doubled = { ...fragments, a: a.registers, b: b.registers };
  const wide = { ...shape, a: wideA, b: wideB };
  return [a.code, b.code, widen(context, wide, doubled, where), multiplyRows(context, wide, doubled, base)];
}

/** Widens A and B to rows of units; those of B go to the offset `units` in the static area. */
export function widen(
  context: LibraryContext,
  shape: Shape,
  { a, b }: Pick<Fragments, "a" | "b">,
  { base, units }: Pick<Widening, "base" | "units">,
): Wasm {
  const both = (exact: boolean): Wasm => {
    const how = (element: Shape["a"]): Widening => ({ context, element, exact, base, units });
    return [widenB(how(shape.b), b), widenA(how(shape.a), a, shape.m / 8)];
  };
  return losesSpecials(shape.a)
    ? when(hasSpecials(context, [...a, ...b]), both(true), both(false))
    : both(false);
}

/** Adds one unit's products to four columns' sums. */
export function accumulate(shape: Shape, sum: Wasm, left: Wasm, right: Wasm): Wasm {
  if (shape.combine) {
    const bytes = op("i8x16.popcnt", op(`v128.${shape.combine}`, left, right));
    return op(
      "i32x4.add",
      sum,
      op("i32x4.extadd_pairwise_i16x8_u", op("i16x8.extadd_pairwise_i8x16_u", bytes)),
    );
  }
  if (isSigned(shape.accumulator)) return op("i32x4.add", sum, op("i32x4.dot_i16x8_s", left, right));
  return op("f32x4.add", sum, op("f32x4.mul", left, right));
}

function multiplyRows(context: LibraryContext, shape: Shape, { d, a, c }: Fragments, base: Wasm): Wasm {
  const { builder } = context;
  const halves = shape.m / 8;
  const units = unitsOf(shape.a) * (a.length / halves);
  const stride = 4 * units;
  const sums = Array.from({ length: rowsAtOnce }, () => vectors(builder, 2) as [number, number]);
  const [left = 0, right = 0, factor = 0] = vectors(builder, 3);
  const [offset, row] = [builder.local("i32"), builder.local("i32")];
  const places: RowPlace[] = sums.map(([first, second], index) => ({
    half: index % halves,
    register: get(offset),
    extra: 16 * Math.floor(index / halves),
    left: first,
    right: second,
  }));
  const steps = Array.from({ length: units }, (_, unit) => [
    set(left, load("v128.load", base, staticLayout.matrix + 32 * unit)),
    set(right, load("v128.load", base, staticLayout.matrix + 32 * unit + 16)),
    sums.map(([first, second], index) => [
      set(factor, load("v128.load32_splat", get(row), staticLayout.matrixRows + index * stride + 4 * unit)),
      set(first, accumulate(shape, get(first), get(factor), get(left))),
      set(second, accumulate(shape, get(second), get(factor), get(right))),
    ]),
  ]);
  return [
    set(offset, i32(0)),
    set(row, base),
    loop(
      places.map((place) =>
        shape.saturate
          ? [set(place.left, splat32(0)), set(place.right, splat32(0))]
          : readRow(context, shape, c, place),
      ),
      steps,
      places.map((place) => [
        shape.saturate ? addClamped(context, shape, c, place) : [],
        writeRow(context, shape, d, place),
      ]),
      set(row, op("i32.add", get(row), i32(rowsAtOnce * stride))),
      branchIf(
        0,
        op("i32.lt_u", tee(offset, op("i32.add", get(offset), i32((16 * rowsAtOnce) / halves))), i32(128)),
      ),
    ),
  ];
}

export const matrixLibrary: LibraryTable = {
  ...matrixMemoryLibrary,
  ...fragmentLibrary,
  ...groupLibrary,
  ...quadLibrary,
  ...Object.fromEntries([...shapes].map(([name, shape]) => [name, multiply(shape)])),
};
