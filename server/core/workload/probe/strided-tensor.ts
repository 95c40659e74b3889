import { at, entry } from "../../base/known";
import type { SizeExpression } from "../spec";
import type { Sample } from "./sample";

/** An axis of a tensor: how many elements it has, and how far apart they are. */
interface StridedAxis {
  /** The name of a size, or a number: a picture has three planes. */
  readonly size: string;
  readonly stride: string;
}

/** A tensor whose axes have strides of their own, outermost first; `columns`: a last axis without one. */
export interface StridedTensor {
  readonly axes: readonly StridedAxis[];
  readonly columns?: string;
}

const [fewestAxes, mostAxes, mostNames] = [2, 4, 9];

/**
 * The tensor with a stride for each of its axes whose end every sample gives. Undefined where none does;
 * among many sizes as well, where there are too many ways to pair them.
 */
export function fitStridedTensor(samples: readonly Sample[]): StridedTensor | undefined {
  const [first] = samples;
  const names = Object.keys(first?.sizes ?? {});
  if (first === undefined || names.length > mostNames) return undefined;
  for (let count = fewestAxes; count <= mostAxes; count += 1)
    for (const axes of pairings(names, count)) {
      const rest = names.filter((name) => axes.every(({ size, stride }) => name !== size && name !== stride));
      for (const tensor of [
        { axes },
        ...(count < mostAxes ? rest.map((columns) => ({ axes, columns })) : []),
      ])
        if (samples.every(({ sizes, value }) => endOf(tensor, sizes) === value)) return tensor;
    }
  return undefined;
}

/** Planes of a picture, channels: a few of them, with a stride of their own. */
const mostPlanes = 8;

/**
 * The matrices, as many as a constant says, with strides for their rows and from one to the next, whose end
 * every sample gives.
 */
export function fitPlanes(samples: readonly Sample[]): StridedTensor | undefined {
  const [first] = samples;
  if (first === undefined) return undefined;
  const names = Object.keys(first.sizes);
  for (const size of names)
    for (const stride of names)
      for (const columns of names)
        for (const plane of names) {
          if (new Set([size, stride, columns, plane]).size < 4) continue;
          const matrix = { axes: [{ size, stride }], columns };
          const apart = (first.value - endOf(matrix, first.sizes)) / entry(first.sizes, plane);
          if (!Number.isInteger(apart) || apart < 1 || apart >= mostPlanes) continue;
          const planes = { ...matrix, axes: [{ size: String(apart + 1), stride: plane }, ...matrix.axes] };
          if (samples.every(({ sizes, value }) => endOf(planes, sizes) === value)) return planes;
        }
  return undefined;
}

/** How long an axis is under some sizes. */
export function lengthOf({ size }: StridedAxis, sizes: Sample["sizes"]): number {
  return /^\d+$/.test(size) ? Number(size) : entry(sizes, size);
}

/** How many elements lie before the end of a tensor. */
export function endOf({ axes, columns }: StridedTensor, sizes: Sample["sizes"]): number {
  return axes.reduce(
    (end, axis) => end + (lengthOf(axis, sizes) - 1) * entry(sizes, axis.stride),
    columns === undefined ? 1 : entry(sizes, columns),
  );
}

/** `(b - 1) * sb + (r - 1) * sr + c` */
export function textOf({ axes, columns = "1" }: StridedTensor): string {
  return [...axes.map(({ size, stride }) => `(${size} - 1) * ${stride}`), columns].join(" + ");
}

/** The text of a tensor whose elements are vectors, `float4`, counted in numbers. */
const ofVectors = /^\((.+)\) \* \(\d+\)$/;

/** The tensor that a text of `textOf`, or a matrix with one stride, stands for. */
function tensorOfText(text: string): StridedTensor | undefined {
  const terms = (ofVectors.exec(text)?.[1] ?? text).split(" + ");
  const axes = terms.slice(0, -1).map((term) => /^\((\w+) - 1\) \* (\w+)$/.exec(term));
  const columns = at(terms, terms.length - 1);
  if (axes.length === 0 || axes.includes(null) || !/^\w+$/.test(columns)) return undefined;
  return {
    axes: axes.flatMap((found) => (found ? [{ size: at(found, 1), stride: at(found, 2) }] : [])),
    ...(columns !== "1" && { columns }),
  };
}

/** Every way to give so many of the names a stride among the others; axes in the order of the names. */
function* pairings(names: readonly string[], count: number, from = 0): Generator<readonly StridedAxis[]> {
  if (count === 0) {
    yield [];
    return;
  }
  for (const [index, size] of names.entries()) {
    if (index < from) continue;
    for (const rest of pairings(names, count - 1, index + 1))
      for (const stride of names)
        if (
          stride !== size &&
          rest.every((axis) => axis.size !== stride && axis.stride !== stride && axis.stride !== size)
        )
          yield [{ size, stride }, ...rest];
  }
}

/** The strides that extents have, by their names. */
export function stridesOf(extents: readonly SizeExpression[]): readonly string[] {
  return stridedTensors(extents).flatMap(({ axes }) => axes.map(({ stride }) => stride));
}

/** Tensors that extents are of, apart from those whose columns are a stride. */
export function stridedTensors(extents: readonly SizeExpression[]): readonly StridedTensor[] {
  return extents.flatMap((extent) => {
    const tensor = tensorOfText(String(extent));
    return tensor === undefined || tensor.axes.some(({ stride }) => stride === tensor.columns)
      ? []
      : [tensor];
  });
}
