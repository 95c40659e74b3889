import { multipleOfAll } from "./smaller-sizes";
import type { ShapeCase } from "../spec";

/** A size that was too large for an array of the kernel's own. */
interface LimitedSize {
  readonly name: string;
  /** The largest value that is taken. */
  readonly most: number;
  /** A value with which the kernel leaves the array. */
  readonly tooLarge: number;
  /** What a run with it said. */
  readonly said: string;
}

/** Shapes with which a kernel stays within its own arrays. */
export interface WithinOwn {
  readonly shapes: readonly ShapeCase[];
  readonly limits: readonly LimitedSize[];
}

/** What a run of a shape says of an access outside of the kernel's own arrays, where there is one. */
type Leaves = (shape: ShapeCase) => Promise<string | undefined>;

/** How often a size is halved until the kernel stays within its arrays. */
const mostHalvings = 12;

/**
 * The shapes with sizes that suit the arrays which the kernel has in shared and local memory: each size by
 * itself is made as large as it gets in any shape, beside the least values of the others. Where the kernel
 * leaves an array then, and not with the smallest shape, the array has a length of its own, and the size is
 * cut to the largest power of two with which it does not. What the smallest shape does is the kernel's fault.
 */
export async function withinOwnArrays(shapes: readonly ShapeCase[], leaves: Leaves): Promise<WithinOwn> {
  const [smallest] = [...shapes].sort((one, other) => volumeOf(one) - volumeOf(other));
  const unchanged = { shapes, limits: [] };
  if (smallest === undefined || (await leaves(smallest)) !== undefined) return unchanged;
  const limits: LimitedSize[] = [];
  for (const name of Object.keys(smallest.sizes)) {
    const values = shapes.flatMap(({ sizes }) => sizes[name] ?? []);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const alone = (value: number): ShapeCase => ({
      ...smallest,
      sizes: { ...smallest.sizes, [name]: value },
    });
    const said = most > least ? await leaves(alone(most)) : undefined;
    if (said === undefined) continue;
    const fitting = await largestWithin(most, { least, step: multipleOfAll(values) }, async (value) => {
      return (await leaves(alone(value))) === undefined;
    });
    limits.push({ name, most: fitting ?? least, tooLarge: most, said });
  }
  return limits.length === 0 ? unchanged : { shapes: cut(shapes, limits), limits };
}

/** The largest power of two below a value, or multiple of the step, that suits. */
async function largestWithin(
  value: number,
  { least, step }: { readonly least: number; readonly step: number },
  suits: (value: number) => Promise<boolean>,
): Promise<number | undefined> {
  let power = 2 ** Math.floor(Math.log2(value));
  for (let halvings = 0; halvings < mostHalvings && power > least; halvings += 1) {
    const fitting = step * Math.floor(power / step);
    if (fitting < value && fitting > least && (await suits(fitting))) return fitting;
    power /= 2;
  }
  return undefined;
}

/** The shapes with no size above its limit; of those that are the same then the first. */
function cut(shapes: readonly ShapeCase[], limits: readonly LimitedSize[]): readonly ShapeCase[] {
  const found = new Map<string, ShapeCase>();
  for (const shape of shapes) {
    const sizes = { ...shape.sizes };
    for (const { name, most } of limits) sizes[name] = Math.min(sizes[name] ?? most, most);
    const text = JSON.stringify(sizes);
    if (!found.has(text)) found.set(text, { ...shape, sizes });
  }
  return [...found.values()];
}

function volumeOf({ sizes }: ShapeCase): number {
  return Object.values(sizes).reduce((product, size) => product * Math.max(1, size), 1);
}
