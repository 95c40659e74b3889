import { constantOf } from "../../../../language/cuda/body/forms";
import { constantValue } from "../../../../language/cuda/constants";
import { isAssigned, localValues } from "../../../../language/cuda/body/scope";
import { hiddenThreadIndex } from "../../../../language/cuda/body/threads";
import { compact, fieldText, isInside, unwrapped, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { formIn, type KernelView } from "../kernel";
import { writtenBlock } from "../launch/grid-edit";

/** Edits with the block that they give the kernel. */
interface Planed {
  readonly edits: readonly TextEdit[];
  readonly block: readonly [number, number, number];
}

/**
 * `threadIdx.x % 16` and `threadIdx.x / 16` in a block of 256 threads as `threadIdx.x` and `threadIdx.y`
 * of one of 16 × 16: the threads, their order and their warps are the same. Undefined where no launch of
 * the file says the block, or nothing takes the thread's number apart.
 */
export function planed(view: KernelView): Planed | undefined {
  const { body, launches, kernel, model } = view;
  const [launch, ...more] = launches;
  const written = writtenBlock(view);
  const sizes = launch?.block.map(({ text }) => constantValue(text, launch.names)) ?? [];
  const [threads, ...others] = sizes;
  const row = others.every((size) => size === 1);
  if (threads === undefined || written === undefined || more.length > 0 || !row) return undefined;
  if (hiddenThreadIndex(model, kernel) !== undefined) return undefined;
  const numbers = threadNumbers(body);
  const places = numbers.flatMap((use) => placeOf(view, use) ?? []);
  const [first] = places;
  const wide = first?.divisor;
  if (wide === undefined || wide < 2 || threads % wide !== 0 || threads / wide < 2) return undefined;
  const own = places.filter(({ divisor }) => divisor === wide);
  if (new Set(own.map(({ axis }) => axis)).size < 2) return undefined;
  const whole = numbers.filter((use) => isThread(use) && !own.some(({ node }) => isInside(use, node)));
  const blocks = usesOf(body, "blockDim").flatMap(({ parent }) => parent ?? []);
  if (!blocks.every((node) => compact(node) === "blockDim.x")) return undefined;
  return {
    edits: [
      ...own.map(({ node, axis }) => replaceNode(node, `threadIdx.${axis}`)),
      ...whole.map((node) => replaceNode(node, `(threadIdx.y * ${wide} + threadIdx.x)`)),
      ...blocks.map((node) => replaceNode(node, String(threads))),
      replaceNode(written, `dim3(${wide}, ${threads / wide})`),
    ],
    block: [wide, threads / wide, 1],
  };
}

function isThread(node: SyntaxNode): boolean {
  return compact(node) === "threadIdx.x";
}

/** `threadIdx.x`, and every use of a local that is nothing else. */
function threadNumbers(body: SyntaxNode): readonly SyntaxNode[] {
  const direct = usesOf(body, "threadIdx").flatMap(({ parent }) =>
    parent && isThread(parent) ? [parent] : [],
  );
  const locals = localValues(body).filter(
    ({ name, value }) => isThread(unwrapped(value)) && !isAssigned(body, name),
  );
  const named = locals.flatMap(({ name, declaration }) =>
    usesOf(body, name).filter((use) => !isInside(use, declaration)),
  );
  return [...direct, ...named];
}

interface PlaneNumber {
  readonly node: SyntaxNode;
  readonly axis: "x" | "y";
  readonly divisor: number;
}

/** By operator: the axis, and what divides the number. */
const parted: Readonly<Record<string, (by: number) => Omit<PlaneNumber, "node"> | undefined>> = {
  "%": (by) => ({ axis: "x", divisor: by }),
  "/": (by) => ({ axis: "y", divisor: by }),
  "&": (by) => (Number.isInteger(Math.log2(by + 1)) ? { axis: "x", divisor: by + 1 } : undefined),
  ">>": (by) => ({ axis: "y", divisor: 2 ** by }),
};

/** `threadIdx.x % 16`, `threadIdx.x / 16`, `threadIdx.x & 15`, `threadIdx.x >> 4`. */
function placeOf(view: KernelView, use: SyntaxNode): PlaneNumber | undefined {
  const node = use.parent?.type === "parenthesized_expression" ? use.parent.parent : use.parent;
  const [left, right] = [node?.childForFieldName("left"), node?.childForFieldName("right")];
  if (!node || !left || !right || unwrapped(left).id !== use.id) return undefined;
  const by = constantOf(formIn(view, right));
  const part = by === undefined || by < 1 ? undefined : parted[fieldText(node, "operator")]?.(by);
  return part && { node, ...part };
}
