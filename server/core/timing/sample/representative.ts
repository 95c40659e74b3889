import type { CounterSums, KernelCounters } from "../counters";
import { counterCatalogue, counterNames } from "../counter-catalogue";
import { addMachineWork } from "../execution/machine-work";
import { type SectorReuse, reuseClassOf, reuseClasses } from "../reuse";

/** Blocks along x, y and z. */
type Grid = readonly [number, number, number];

/** Launches with fewer blocks are counted whole. */
const fewestSampled = 64;

/** Directions of a grid as bits: 1 is x, 2 is y, 4 is z. */
type Directions = number;

/** A block in the middle, and one that lies beside it along each of some directions. */
interface BlockPair {
  readonly directions: Directions;
  readonly blocks: readonly number[];
}

/** A block on a side of a grid, and how many others of that side it stands for, itself among them. */
interface SideBlock {
  readonly block: number;
  readonly standsFor: number;
}

/** Blocks of a grid that stand for the others, by linear number. */
export interface BlockSample {
  readonly single: number;
  /** What the two of a pair load in common is what blocks share along these directions. */
  readonly pairs: readonly BlockPair[];
  readonly sides: readonly SideBlock[];
}

/** Along fewer blocks there are no sides: blocks that are spread over the grid meet them often enough. */
const fewestWithSides = 5;

/** Blocks that stand for a grid; undefined where there are so few that all are counted. */
export function sampleOf(grid: Grid): BlockSample | undefined {
  const [x, y, z] = grid;
  if (x * y * z < fewestSampled) return undefined;
  const middle: Grid = [x >> 1, y >> 1, z >> 1];
  const numberOf = ([column, row, slice]: Grid): number => (slice * y + row) * x + column;
  const single = numberOf(middle);
  const beside = (directions: Directions): number =>
    numberOf([
      middle[0] - (directions & 1),
      middle[1] - ((directions >> 1) & 1),
      middle[2] - (directions >> 2),
    ]);
  const pairs = directionsOf(grid).map((directions) => ({
    directions,
    blocks: [beside(directions), single],
  }));
  return {
    single,
    pairs,
    sides: sidesOf(grid, middle).map((side) => ({ ...side, block: numberOf(side.at) })),
  };
}

/** All directions, alone and together, along which a grid has more than one block. */
function directionsOf(grid: Grid): readonly Directions[] {
  const present = grid.reduce((bits, size, axis) => (size > 1 ? bits | (1 << axis) : bits), 0);
  return [1, 2, 3, 4, 5, 6, 7].filter((directions) => (directions & present) === directions);
}

/** A block in the middle of each side; a block that lies on several sides counts to the first of them. */
function sidesOf(grid: Grid, middle: Grid): readonly { readonly at: Grid; readonly standsFor: number }[] {
  const inner: [number, number, number] = [...grid];
  return grid.flatMap((size, axis) => {
    if (size < fewestWithSides) return [];
    inner[axis] = 1;
    const standsFor = inner[0] * inner[1] * inner[2];
    inner[axis] = size - 2;
    const at = (place: number): Grid => [
      axis === 0 ? place : middle[0],
      axis === 1 ? place : middle[1],
      axis === 2 ? place : middle[2],
    ];
    return [0, size - 1].map((place) => ({ at: at(place), standsFor }));
  });
}

/**
 * Blocks side by side in the middle of a grid, about so many: two at least along each direction, where there
 * are. The logarithms of the patch's sides are to each other as those of the grid's. So a power law through
 * one block and the patch meets the whole grid as well, along whichever directions blocks share.
 */
export function middlePatch(grid: Grid, most: number): readonly number[] {
  const [x, y, z] = grid;
  const power = Math.min(1, Math.log(Math.max(1, most)) / Math.log(Math.max(2, x * y * z)));
  const sides = grid.map((size) => Math.min(size, Math.max(2, Math.round(size ** power))));
  const count = (): number => sides.reduce((product, side) => product * side, 1);
  while (count() > most && Math.max(...sides) > 2) {
    const longest = Math.max(...sides);
    sides[sides.indexOf(longest)] = longest - 1;
  }
  const [wide = 1, high = 1, deep = 1] = sides;
  const [left, top, front] = [(x - wide) >> 1, (y - high) >> 1, (z - deep) >> 1];
  return Array.from({ length: wide * high * deep }, (_, at) => {
    const row = top + (Math.floor(at / wide) % high);
    const slice = front + Math.floor(at / (wide * high));
    return (slice * y + row) * x + left + (at % wide);
  });
}

/** Multiples of the golden ratio fall evenly between whole numbers, however many there are. */
const goldenRatio = (Math.sqrt(5) - 1) / 2;

/**
 * Groups of so many blocks each, evenly spread over the rows of a grid and, by the golden ratio, along them.
 * Evenly spaced numbers of blocks meet one column alone where its width divides their distance: of causal
 * attention, whose blocks grow along a row, the shortest.
 */
export function spreadBlocks([x, y, z]: Grid, count: number, groups: number): readonly (readonly number[])[] {
  const rows = y * z;
  const block = (number: number): number => {
    const row = Math.floor(((number + 0.5) / (count * groups)) * rows);
    const column = Math.floor((((number + 0.5) * goldenRatio) % 1) * x);
    return row * x + column;
  };
  return Array.from({ length: groups }, (_, group) => [
    ...new Set(Array.from({ length: count }, (__, at) => block(at * groups + group))),
  ]);
}

/**
 * Sectors that one block in the middle loads first, by the directions along which other blocks load them too:
 * `[0]` are its own, `[1]` go along x (the rows of a product's left matrix), `[3]` to all blocks of its plane
 * (the weights of one output channel), `[7]` to all blocks.
 */
export type Sharing = readonly number[];

/** Where nothing is known of other blocks. */
export function sharesNothing(sectors: number): Sharing {
  return [sectors, 0, 0, 0, 0, 0, 0, 0];
}

/**
 * Sharing from the first touches of one block and of its pairs: what goes along some directions at least,
 * without what goes along more.
 */
export function sharingOf(
  single: number,
  pairs: readonly { readonly directions: Directions; readonly first: number }[],
): Sharing {
  const alongAtLeast = (directions: Directions): number => {
    const within = pairs.filter((pair) => (pair.directions & directions) === pair.directions);
    const inBoth = within.map(({ first }) => Math.max(0, 2 * single - first));
    return Math.min(single, ...inBoth);
  };
  const shared = [0, 0, 0, 0, 0, 0, 0, 0];
  let left = single;
  const widestFirst = pairs
    .map(({ directions }) => directions)
    .toSorted((a, b) => bits(b) - bits(a) || a - b);
  for (const directions of widestFirst) {
    const alongMore = shared.reduce(
      (sum, sectors, other) => ((other & directions) === directions ? sum + sectors : sum),
      0,
    );
    const sectors = Math.min(left, Math.max(0, alongAtLeast(directions) - alongMore));
    shared[directions] = sectors;
    left -= sectors;
  }
  shared[0] = left;
  return shared;
}

function bits(directions: Directions): number {
  return (directions & 1) + ((directions >> 1) & 1) + (directions >> 2);
}

/** Counters of a whole launch from those of a part of it: so many times as much, worst cases as they are. */
function scaledCounters(counters: CounterSums, factor: number): CounterSums {
  const scaled = Object.fromEntries(
    counterNames.map((name) => [
      name,
      counterCatalogue[name].greatest === true ? counters[name] : counters[name] * factor,
    ]),
  ) as unknown as CounterSums;
  const reuse = (known: SectorReuse | undefined): SectorReuse | undefined =>
    known && {
      first: known.first * factor,
      sameBlock: known.sameBlock.map((count) => count * factor),
      otherBlocks: known.otherBlocks.map((count) => count * factor),
    };
  const [loadReuse, storeReuse] = [reuse(counters.loadReuse), reuse(counters.storeReuse)];
  const machine = counters.machine && addMachineWork(undefined, counters.machine, factor);
  return {
    ...scaled,
    ...(loadReuse && { loadReuse }),
    ...(storeReuse && { storeReuse }),
    ...(machine && { machine }),
  };
}

/** The same for every line. */
export function scaledKernel(counters: KernelCounters, factor: number): KernelCounters {
  return {
    origin: counters.origin,
    lines: counters.lines.map((line) => ({
      file: line.file,
      line: line.line,
      ...scaledCounters(line, factor),
    })),
    totals: scaledCounters(counters.totals, factor),
  };
}

/** How many sets of blocks that share along these directions the first blocks of a grid belong to. */
function distinctSets(directions: Directions, [x, y]: Grid, blocks: number): number {
  const plane = x * y;
  const rows = Math.ceil(blocks / x);
  const inPlane = blocks % plane;
  const planes = Math.floor(blocks / plane);
  const sets: readonly number[] = [
    blocks,
    rows,
    planes * x + Math.min(x, inPlane),
    Math.ceil(blocks / plane),
    Math.min(plane, blocks),
    Math.min(y, rows),
    Math.min(x, blocks),
    1,
  ];
  return sets[directions] ?? blocks;
}

/** Distinct sectors that so many blocks load first, taken in the order of their numbers. */
function distinctSectors(sharing: Sharing, grid: Grid, blocks: number): number {
  return sharing.reduce(
    (sum, sectors, directions) => sum + sectors * distinctSets(directions, grid, blocks),
    0,
  );
}

/**
 * Blocks between two that share along these directions and do not run together: those of one wave, or, where
 * they share along y or z alone, a row or a plane of the grid.
 */
function blocksBetween(directions: Directions, [x, y, z]: Grid, together: number): number {
  const strides = [1, x, x * y];
  const spans = [x, x * y, x * y * z];
  const axis = spans.findIndex((span, at) => (directions & (1 << at)) !== 0 && span > together);
  return Math.max(together, strides[axis] ?? 1);
}

interface SharedBy {
  readonly grid: Grid;
  readonly wave: number;
  readonly footprint?: number;
}

/**
 * Counters with the loads that blocks share placed by time: blocks of one wave load what they share once, and
 * at once; the next wave finds it again if the second level holds what a wave loads.
 * @param wave blocks that a GPU has resident at the same time
 * @param footprint sectors of all memory that the launch is given: no more are distinct
 */
export function withSharing(
  counters: CounterSums,
  sharing: Sharing,
  { grid, wave, footprint = Infinity }: SharedBy,
): CounterSums {
  if (counters.loadReuse === undefined) return counters;
  const [x, y, z] = grid;
  const blocks = x * y * z;
  const together = Math.min(blocks, Math.max(1, wave));
  const distinct = (count: number): number => Math.min(footprint, distinctSectors(sharing, grid, count));
  const ofAll = distinct(blocks);
  const asked = distinct(1) * blocks;
  const loaded = Math.min(asked, Math.max(ofAll, (distinct(together) * blocks) / together));
  const otherBlocks = Array.from({ length: reuseClasses }, () => 0);
  otherBlocks[0] = asked - loaded;
  for (const { directions, share } of loadedAgain(sharing, grid, together)) {
    const again = reuseClassOf(distinct(blocksBetween(directions, grid, together)));
    otherBlocks[again] = (otherBlocks[again] ?? 0) + (loaded - ofAll) * share;
  }
  const { sameBlock } = counters.loadReuse;
  return { ...counters, loadReuse: { first: ofAll, sameBlock, otherBlocks } };
}

/** What a wave loads that an earlier one has loaded, by the directions along which it is shared. */
function loadedAgain(
  sharing: Sharing,
  grid: Grid,
  together: number,
): readonly { readonly directions: Directions; readonly share: number }[] {
  const blocks = grid[0] * grid[1] * grid[2];
  const sectors = sharing.map((each, directions) => {
    const sets = (count: number): number => distinctSets(directions, grid, count);
    return each * Math.max(0, (sets(together) * blocks) / together - sets(blocks));
  });
  const all = sectors.reduce((total, each) => total + each, 0);
  // Blocks share what they read as their own where the launch has less memory than they read.
  if (all === 0) return [{ directions: 0, share: 1 }];
  return sectors.map((each, directions) => ({ directions, share: each / all }));
}
