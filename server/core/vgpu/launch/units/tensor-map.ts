import { at } from "../../../base/known";
import { clusterStride } from "../../layout";

/** A descriptor of a tensor, as the runtime's `cuTensorMapEncodeTiled` writes it (tensor-maps.cpp there). */
export interface TensorMap {
  readonly elementBytes: number;
  /** 0: none; 1 to 3: pieces of 16 bytes are exchanged within 32, 64 or 128. */
  readonly swizzle: number;
  readonly address: bigint;
  /** Elements along each axis, the innermost first. */
  readonly extents: readonly number[];
  readonly box: readonly number[];
  /** Bytes from one element to the next along each axis. */
  readonly strides: readonly bigint[];
}

const mark = 0x4d54_574b;
const most = 5;
const fields = { address: 8, last: 16, box: 16 + 4 * most, strides: 16 + 8 * most } as const;

/** Bytes of a piece of a copy, of which the rows of a box are multiples. */
export const pieceBytes = 16;

/** Reads a descriptor; undefined where there is none. */
export function readTensorMap(view: DataView, address: number): TensorMap | undefined {
  if (view.getUint32(address, true) !== mark) return undefined;
  const [elementBytes, rank, swizzle] = [4, 5, 6].map((offset) => view.getUint8(address + offset)) as [
    number,
    number,
    number,
  ];
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  return {
    elementBytes,
    swizzle,
    address: view.getBigUint64(address + fields.address, true),
    extents: axes.map((axis) => view.getUint32(address + fields.last + 4 * axis, true) + 1),
    box: axes.map((axis) => view.getUint32(address + fields.box + 4 * axis, true)),
    strides: axes.map((axis) =>
      axis === 0 ? BigInt(elementBytes) : view.getBigUint64(address + fields.strides + 8 * (axis - 1), true),
    ),
  };
}

/** Bytes of a box. */
export function boxBytes({ box, elementBytes }: TensorMap): number {
  return box.reduce((product, each) => product * each, elementBytes);
}

/** One piece of 16 bytes of a box. */
interface TensorPiece {
  /** Address in the block's shared memory. */
  readonly shared: number;
  readonly global: bigint;
  /** A bit for each byte that lies inside the tensor. */
  readonly inside: number;
}

/**
 * Where a row of the box begins, behind the first element of the innermost axis; undefined outside of the
 * tensor.
 */
function rowStart(
  { address, extents, box, strides }: TensorMap,
  row: number,
  corner: readonly number[],
): bigint | undefined {
  let start = address;
  let rest = row;
  for (let axis = 1; axis < box.length; axis += 1) {
    const [length, extent, stride] = [at(box, axis), at(extents, axis), at(strides, axis)];
    const place = at(corner, axis) + (rest % length);
    if (place < 0 || place >= extent) return undefined;
    rest = Math.floor(rest / length);
    start += BigInt(place) * stride;
  }
  return start;
}

/** A bit for each byte of a piece that begins `first` bytes into a row of `end` bytes. */
function bytesInside(first: number, end: number): number {
  let inside = 0;
  for (let byte = Math.max(0, -first); byte < Math.min(pieceBytes, end - first); byte += 1)
    inside |= 1 << byte;
  return inside;
}

/**
 * A piece of the box at some coordinates, which lies from `start` on in shared memory. Swizzling exchanges
 * pieces by address, whatever the box begins at (PTX ISA section 5.5.7).
 */
export function tensorPiece(
  map: TensorMap,
  {
    index,
    start,
    corner,
  }: { readonly index: number; readonly start: number; readonly corner: readonly number[] },
): TensorPiece {
  const { elementBytes, swizzle } = map;
  const inner = at(map.box, 0) * elementBytes;
  const perRow = inner / pieceBytes;
  const [row, column] = [Math.floor(index / perRow), index % perRow];
  const pitch = swizzle === 0 ? inner : pieceBytes << swizzle;
  const place = start + row * pitch + column * pieceBytes;
  const shared = swizzle === 0 ? place : place ^ ((place >>> 3) & (pitch - 1) & 0x70);
  const begin = rowStart(map, row, corner);
  if (begin === undefined) return { shared, global: 0n, inside: 0 };
  const first = at(corner, 0) * elementBytes + column * pieceBytes;
  return {
    shared,
    global: begin + BigInt(first),
    inside: bytesInside(first, at(map.extents, 0) * elementBytes),
  };
}

/** An address in the shared memory of the block of a rank, for an address in that of any block. */
export function inBlockOf(rank: number, address: number): number {
  return (address % clusterStride) + (rank + 1) * clusterStride;
}
