import { at, known } from "../../../base/known";
import { type PtxType, types } from "../../ptx/types";

/**
 * Where one register of a wmma fragment begins: `x` along the inner direction (k of A and B, columns of C),
 * `y` across it.
 */
export interface RegisterPlace {
  readonly x: number;
  readonly y: number;
}

/**
 * How a fragment lies in its registers: as the tiles of mma that it is multiplied by; wmma leaves its layout
 * open (PTX ISA section 9.7.15.4.1).
 */
export interface FragmentLayout {
  readonly registers: readonly RegisterPlace[];
  /** Bits of an element in memory. */
  readonly bits: number;
  /** Elements in a register. */
  readonly perRegister: number;
  /** Distance in elements between neighbouring lanes of a row. */
  readonly step: number;
}

/**
 * A shape such as m16n16k16 as tiles of m by 8: rows of a tile, and how many tiles there are in both
 * directions.
 */
export function tilesOf(shape: string): {
  readonly m: 8 | 16;
  readonly k: number;
  readonly down: number;
  readonly across: number;
} {
  const sides = known(/^m(\d+)n(\d+)k(\d+)$/.exec(shape), "rows, columns and depth of a shape");
  const [rows, columns, k] = [at(sides, 1), at(sides, 2), at(sides, 3)].map(Number) as [
    number,
    number,
    number,
  ];
  const m = rows === 8 ? 8 : 16;
  return { m, k, down: rows / m, across: columns / 8 };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Registers of a fragment in order of tiles; within a tile as mma.sync has them. */
export function fragmentLayout(shape: string, matrix: string, type: PtxType): FragmentLayout {
  const { m, k, down, across } = tilesOf(shape);
  const { bits } = type;
  const perRegister = Math.max(1, 32 / bits);
  const halves = range(m / 8);
  if (matrix === "a" || matrix === "b") {
    const blocks = range(k / (4 * perRegister));
    const registers =
      matrix === "a"
        ? range(down).flatMap((tile) =>
            blocks.flatMap((block) =>
              halves.map((half) => ({ x: 4 * perRegister * block, y: 16 * tile + 8 * half })),
            ),
          )
        : range(across).flatMap((tile) =>
            blocks.map((block) => ({ x: 4 * perRegister * block, y: 8 * tile })),
          );
    return { registers, bits, perRegister, step: perRegister };
  }
  const columns = type === types.f16 ? [0] : [0, 1];
  const registers = range(down).flatMap((row) =>
    range(across).flatMap((column) =>
      halves.flatMap((half) => columns.map((odd) => ({ x: 8 * column + odd, y: 16 * row + 8 * half }))),
    ),
  );
  return { registers, bits, perRegister, step: 2 };
}
