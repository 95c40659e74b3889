import { freshName, indentOf, type TextEdit } from "../../edits";
import { factorOf } from "../launch/grid-edit";
import type { KernelView } from "../kernel";
import type { PointAxis } from "./point-axes";
import type { PointSpace } from "./point-space";

/** Lengths of a tile of points along both axes. */
interface TileSides {
  readonly across: number;
  readonly down: number;
}

/** Names that a walk over tiles introduces. */
export interface WalkNames {
  /** The thread's number in its block. */
  readonly thread: string;
  /** The first point of the tile along each axis. */
  readonly firstAcross: string;
  readonly firstDown: string;
}

export function walkNames(source: string, { axes: [across, down] }: PointSpace): WalkNames {
  return {
    thread: freshName(source, "thread"),
    firstAcross: freshName(source, `${across.name}First`),
    firstDown: freshName(source, `${down.name}First`),
  };
}

interface Walk {
  readonly view: KernelView;
  readonly space: PointSpace;
  readonly names: WalkNames;
  readonly sides: TileSides;
  /** Lines of the block for one tile; they end with a barrier where they use shared memory. */
  readonly tile: readonly string[];
  /** Declarations in front of the walk. */
  readonly declarations: readonly string[];
}

/**
 * The kernel as a walk of each block over tiles of points, the grid's blocks taking the tiles in turn: right
 * for every grid, so that the launch may stay as it is.
 */
export function tileWalk({ view, space, names, sides, tile, declarations }: Walk): TextEdit {
  const [across, down] = space.axes;
  const { source } = view;
  const fresh = (wish: string): string => freshName(source, wish);
  const [count, at, total] = [fresh("tilesAcross"), fresh("tile"), fresh("tiles")];
  const counted = [
    `const int ${count} = ${tilesOf(across, sides.across)};`,
    `const int ${total} = ${count} * (${tilesOf(down, sides.down)});`,
  ];
  const firsts = [
    `const int ${names.firstAcross} = ${at} % ${count} * ${sides.across}${plus(across)};`,
    `const int ${names.firstDown} = ${at} / ${count} * ${sides.down}${plus(down)};`,
  ];
  const inOneRow = isOnlyRow(down) && sides.down === 1;
  const lines = [
    ...space.kept,
    ...declarations,
    `const int ${names.thread} = threadIdx.y * blockDim.x + threadIdx.x;`,
    ...(inOneRow ? [`const int ${total} = ${tilesOf(across, sides.across)};`] : counted),
    `for (int ${at} = blockIdx.y * gridDim.x + blockIdx.x; ${at} < ${total}; ${at} += gridDim.x * gridDim.y) {`,
    ...(inOneRow
      ? [`  const int ${names.firstAcross} = ${at} * ${sides.across}${plus(across)};`]
      : firsts.map((line) => `  ${line}`)),
    ...tile.map((line) => `  ${line}`),
    "}",
  ];
  const { start, end } = space.region;
  return { start: start.startIndex, end: end.endIndex, text: lines.join(`\n${indentOf(source, start)}`) };
}

/** Whether points along an axis lie in a single row, which then needs no number. */
export function isOnlyRow({ start, extent }: PointAxis): boolean {
  return start === 0 && extent === "1";
}

function tilesOf(axis: PointAxis, side: number): string {
  return `(${factorOf(axis.extent)}${minus(axis)} + ${side - 1}) / ${side}`;
}

/** What is added to a place to make it the number of a point; nothing where points begin at zero. */
export function plus({ start }: PointAxis): string {
  return start === 0 ? "" : ` + ${start}`;
}

/** What is taken from the end of an axis to make it the count of its points. */
export function minus({ start }: PointAxis): string {
  return start === 0 ? "" : ` - ${start}`;
}

/**
 * Lines that give a point its numbers and run `work` where it has any: a number for each axis, or one where
 * all points lie in a single row.
 */
export function pointLines(
  space: PointSpace,
  numbers: readonly [string] | readonly [string, string],
  work: readonly string[],
): readonly string[] {
  const axes = numbers.length === 1 ? [space.axes[0]] : space.axes;
  const ends = axes.map(({ name, extent }) => `${name} < ${factorOf(extent)}`);
  return [
    ...axes.map((axis, position) => `const ${plainType(axis)} ${axis.name} = ${numbers[position]};`),
    `if (${ends.join(" && ")}) {`,
    ...space.definitions.map((line) => `  ${line}`),
    ...(space.guards.length === 0
      ? work.map((line) => `  ${line}`)
      : [`  if (${space.guards.join(" && ")}) {`, ...work.map((line) => `    ${line}`), "  }"]),
    "}",
  ];
}

/** The type of a number, without what forbids to change it. */
export function plainType({ type }: PointAxis): string {
  return type.replace(/\b(const|volatile)\b/g, "").trim();
}
