/** Element types of A and B. */
export type Element = "f16" | "bf16" | "tf32" | "s8" | "u8" | "s4" | "u4" | "b1" | "e4m3" | "e5m2" | "f64";

/** One product of matrices as mma.sync has it: m by 8 by k (PTX ISA section 9.7.15.5). */
export interface Shape {
  readonly m: 8 | 16;
  /** Length of the inner dimension. */
  readonly k: number;
  readonly a: Element;
  readonly b: Element;
  readonly accumulator: "f32" | "f16" | "s32" | "f64";
  readonly result: "f32" | "f16" | "s32" | "f64";
  /** Clamp the integer sum instead of letting it wrap. */
  readonly saturate: boolean;
  /** What single bits are combined with. */
  readonly combine?: "xor" | "and";
}

const elementBits: Readonly<Record<Element, number>> = {
  f16: 16,
  bf16: 16,
  tf32: 32,
  s8: 8,
  u8: 8,
  s4: 4,
  u4: 4,
  b1: 1,
  e4m3: 8,
  e5m2: 8,
  f64: 32,
};

/** Rows of fragments in registers: a register of 32 lanes is eight rows of 16 bytes, or of four doubles. */
function blocksOf({ k, a }: Pick<Shape, "k" | "a">): number {
  return (k * elementBits[a]) / 128;
}

/** How many registers the fragments of D, A, B and C have. */
export function countsOf(shape: Shape): readonly [number, number, number, number] {
  const rows = shape.m / 8;
  const blocks = blocksOf(shape);
  const outer = (type: string): number => (type === "f16" ? rows : 2 * rows);
  return [outer(shape.result), rows * blocks, blocks, outer(shape.accumulator)];
}

function nameOf({ m, k, a, b, accumulator, result, saturate, combine }: Shape): string {
  return `mma_m${m}n8k${k}_${result}_${a}_${b}_${accumulator}${saturate ? "_satfinite" : ""}${combine ? `_${combine}` : ""}`;
}

function listShapes(): Shape[] {
  const halves = (["f32", "f16"] as const).flatMap((result) =>
    (["f32", "f16"] as const).map((accumulator) => ({ result, accumulator })),
  );
  const pairs = <Kind>(kinds: readonly Kind[]): { a: Kind; b: Kind }[] =>
    kinds.flatMap((a) => kinds.map((b) => ({ a, b })));
  const plain = { m: 16, saturate: false } as const;
  const integers = (
    list: readonly { a: Element; b: Element }[],
    shapes: readonly (readonly [8 | 16, number])[],
  ): Shape[] =>
    list.flatMap((types) =>
      shapes.flatMap(([m, k]) =>
        [false, true].map(
          (saturate) => ({ m, k, ...types, result: "s32", accumulator: "s32", saturate }) as const,
        ),
      ),
    );
  return [
    // Eight rows by 16 are a tile of wmma alone.
    ...(
      [
        [16, 8],
        [16, 16],
        [8, 16],
      ] as const
    ).flatMap(([m, k]) => [
      { ...plain, m, a: "bf16", b: "bf16", k, result: "f32", accumulator: "f32" } as const,
      ...halves.map((types) => ({ ...plain, m, a: "f16", b: "f16", k, ...types }) as const),
    ]),
    ...[4, 8].map((k) => ({ ...plain, a: "tf32", b: "tf32", k, result: "f32", accumulator: "f32" }) as const),
    ...[16, 32].flatMap((k) =>
      pairs(["e4m3", "e5m2"] as const).flatMap((types) =>
        (["f32", "f16"] as const).map(
          (type) => ({ ...plain, ...types, k, result: type, accumulator: type }) as const,
        ),
      ),
    ),
    ...integers(pairs(["s8", "u8"] as const), [
      [8, 16],
      [16, 16],
      [16, 32],
    ]),
    ...integers(pairs(["s4", "u4"] as const), [
      [8, 32],
      [16, 32],
      [16, 64],
    ]),
    ...(
      [
        [8, 128],
        [16, 128],
        [16, 256],
      ] as const
    ).flatMap(([m, k]) =>
      (["xor", "and"] as const).map(
        (combine) =>
          ({ m, k, a: "b1", b: "b1", result: "s32", accumulator: "s32", saturate: false, combine }) as const,
      ),
    ),
    ...(
      [
        [8, 4],
        [16, 4],
        [16, 8],
        [16, 16],
      ] as const
    ).map(
      ([m, k]) => ({ m, k, a: "f64", b: "f64", result: "f64", accumulator: "f64", saturate: false }) as const,
    ),
  ];
}

/** All products by the names of their library functions. */
export const shapes: ReadonlyMap<string, Shape> = new Map(
  listShapes().map((shape) => [nameOf(shape), shape]),
);

/** Name of the library function for an instruction; undefined when there is none. */
export function multiplyName(shape: string, modifiers: Readonly<Record<string, string>>): string | undefined {
  const suffix = `${modifiers["saturate"] ? "_satfinite" : ""}${modifiers["combine"] ? `_${modifiers["combine"]}` : ""}`;
  const name = `mma_${shape}_${modifiers["d"] ?? ""}_${modifiers["a"] ?? ""}_${modifiers["b"] ?? ""}_${modifiers["c"] ?? ""}${suffix}`;
  return shapes.has(name) ? name : undefined;
}

/** How many registers D, A, B and C have in a library function of that name. */
export function multiplyOperands(name: string): readonly number[] {
  const shape = shapes.get(name);
  return shape ? countsOf(shape) : [];
}
