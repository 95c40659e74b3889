import { at } from "../../base/known";
import { multipleOfAll } from "../cases/smaller-sizes";
import type { ShapeCase } from "../spec";

/**
 * Seconds of the processor that one run of a shape takes: `Infinity` where it was ended, undefined where it
 * failed.
 */
type RunCost = (shape: ShapeCase) => Promise<number | undefined>;

/** A shape that takes too long. */
export interface TooLong {
  readonly shape: ShapeCase;
  /** Of one run, as it was seen or as it follows from smaller ones. */
  readonly seconds: number;
  /** The smaller shape in its place; undefined where none was found that runs. */
  readonly instead: ShapeCase | undefined;
}

/** Shapes that a check has time for, and those that it has not. */
export interface Afforded {
  readonly shapes: readonly ShapeCase[];
  readonly tooLong: readonly TooLong[];
  /** A shape that is left out since the kernel does not run with so few elements, but with more of them. */
  readonly tooSmall?: ShapeCase;
}

/** What was seen of a run. */
interface Sample {
  readonly volume: number;
  readonly seconds: number;
}

/** Runs of smaller shapes that tell how the time grows. */
const growthSamples = 2;
/** Time does not grow slower, nor faster, with the product of the sizes. */
const [leastPower, greatestPower] = [0.5, 3];
/** Products that lie nearer to each other tell nothing of the power: it is taken to be one. */
const leastSpread = 1.5;
/** How often the sizes of a shape are halved, and how many of the smaller shapes are run, at most. */
const mostHalvings = 12;
const mostRuns = 4;
/** How often more sizes are halved behind a run that was ended: how far beyond it went is not known. */
const endedHalvings = 3;

/**
 * Shapes of which one run takes no more than `most` seconds. The largest one that does not fail is run; where
 * it takes longer, small ones tell how the time grows, and sizes are halved until they fit. No size falls
 * below the least listed one, and each stays a multiple of what its listed values are multiples of.
 */
export async function affordableShapes(
  shapes: readonly ShapeCase[],
  most: number,
  run: RunCost,
): Promise<Afforded> {
  const tooSmall = await smallestThatFails(shapes, run);
  if (tooSmall === undefined) return withinTime(shapes, most, run);
  const others = shapes.filter((shape) => shape !== tooSmall);
  return { ...(await withinTime(others, most, run)), tooSmall };
}

/** Fewer elements than a halo, a pair or a tile has: a kernel may not be made for so few. */
const fewElements = 8;

/**
 * The smallest shape, where a size of it is tiny and it fails, but the next one runs. Undefined where another
 * one fails too, which is the kernel's fault or that of a guess.
 */
async function smallestThatFails(shapes: readonly ShapeCase[], run: RunCost): Promise<ShapeCase | undefined> {
  const [tiny, next] = [...shapes].sort((one, other) => volumeOf(one) - volumeOf(other));
  const isVisible = shapes.some((shape) => shape !== tiny && shape.heldOut !== true);
  if (tiny === undefined || next === undefined || !isVisible) return undefined;
  if (Object.values(tiny.sizes).every((size) => size >= fewElements)) return undefined;
  if ((await run(tiny)) !== undefined) return undefined;
  return (await run(next)) === undefined ? undefined : tiny;
}

async function withinTime(shapes: readonly ShapeCase[], most: number, run: RunCost): Promise<Afforded> {
  const growth = await growthOf(shapes, most, run);
  if (growth === undefined) return { shapes, tooLong: [] };
  const { costs, samples } = growth;
  const search = { floor: floorOf(shapes), most, samples, run: growth.run };
  const known = new Set(shapes.map(textOf));
  const fitted: ShapeCase[] = [];
  const tooLong: TooLong[] = [];
  for (const shape of shapes) {
    const seen = costs.has(shape) ? costs.get(shape) : predicted(samples, volumeOf(shape));
    // What fails does so soon, and its check says why.
    if (seen === undefined || seen <= most) {
      fitted.push(shape);
      continue;
    }
    const instead = await smaller(shape, search, known);
    tooLong.push({ shape, seconds: Math.min(seen, predicted(samples, volumeOf(shape))), instead });
    if (instead === undefined) continue;
    known.add(textOf(instead));
    fitted.push(instead);
  }
  // Of shapes that are all too long the check says so itself.
  const isVisible = fitted.some(({ heldOut }) => heldOut !== true);
  return isVisible ? { shapes: fitted, tooLong } : { shapes, tooLong: [] };
}

/** How the time of a run grows, where the largest shape that runs takes too long. */
interface Growth {
  /** Seconds of a run of that shape, and of those that are larger: they fail. */
  readonly costs: ReadonlyMap<ShapeCase, number | undefined>;
  readonly samples: readonly Sample[];
  /** Runs a shape, which becomes a sample where it ends. */
  readonly run: RunCost;
}

/** Undefined where the largest shape that runs takes little enough, or nothing can be told. */
async function growthOf(
  shapes: readonly ShapeCase[],
  most: number,
  run: RunCost,
): Promise<Growth | undefined> {
  const ascending = [...shapes].sort((one, other) => volumeOf(one) - volumeOf(other));
  const costs = new Map<ShapeCase, number | undefined>();
  let [largest, seconds] = [ascending.pop(), undefined as number | undefined];
  while (largest !== undefined && ascending.length > 0) {
    seconds = await settledCost(largest, most, run);
    costs.set(largest, seconds);
    if (seconds !== undefined) break;
    largest = ascending.pop();
  }
  if (largest === undefined || seconds === undefined || seconds <= most) return undefined;
  const samples: Sample[] = [];
  const runOnce = async (shape: ShapeCase): Promise<number | undefined> => {
    const taken = await run(shape);
    if (taken !== undefined && taken < Infinity) samples.push({ volume: volumeOf(shape), seconds: taken });
    return taken;
  };
  for (const shape of ascending.slice(0, growthSamples)) await runOnce(shape);
  if (seconds < Infinity) samples.push({ volume: volumeOf(largest), seconds });
  return samples.length === 0 ? undefined : { costs, samples, run: runOnce };
}

/** What a run takes; of one that takes too long a second time, since a first run compiles for all others. */
async function settledCost(shape: ShapeCase, most: number, run: RunCost): Promise<number | undefined> {
  const first = await run(shape);
  const isSlow = first !== undefined && first > most && first < Infinity;
  return isSlow ? run(shape) : first;
}

interface Search {
  /** The least value of each size, and what it is a multiple of. */
  readonly floor: Readonly<Record<string, { readonly least: number; readonly step: number }>>;
  readonly most: number;
  readonly samples: readonly Sample[];
  readonly run: RunCost;
}

/** The shape with sizes halved until a run of it takes little enough; undefined where none runs so. */
async function smaller(
  shape: ShapeCase,
  { floor, most, samples, run }: Search,
  known: ReadonlySet<string>,
): Promise<ShapeCase | undefined> {
  const halvedBy = (halvings: number): ShapeCase => ({
    ...shape,
    sizes: halvedSizes(shape.sizes, floor, halvings),
  });
  let before = textOf(shape);
  let runs = 0;
  let [halvings, slow] = [0, 0];
  while (halvings < mostHalvings && runs < mostRuns) {
    halvings += 1;
    const halved = halvedBy(halvings);
    if (textOf(halved) === before) return undefined;
    before = textOf(halved);
    if (known.has(before)) continue;
    if (predicted(samples, volumeOf(halved)) > most) continue;
    runs += 1;
    const seconds = await run(halved);
    if (seconds === undefined) return undefined;
    if (seconds <= most) return larger({ halvedBy, run, most, known }, { slow, fits: halvings, seconds });
    slow = halvings;
    if (seconds === Infinity) halvings += endedHalvings;
  }
  return undefined;
}

/** A shape that takes less than this part of what it may is tried with fewer halvings. */
const roomySeconds = 1 / 8;
/** How often, at most. */
const mostRaised = 3;

/**
 * The largest shape that takes little enough between a number of halvings that is too few and one that fits:
 * what was ended, and the product of sizes that a kernel does not all have work for, lead too far down.
 */
async function larger(
  {
    halvedBy,
    run,
    most,
    known,
  }: Pick<Search, "run" | "most"> & {
    readonly halvedBy: (halvings: number) => ShapeCase;
    readonly known: ReadonlySet<string>;
  },
  first: { readonly slow: number; readonly fits: number; readonly seconds: number },
): Promise<ShapeCase> {
  let { slow, fits, seconds } = first;
  for (let tries = 0; tries < mostRaised && fits - slow > 1 && seconds < roomySeconds * most; tries += 1) {
    const between = Math.floor((slow + fits) / 2);
    const shape = halvedBy(between);
    const taken = known.has(textOf(shape)) ? undefined : await run(shape);
    if (taken !== undefined && taken <= most) [fits, seconds] = [between, taken];
    else slow = between;
  }
  return halvedBy(fits);
}

function halvedSizes(
  sizes: ShapeCase["sizes"],
  floor: Search["floor"],
  halvings: number,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(sizes).map(([name, size]) => {
      const { least = 1, step = 1 } = floor[name] ?? {};
      return [name, Math.min(size, Math.max(least, step * Math.floor(size / 2 ** halvings / step)))];
    }),
  );
}

function floorOf(shapes: readonly ShapeCase[]): Search["floor"] {
  const names = Object.keys(at(shapes, 0).sizes);
  return Object.fromEntries(
    names.map((name) => {
      const values = shapes.flatMap(({ sizes }) => sizes[name] ?? []);
      return [name, { least: Math.min(...values), step: multipleOfAll(values) }];
    }),
  );
}

/** Seconds of a run by its volume: a power of it, through the two runs with the greatest volumes. */
function predicted(samples: readonly Sample[], volume: number): number {
  const [most, less] = [...samples].sort((one, other) => other.volume - one.volume);
  if (most === undefined) return 0;
  return most.seconds * (volume / most.volume) ** powerOf(most, less);
}

function powerOf(most: Sample, less: Sample | undefined): number {
  if (less === undefined || most.volume < leastSpread * less.volume) return 1;
  const power = Math.log(most.seconds / less.seconds) / Math.log(most.volume / less.volume);
  return Math.min(greatestPower, Math.max(leastPower, power));
}

function volumeOf({ sizes }: ShapeCase): number {
  return Object.values(sizes).reduce((product, size) => product * Math.max(1, size), 1);
}

function textOf({ sizes }: ShapeCase): string {
  return JSON.stringify(sizes);
}
