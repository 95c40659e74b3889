import { at, entry } from "../../base/known";
import { doubled, fillingThreads } from "../probe/shapes/plan";
import type { KernelSpec, SizeExpression } from "../spec";
import { evaluateSizeExpression } from "../size-expression";

/** What a call with some sizes was seen to do. */
export interface PricedRun {
  /** Of the launch with the most of them. */
  readonly threads: number;
  /** Warp-level instructions of all launches. */
  readonly instructions: number;
}

type Sizes = Readonly<Record<string, number>>;

/** Warp-level instructions of a call: some seconds on the virtual GPU where nothing is counted. */
const mostInstructions = 32_000_000;
/** Elements of a buffer, and of all of them. */
const mostInBuffer = 16_777_216;
const mostElements = 33_554_432;
/** How much more threads there have to be for a size that is doubled, or work where the grid is fixed. */
const leastGrowth = 1.5;
/** How often a size is doubled so that each thread of a fixed grid takes several turns. */
const turnDoublings = 3;

/**
 * Sizes with enough threads to fill a GPU, where those of the first shape make too few: a rewrite that takes
 * turns, shares or waits less is no gain on a GPU that idles. Sizes that tell the shapes apart are doubled as
 * long as that makes more threads. A grid that fills a GPU whatever the sizes gets several times the work:
 * with one turn for each thread, what a block keeps for all its turns is no gain. Undefined where the shape
 * is as large as that, or nothing larger runs. `run`: undefined where a call fails or finds a fault.
 */
export async function pricedSizes(
  { shapes, inputs, outputs }: Pick<KernelSpec, "shapes" | "inputs" | "outputs">,
  run: (sizes: Sizes) => Promise<PricedRun | undefined>,
): Promise<Sizes | undefined> {
  const first = shapes.find(({ heldOut }) => heldOut !== true);
  const extents = [...Object.values(inputs), ...Object.values(outputs)].map(({ shape }) => shape);
  const names = Object.keys(first?.sizes ?? {}).filter((name) => isFree(shapes, name));
  if (first === undefined || names.length === 0) return undefined;
  const begun = await run(first.sizes);
  if (begun === undefined) return undefined;
  const growth: Growth = {
    doubled: (sizes, name) => doubled(sizes, name, extents.flat()),
    run: (sizes) => (isRoomy(extents, sizes) ? run(sizes) : Promise.resolve(undefined)),
  };
  const from = { sizes: first.sizes, ...begun };
  if (begun.threads < fillingThreads) return otherThan(first.sizes, await grown(from, names, growth));
  // The last shape is small: whether it has as many threads is found out in no time.
  const smaller = await run(at(shapes, shapes.length - 1).sizes);
  if (smaller?.threads !== begun.threads) return undefined;
  return otherThan(first.sizes, await deepened(from, names, growth));
}

function otherThan(first: Sizes, { sizes }: Sized): Sizes | undefined {
  return sizes === first ? undefined : sizes;
}

interface Sized extends PricedRun {
  readonly sizes: Sizes;
}

interface Growth {
  readonly doubled: (sizes: Sizes, name: string) => Sizes;
  readonly run: (sizes: Sizes) => Promise<PricedRun | undefined>;
}

/** The largest run that was found by doubling sizes in turn, each as long as that makes more threads. */
async function grown(
  begun: Sized,
  names: readonly string[],
  { doubled: larger, run }: Growth,
): Promise<Sized> {
  let present = begun;
  let growing = names;
  while (growing.length > 0) {
    const still: string[] = [];
    for (const name of growing) {
      if (present.threads >= fillingThreads || 2 * present.instructions > mostInstructions) return present;
      const sizes = larger(present.sizes, name);
      const next = await run(sizes);
      if (next === undefined || next.instructions > mostInstructions) continue;
      if (next.threads < leastGrowth * present.threads) continue;
      present = { sizes, ...next };
      still.push(name);
    }
    growing = still;
  }
  return present;
}

/** The largest run of a grid that stays as it is, with one size doubled a few times that makes more work. */
async function deepened(
  begun: Sized,
  names: readonly string[],
  { doubled: larger, run }: Growth,
): Promise<Sized> {
  for (const name of names) {
    let present = begun;
    for (let turn = 0; turn < turnDoublings; turn += 1) {
      if (2 * present.instructions > mostInstructions) break;
      const sizes = larger(present.sizes, name);
      const next = await run(sizes);
      if (next === undefined || next.instructions > mostInstructions) break;
      // More blocks come with larger sizes: each of their threads has as much to do as before.
      if (next.threads !== begun.threads) return begun;
      if (next.instructions < leastGrowth * present.instructions) break;
      present = { sizes, ...next };
    }
    if (present !== begun) return present;
  }
  return begun;
}

/** A size that all shapes have in common may be one that the kernel needs. */
function isFree(shapes: KernelSpec["shapes"], name: string): boolean {
  return shapes.some(({ sizes }) => entry(sizes, name) !== entry(at(shapes, 0).sizes, name));
}

/** Whether buffers are made and compared in little time. */
function isRoomy(extents: readonly (readonly SizeExpression[])[], sizes: Sizes): boolean {
  const elements = extents.map((shape) =>
    shape.reduce<number>((product, extent) => {
      const outcome = evaluateSizeExpression(extent, sizes);
      return product * (outcome.ok ? outcome.value : Infinity);
    }, 1),
  );
  return (
    elements.every((count) => count <= mostInBuffer) &&
    elements.reduce((sum, count) => sum + count, 0) <= mostElements
  );
}
