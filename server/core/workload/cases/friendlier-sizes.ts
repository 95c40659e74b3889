import { at } from "../../base/known";
import type { ShapeCase } from "../spec";

type Sizes = ShapeCase["sizes"];

/** Sizes that were made up, at which a kernel has a fault that others do not have. */
interface UnfriendlySizes {
  readonly sizes: Sizes;
  /** What a run with them said. */
  readonly said: string;
  /** What sizes are multiples of where nothing is found. */
  readonly steps: Readonly<Record<string, number>>;
}

/** Shapes at which nothing is found, and what was found at others. */
export interface FriendlierSizes {
  readonly shapes: readonly ShapeCase[];
  readonly instead?: UnfriendlySizes;
}

/** What a run of a shape finds, where it finds anything. */
type Finds = (shape: ShapeCase) => Promise<string | undefined>;

/** What sizes are tried as multiples of. */
const steps = [2, 4, 8, 16, 32, 64, 128, 256];
const warp = 32;
/** Products of sizes up to which a shape is run for this: larger ones show the same, and take seconds. */
const mostVolume = 2 ** 18;

/**
 * The shapes with sizes that a kernel may be made for: where a small one has a fault and not the first one,
 * which is large and of powers of two, its sizes are made multiples of something until nothing is found. A
 * size that may be anything beside the others stays as it is. Where nothing helps, nothing changes.
 * `extents`: sizes that tensors have. Other numbers, which may be distances or widths, are changed where
 * these alone do not help.
 */
export async function friendlierSizes(
  shapes: readonly ShapeCase[],
  finds: Finds,
  extents: readonly string[],
): Promise<FriendlierSizes> {
  const unchanged = { shapes };
  const small = shapes
    .slice(1)
    .filter((shape) => volumeOf(shape) <= mostVolume)
    .sort((one, other) => volumeOf(one) - volumeOf(other));
  for (const shape of small) {
    const said = await finds(shape);
    if (said === undefined) continue;
    const names = Object.keys(shape.sizes);
    const own = names.filter((name) => extents.includes(name));
    const others = small.filter((each) => each !== shape);
    const suits = async (steps: Sizes): Promise<boolean> => {
      for (const other of different(others, steps)) if ((await finds(other)) !== undefined) return false;
      return true;
    };
    const ofOwn = own.length < names.length ? await stepsFor(shape, own, { finds, suits }) : undefined;
    const found = ofOwn ?? (await stepsFor(shape, names, { finds, suits: () => Promise.resolve(true) }));
    if (found === undefined || (await finds(at(shapes, 0))) !== undefined) return unchanged;
    return { shapes: different(shapes, found), instead: { sizes: shape.sizes, said, steps: found } };
  }
  return unchanged;
}

/** What which sizes have to be multiples of; undefined where that does not help. */
async function stepsFor(
  shape: ShapeCase,
  names: readonly string[],
  {
    finds,
    suits,
  }: {
    readonly finds: Finds;
    /** Whether other shapes are without fault at multiples of these, too. */
    readonly suits: (steps: Sizes) => Promise<boolean>;
  },
): Promise<Sizes | undefined> {
  if (names.length === 0) return undefined;
  const holds = async (tried: Sizes): Promise<boolean> => {
    // Two shapes, neither of powers of two alone, so that it is not by chance.
    for (const more of [0, 2]) {
      const sizes = Object.fromEntries(
        Object.entries(shape.sizes).map(([name, size]) => {
          const step = tried[name];
          return [name, step === undefined ? size : roundedUp(size, step) + more * step];
        }),
      );
      if ((await finds({ ...shape, sizes })) !== undefined) return false;
    }
    return true;
  };
  const ofAll = (step: number): Sizes => Object.fromEntries(names.map((name) => [name, step]));
  // Where nothing helps it is enough to have tried these.
  const isHelped = (await holds(ofAll(warp))) || (await holds(ofAll(at(steps, steps.length - 1))));
  for (const step of isHelped ? steps : []) {
    const all = ofAll(step);
    if (!(await holds(all))) continue;
    let needed = all;
    for (const name of names) {
      const others = Object.fromEntries(Object.entries(needed).filter(([each]) => each !== name));
      if (Object.keys(others).length > 0 && (await holds(others))) needed = others;
    }
    if (await suits(needed)) return needed;
  }
  return undefined;
}

function different(shapes: readonly ShapeCase[], found: Sizes): readonly ShapeCase[] {
  const rounded = shapes.map((shape) => ({
    ...shape,
    sizes: Object.fromEntries(
      Object.entries(shape.sizes).map(([name, size]) => [name, roundedUp(size, found[name] ?? 1)]),
    ),
  }));
  return [...new Map(rounded.map((shape) => [JSON.stringify(shape.sizes), shape])).values()];
}

function roundedUp(size: number, step: number): number {
  return step * Math.max(1, Math.ceil(size / step));
}

function volumeOf({ sizes }: ShapeCase): number {
  return Object.values(sizes).reduce((product, size) => product * Math.max(1, size), 1);
}
