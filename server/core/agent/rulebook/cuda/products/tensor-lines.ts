import type { DataType } from "../../../../workload/spec";
import { freshName, type TextEdit } from "../../edits";
import type { KernelView } from "../kernel";
import { factorOf } from "../launch/grid-edit";
import type { PointSpace } from "../points/point-space";
import { pointLines, tileWalk, walkNames, type WalkNames } from "../points/tile-walk";
import type { SharedOperand, StagedLoop } from "../tiles/staged-loop";
import type { PlainProduct } from "./plain-product";

/** Side of what one instruction of the tensor cores multiplies. */
const side = 16;

/** What a block computes at a time. */
export interface FragmentTile {
  readonly rows: number;
  readonly columns: number;
  /** Turns of the loop whose operands are staged at a time. */
  readonly deep: number;
  /** Warps that share one piece of the result, each with turns of its own. */
  readonly groups: number;
  readonly threads: number;
}

interface Rewrite {
  readonly view: KernelView;
  readonly space: PointSpace;
  readonly loop: StagedLoop;
  readonly product: PlainProduct;
  readonly kind: DataType;
  readonly tile: FragmentTile;
}

interface Names extends WalkNames {
  readonly first: string;
  readonly depth: string;
  readonly element: string;
  readonly place: string;
  readonly part: string;
  readonly piece: string;
  readonly step: string;
  readonly group: string;
  readonly left: string;
  readonly right: string;
  readonly result: string;
  readonly sums: string;
  readonly stagedRows: string;
  readonly stagedColumns: string;
}

interface Making extends Rewrite {
  readonly names: Names;
}

/** The kernel as a walk over tiles of outputs whose sums the tensor cores make. */
export function onTensorCores(rewrite: Rewrite): TextEdit {
  const { view, space, loop, product, tile } = rewrite;
  const fresh = (wish: string): string => freshName(view.source, wish);
  const names: Names = {
    ...walkNames(view.source, space),
    first: fresh(`${loop.loop.variable}First`),
    ...{ depth: fresh("depth"), element: fresh("element"), place: fresh("place"), part: fresh("part") },
    ...{ piece: fresh("piece"), step: fresh("step"), group: fresh("group") },
    ...{ left: fresh("left"), right: fresh("right"), result: fresh("result"), sums: fresh("sums") },
    ...{ stagedRows: fresh("stagedRows"), stagedColumns: fresh("stagedColumns") },
  };
  const making = { ...rewrite, names };
  const { rows, columns, groups } = tile;
  return tileWalk({
    ...{ view, space, names },
    sides: { across: columns, down: rows },
    declarations: [
      stagedTile(making, product.rows),
      stagedTile(making, product.columns),
      `__shared__ __align__(32) ${product.sum.type} ${names.result}[${groups}][${rows}][${columns + 4}];`,
    ],
    tile: [...sumLines(making), ...sliceLines(making), ...resultLines(making)],
  });
}

/**
 * Turns of a slice lie together, sixteen by sixteen, where neighbouring turns are neighbours in memory; and
 * for bytes, so that a fragment's rows begin where an instruction may load them from.
 */
function isByTurns({ kind }: Making, { alongLoop }: SharedOperand): boolean {
  return alongLoop || kind === "int8" || kind === "uint8";
}

/** Elements from one row of a staged tile to the next. */
function pitchOf(making: Making, operand: SharedOperand): number {
  if (!isByTurns(making, operand)) return lengthOf(making, operand) + 8;
  return making.kind === "int8" || making.kind === "uint8" ? side * 2 : side + 8;
}

function lengthOf({ product, tile }: Making, operand: SharedOperand): number {
  return operand === product.rows ? tile.rows : tile.columns;
}

function tileName({ names, product }: Making, operand: SharedOperand): string {
  return operand === product.rows ? names.stagedRows : names.stagedColumns;
}

function stagedTile(making: Making, operand: SharedOperand): string {
  const { deep } = making.tile;
  const sizes = isByTurns(making, operand) ? `[${deep / side}][${lengthOf(making, operand)}]` : `[${deep}]`;
  const name = tileName(making, operand);
  return `__shared__ __align__(32) ${operand.elementType} ${name}${sizes}[${pitchOf(making, operand)}];`;
}

/** An element of a staged tile by its turn and its row or column. */
function stagedAt(making: Making, operand: SharedOperand, turn: string, place: string): string {
  const name = tileName(making, operand);
  return isByTurns(making, operand)
    ? `${name}[${turn} / ${side}][${place}][${turn} % ${side}]`
    : `${name}[${turn}][${place}]`;
}

/** Pieces of the result that a warp sums up. */
function piecesOf({ rows, columns, threads, groups }: FragmentTile): number {
  return ((rows / side) * (columns / side) * groups) / (threads / 32);
}

function sumLines({ names, product, tile }: Making): readonly string[] {
  const { sum } = product;
  const type = `nvcuda::wmma::fragment<nvcuda::wmma::accumulator, ${side}, ${side}, ${side}, ${sum.type}>`;
  const pieces = piecesOf(tile);
  return [
    `${type} ${names.sums}[${pieces}];`,
    "#pragma unroll",
    `for (int ${names.piece} = 0; ${names.piece} < ${pieces}; ++${names.piece})`,
    `  nvcuda::wmma::fill_fragment(${names.sums}[${names.piece}], static_cast<${sum.type}>(0));`,
  ];
}

/** The number of a warp's piece of the result among those of the tile. */
function pieceNumber({ names, tile }: Making): string {
  const { threads, groups } = tile;
  const warps = threads / 32;
  if (groups > 1) return `${names.thread} / 32 / ${groups}`;
  return warps === 1 ? names.piece : `${names.thread} / 32 + ${names.piece} * ${warps}`;
}

function sliceLines(making: Making): readonly string[] {
  const { loop, names, tile, product } = making;
  const { start, bound, comparison, type } = loop.loop;
  const end = comparison === "<=" ? `(${bound.text} + 1)` : factorOf(bound.text);
  const plain = type.replace(/\bconst\b/g, "").trim();
  const { deep, groups } = tile;
  const steps = deep / side;
  const head = `for (${plain} ${names.first} = ${start.text}; ${names.first} < ${end}; ${names.first} += ${deep}) {`;
  const from = groups === 1 ? "0" : `${names.thread} / 32 % ${groups}`;
  return [
    head,
    ...[product.rows, product.columns].flatMap((operand) =>
      stagingLines(making, operand, end).map((line) => `  ${line}`),
    ),
    "  __syncthreads();",
    "  #pragma unroll",
    `  for (int ${names.step} = ${from}; ${names.step} < ${steps}; ${names.step} += ${groups}) {`,
    ...multiplyLines(making).map((line) => `    ${line}`),
    "  }",
    "  __syncthreads();",
    "}",
  ];
}

function stagingLines(making: Making, operand: SharedOperand, end: string): readonly string[] {
  const { space, loop, names, tile } = making;
  const { axis, node, elementType, alongLoop } = operand;
  const length = lengthOf(making, operand);
  const { element, depth, place, part } = names;
  const { deep, threads } = tile;
  const [inLoop, own] = alongLoop
    ? [`${element} % ${deep}`, `${element} / ${deep}`]
    : [`${element} / ${length}`, `${element} % ${length}`];
  const number = space.axes[axis];
  const { variable, type } = loop.loop;
  const first = axis === 0 ? names.firstAcross : names.firstDown;
  const inside = `${number.name} < ${factorOf(number.extent)} && ${variable} < ${end}`;
  const times = (length * deep) / threads;
  const other = space.axes[axis === 0 ? 1 : 0].name;
  const locals = loop.locals.filter((line) => !new RegExp(`\\b${other}\\b`).test(line));
  // A count that the compiler knows lets it load all of a thread's elements before it waits for one.
  const walk = Number.isInteger(times)
    ? [
        `for (int ${part} = 0; ${part} < ${times}; ++${part}) {`,
        `  const int ${element} = ${names.thread} + ${part} * ${threads};`,
      ]
    : [`for (int ${element} = ${names.thread}; ${element} < ${length * deep}; ${element} += ${threads}) {`];
  return [
    "#pragma unroll",
    ...walk,
    `  const int ${depth} = ${inLoop};`,
    `  const int ${place} = ${own};`,
    `  const ${number.type.replace(/\bconst\b/g, "").trim()} ${number.name} = ${first} + ${place};`,
    `  const ${type.replace(/\bconst\b/g, "").trim()} ${variable} = ${names.first} + ${depth};`,
    ...[...space.linesFor(axis), ...locals].map((line) => `  ${line}`),
    `  ${stagedAt(making, operand, depth, place)} = ${inside} ? ${node.text} : static_cast<${elementType}>(0);`,
    "}",
  ];
}

function multiplyLines(making: Making): readonly string[] {
  const { names, product, tile } = making;
  const { piece, left, right, step, sums } = names;
  const across = tile.columns / side;
  const number = pieceNumber(making);
  const load = (operand: SharedOperand, name: string, place: string): string => {
    const turns = isByTurns(making, operand);
    const at = turns ? `[${step}][${place}][0]` : `[${step} * ${side}][${place}]`;
    return `nvcuda::wmma::load_matrix_sync(${name}, &${tileName(making, operand)}${at}, ${pitchOf(making, operand)});`;
  };
  const fragment = (operand: SharedOperand, matrix: "a" | "b"): string => {
    const byRows = isByTurns(making, operand) === (matrix === "a");
    const shape = `${side}, ${side}, ${side}, ${fragmentType(making, operand)}`;
    return `nvcuda::wmma::fragment<nvcuda::wmma::matrix_${matrix}, ${shape}, nvcuda::wmma::${byRows ? "row" : "col"}_major>`;
  };
  return [
    "#pragma unroll",
    `for (int ${piece} = 0; ${piece} < ${piecesOf(tile)}; ++${piece}) {`,
    `  ${fragment(product.rows, "a")} ${left};`,
    `  ${fragment(product.columns, "b")} ${right};`,
    `  ${load(product.rows, left, `(${number}) / ${across} * ${side}`)}`,
    `  ${load(product.columns, right, `(${number}) % ${across} * ${side}`)}`,
    `  nvcuda::wmma::mma_sync(${sums}[${piece}], ${left}, ${right}, ${sums}[${piece}]);`,
    "}",
  ];
}

/** The element type as the tensor cores' functions name it. */
function fragmentType({ kind }: Making, { elementType }: SharedOperand): string {
  const named: Readonly<Partial<Record<DataType, string>>> = { int8: "signed char", uint8: "unsigned char" };
  return named[kind] ?? elementType;
}

/** The sums go through shared memory to the threads that do what follows the loop. */
function resultLines(making: Making): readonly string[] {
  const { space, loop, names, product, tile, view } = making;
  const { piece, element, result, sums } = names;
  const { rows, columns, groups, threads } = tile;
  const number = pieceNumber(making);
  const across = columns / side;
  const group = groups === 1 ? "0" : `${names.thread} / 32 % ${groups}`;
  const place = `&${result}[${group}][(${number}) / ${across} * ${side}][(${number}) % ${across} * ${side}]`;
  const { sum } = product;
  const added = Array.from(
    { length: groups },
    (_, turn) => `${result}[${turn}][${element} / ${columns}][${element} % ${columns}]`,
  );
  const after = loop.after.map((node) => view.source.slice(node.startIndex, node.endIndex));
  return [
    "#pragma unroll",
    `for (int ${piece} = 0; ${piece} < ${piecesOf(tile)}; ++${piece})`,
    `  nvcuda::wmma::store_matrix_sync(${place}, ${sums}[${piece}], ${columns + 4}, nvcuda::wmma::mem_row_major);`,
    "__syncthreads();",
    `for (int ${element} = ${names.thread}; ${element} < ${rows * columns}; ${element} += ${threads}) {`,
    ...pointLines(
      space,
      [`${names.firstAcross} + ${element} % ${columns}`, `${names.firstDown} + ${element} / ${columns}`],
      [
        ...loop.locals,
        ...loop.late,
        `${sum.type} ${sum.name} = ${sum.start};`,
        `${sum.name} += ${added.join(" + ")};`,
        ...after,
      ],
    ).map((line) => `  ${line}`),
    "}",
    "__syncthreads();",
  ];
}
