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
/** How much more threads there have to be for a size that is doubled. */
const leastGrowth = 1.5;

/**
 * Sizes with enough threads to fill a GPU, where those of the first shape make too few: a rewrite that takes
 * turns, shares or waits less is no gain on a GPU that idles. Sizes that tell the shapes apart are doubled as
 * long as that makes more threads. Undefined where the shape fills a GPU, or nothing larger runs. `run`:
 * undefined where a call fails or finds a fault.
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
  const larger = await grown({ sizes: first.sizes, ...begun }, names, {
    doubled: (sizes, name) => doubled(sizes, name, extents.flat()),
    run: (sizes) => (isRoomy(extents, sizes) ? run(sizes) : Promise.resolve(undefined)),
  });
  return larger.sizes === first.sizes ? undefined : larger.sizes;
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
