import { constantOf, type Form, formFrom, sameForm } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { compact, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { formIn, type KernelView } from "../kernel";

/**
 * A loop in which each thread handles a fixed number of items: `for (int item = 0; item < ITEMS; ++item)`.
 */
export interface ItemLoop extends CountedLoop {
  readonly count: number;
}

/** Loops from zero in steps of one to a constant. */
export function itemLoops(view: KernelView): readonly ItemLoop[] {
  return countedLoops(view.body).flatMap((loop) => {
    const count = loop.comparison === "<" ? constantOf(formIn(view, loop.bound)) : undefined;
    const byOne =
      loop.step.operator === "+" &&
      (loop.step.amount === undefined || constantOf(formIn(view, loop.step.amount)) === 1);
    const fromZero = constantOf(formIn(view, loop.start)) === 0;
    return byOne && fromZero && count !== undefined && count > 1 ? [{ ...loop, count }] : [];
  });
}

/** The number of a thread in the grid, times `scale`: with blockDim.x, or with the block's size for it. */
export function isGlobalThreadIndex(form: Form, threads: number | undefined, scale = 1): boolean {
  const symbolic = formFrom({ "blockDim.x*blockIdx.x": scale, "threadIdx.x": scale });
  const numeric =
    threads === undefined ? undefined : formFrom({ "blockIdx.x": threads * scale, "threadIdx.x": scale });
  return sameForm(form, symbolic) || (numeric !== undefined && sameForm(form, numeric));
}

/** The number of a thread in a line of blocks of two dimensions, whose threads are counted by rows. */
export function isFlatThreadIndex(form: Form, [wide, high]: readonly [number, number, number]): boolean {
  const symbolic = formFrom({
    [["blockDim.x", "blockDim.y", "blockIdx.x"].join("*")]: 1,
    [["blockDim.x", "threadIdx.y"].join("*")]: 1,
    "threadIdx.x": 1,
  });
  const numeric = formFrom({ "blockIdx.x": wide * high, "threadIdx.y": wide, "threadIdx.x": 1 });
  return sameForm(form, symbolic) || sameForm(form, numeric);
}

/** The step of a loop over the whole grid of such blocks. */
export function isFlatGridStride(form: Form, [wide, high]: readonly [number, number, number]): boolean {
  const symbolic = formFrom({ [["blockDim.x", "blockDim.y", "gridDim.x"].join("*")]: 1 });
  return sameForm(form, symbolic) || sameForm(form, formFrom({ "gridDim.x": wide * high }));
}

/** The step of a loop over the whole grid: all its threads. */
export function isGridStride(form: Form, threads: number | undefined): boolean {
  return (
    sameForm(form, formFrom({ "blockDim.x*gridDim.x": 1 })) ||
    (threads !== undefined && sameForm(form, formFrom({ "gridDim.x": threads })))
  );
}

/** What a loop deals its iterations out to. */
export function loopReach(
  view: KernelView,
  { start, step, comparison }: CountedLoop,
  threads: number | undefined,
): "block" | "grid" | undefined {
  if (step.operator !== "+" || step.amount === undefined || comparison !== "<") return undefined;
  const [first, stride] = [formIn(view, start), formIn(view, step.amount)];
  if (isGlobalThreadIndex(first, threads) && isGridStride(stride, threads)) return "grid";
  const byBlock =
    sameForm(stride, formFrom({ "blockDim.x": 1 })) ||
    sameForm(stride, formFrom({ "": threads ?? Number.NaN }));
  return byBlock && sameForm(first, formFrom({ "threadIdx.x": 1 })) ? "block" : undefined;
}

/**
 * The sums `first + item` that hold every use of both names inside the loop, or the use that is none.
 */
export function sumsOf(
  loop: ItemLoop,
  first: string,
): { readonly sums: readonly SyntaxNode[] } | { readonly other: SyntaxNode } {
  const sums = new Map<number, SyntaxNode>();
  for (const use of [...usesOf(loop.body, first), ...usesOf(loop.body, loop.variable)]) {
    const sum = use.parent;
    const sides = [compact(sum?.childForFieldName("left")), compact(sum?.childForFieldName("right"))];
    const plain = sum?.childForFieldName("operator")?.text === "+";
    if (sum === null || !plain || sides.sort().join() !== [first, loop.variable].sort().join())
      return { other: use };
    sums.set(sum.id, sum);
  }
  return { sums: [...sums.values()] };
}
