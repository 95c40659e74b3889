import { mustGet } from "../../../base/known";
import type { Modifiers } from "../../opcodes/modifiers";
import { type PtxType, types } from "../../ptx/types";

/** A matrix product of mma.sync: m by 8 by k (PTX ISA section 9.7.15.5). */
export interface Shape {
  readonly m: 8 | 16;
  /** Length of the inner dimension. */
  readonly k: number;
  /** Types of the elements. */
  readonly a: PtxType;
  readonly b: PtxType;
  readonly accumulator: PtxType;
  readonly result: PtxType;
  /** The integer sum is clamped instead of wrapping. */
  readonly saturate: boolean;
  /** Operation on single bits. */
  readonly combine?: "xor" | "and";
}

/**
 * Registers across the inner dimension: a register of 32 lanes is eight rows of 16 bytes, or of four doubles.
 */
function blocksOf({ k, a }: Pick<Shape, "k" | "a">): number {
  return (k * a.bits) / (4 * Math.max(32, a.bits));
}

/** Register counts of the fragments of D, A, B and C. */
export function countsOf(shape: Shape): readonly [number, number, number, number] {
  const rows = shape.m / 8;
  const blocks = blocksOf(shape);
  const outer = ({ bits }: PtxType): number => (bits === 16 ? rows : 2 * rows);
  return [outer(shape.result), rows * blocks, blocks, outer(shape.accumulator)];
}

function nameOf({ m, k, a, b, accumulator, result, saturate, combine }: Shape): string {
  return `mma_m${m}n8k${k}_${result.name}_${a.name}_${b.name}_${accumulator.name}${saturate ? "_satfinite" : ""}${combine ? `_${combine}` : ""}`;
}

/** Rows and inner length of a product. */
type Extent = readonly [8 | 16, number];

/** All pairs of some types of elements, in their order. */
export function pairsOf(kinds: readonly PtxType[]): readonly Pick<Shape, "a" | "b">[] {
  return kinds.flatMap((a) => kinds.map((b) => ({ a, b })));
}

/** Products of 16-bit and tf32 numbers. The extent of 8 by 16 is a tile of wmma alone. */
function floatShapes(): Shape[] {
  const { bf16, f16, f32, tf32 } = types;
  const kinds = [f32, f16];
  const extents: readonly Extent[] = [
    [16, 8],
    [16, 16],
    [8, 16],
  ];
  const sums = kinds.flatMap((result) => kinds.map((accumulator) => ({ result, accumulator })));
  return [
    ...extents.flatMap(([m, k]): Shape[] => [
      { m, k, a: bf16, b: bf16, result: f32, accumulator: f32, saturate: false },
      ...sums.map((sum): Shape => ({ m, k, a: f16, b: f16, ...sum, saturate: false })),
    ]),
    ...[4, 8].map((k): Shape => ({
      m: 16,
      k,
      a: tf32,
      b: tf32,
      result: f32,
      accumulator: f32,
      saturate: false,
    })),
  ];
}

/** Products of 8-bit floats. */
function smallFloatShapes(): Shape[] {
  return [16, 32].flatMap((k) =>
    pairsOf([types.e4m3, types.e5m2]).flatMap((pair) =>
      [types.f32, types.f16].map((type): Shape => ({
        m: 16,
        k,
        ...pair,
        result: type,
        accumulator: type,
        saturate: false,
      })),
    ),
  );
}

/** Products of integers, with sums that wrap and with sums that are clamped. */
function integerShapes(kinds: readonly PtxType[], extents: readonly Extent[]): Shape[] {
  return pairsOf(kinds).flatMap((pair) =>
    extents.flatMap(([m, k]) =>
      [false, true].map((saturate): Shape => ({
        m,
        k,
        ...pair,
        result: types.s32,
        accumulator: types.s32,
        saturate,
      })),
    ),
  );
}

/** Products of single bits. */
function bitShapes(): Shape[] {
  const extents: readonly Extent[] = [
    [8, 128],
    [16, 128],
    [16, 256],
  ];
  const { b1, s32 } = types;
  const plain = { a: b1, b: b1, result: s32, accumulator: s32, saturate: false };
  return extents.flatMap(([m, k]) =>
    (["xor", "and"] as const).map((combine): Shape => ({ m, k, ...plain, combine })),
  );
}

/** Products in double precision. */
function doubleShapes(): Shape[] {
  const extents: readonly Extent[] = [
    [8, 4],
    [16, 4],
    [16, 8],
    [16, 16],
  ];
  const { f64 } = types;
  const plain = { a: f64, b: f64, result: f64, accumulator: f64, saturate: false };
  return extents.map(([m, k]): Shape => ({ m, k, ...plain }));
}

function listShapes(): Shape[] {
  return [
    ...floatShapes(),
    ...smallFloatShapes(),
    ...integerShapes(
      [types.s8, types.u8],
      [
        [8, 16],
        [16, 16],
        [16, 32],
      ],
    ),
    ...integerShapes(
      [types.s4, types.u4],
      [
        [8, 32],
        [16, 32],
        [16, 64],
      ],
    ),
    ...bitShapes(),
    ...doubleShapes(),
  ];
}

/** All products by the name of their library function. */
export const shapes: ReadonlyMap<string, Shape> = new Map(
  listShapes().map((shape) => [nameOf(shape), shape]),
);

/** Name of the library function for an instruction; undefined when there is none. */
export function multiplyName(shape: string, modifiers: Modifiers): string | undefined {
  const suffix = `${modifiers["saturate"] ? "_satfinite" : ""}${modifiers["combine"] ? `_${modifiers["combine"]}` : ""}`;
  const name = `mma_${shape}_${modifiers["d"] ?? ""}_${modifiers["a"] ?? ""}_${modifiers["b"] ?? ""}_${modifiers["c"] ?? ""}${suffix}`;
  return shapes.has(name) ? name : undefined;
}

/** Register counts of D, A, B and C by the name of a library function. */
export function multiplyOperands(name: string): readonly number[] {
  return countsOf(mustGet(shapes, name));
}
