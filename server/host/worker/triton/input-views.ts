import { at } from "../../../core/base/known";
import { itemBytes } from "../../../core/workload/item-bytes";
import { patternOf } from "../evaluation/buffers";
import type { ResolvedTensor } from "../evaluation/case-shapes";
import type { RunRequest, ViewKind } from "../evaluation/kernel-runner";
import { rowMajor } from "./returned-layout";

/** Where the elements of a tensor lie in a memory that holds more; all in elements. */
interface InputView {
  readonly strides: readonly number[];
  /** Place of the first element. */
  readonly first: number;
  /** How many the memory has. */
  readonly count: number;
}

type Viewed = Pick<ResolvedTensor, "dtype" | "shape">;

/** Elements beside the rows of a slice, on each side: rows stay as aligned, whatever their elements are. */
const beside = 16;

/** A view of a tensor's shape; undefined where it would lie as any tensor does. */
function viewOf(shape: readonly number[], as: ViewKind): InputView | undefined {
  const rank = shape.length;
  const count = shape.reduce((product, size) => product * size, 1);
  if (rank === 0 || count === 0) return undefined;
  const columns = at(shape, rank - 1);
  if (as === "stepped") {
    const strides = rowMajor(shape).map((stride) => stride * 2);
    return rank > 1 || count === 1 ? undefined : { strides, first: 0, count: count * 2 };
  }
  if (rank === 1) return undefined;
  if (as === "sliced") {
    if (count === columns) return undefined;
    const wide = [...shape.slice(0, -1), columns + 2 * beside];
    return { strides: rowMajor(wide), first: beside, count: (count / columns) * (columns + 2 * beside) };
  }
  const rows = at(shape, rank - 2);
  if (rows === 1 || columns === 1) return undefined;
  const strides = rowMajor([...shape.slice(0, -2), columns, rows]);
  const turned = [...strides.slice(0, -2), at(strides, rank - 1), at(strides, rank - 2)];
  return { strides: turned, first: 0, count };
}

/** How the input at a position lies in its memory; undefined where its elements are all that there is. */
export function viewAt({ shape, viewed }: RunRequest, position: number): InputView | undefined {
  const input = shape.inputs[position];
  return viewed !== undefined && input?.name === viewed.input ? viewOf(input.shape, viewed.as) : undefined;
}

/** The memory of a view with these elements, row after row; what lies between them is of no use. */
export function scattered(content: Uint8Array, view: InputView, { dtype, shape }: Viewed): Uint8Array {
  const size = itemBytes[dtype];
  const memory = new Uint8Array(view.count * size);
  Buffer.from(memory.buffer).fill(patternOf(dtype, "first"));
  for (let element = 0; element * size < content.byteLength; element += 1) {
    let rest = element;
    let place = view.first;
    for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
      const extent = at(shape, axis);
      place += (rest % extent) * at(view.strides, axis);
      rest = Math.floor(rest / extent);
    }
    memory.set(content.subarray(element * size, (element + 1) * size), place * size);
  }
  return memory;
}
