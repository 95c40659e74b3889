import type { CounterSums, KernelCounters } from "../counters";
import { counterCatalogue, counterNames } from "../counter-catalogue";
import { addMachineWork } from "../execution/machine-work";
import { type SectorReuse, reuseClassOf, reuseClasses } from "../reuse";

/** Blocks along x, y and z. */
type Grid = readonly [number, number, number];

/** Launches with fewer blocks are counted whole. */
const fewestSampled = 64;

/** Blocks of a grid that stand for the others, by linear number. */
export interface BlockSample {
  /**
   * A block in the middle, and pairs of it with its neighbours: what they load in common is what they share.
   */
  readonly single: readonly number[];
  readonly alongX: readonly number[];
  readonly alongY: readonly number[];
  readonly diagonal: readonly number[];
  /** One block of each side of the grid. */
  readonly edges: readonly number[];
  /** How many blocks of the grid lie on a side. */
  readonly edgeBlocks: number;
}

/** Blocks that stand for a grid; undefined where there are so few that all are counted. */
export function sampleOf([x, y, z]: Grid): BlockSample | undefined {
  const rows = y * z;
  if (x * rows < fewestSampled) return undefined;
  const [column, row] = [x >> 1, rows >> 1];
  const at = (alongX: number, alongY: number): number => alongY * x + alongX;
  const isWide = x > 1;
  const isHigh = rows > 1;
  const nextColumn = isWide ? column - 1 : column;
  const nextRow = isHigh ? row - 1 : row;
  const edges = new Set([at(0, row), at(x - 1, row), at(column, 0), at(column, rows - 1)]);
  const inner = Math.max(0, x - (isWide ? 2 : 0)) * Math.max(0, rows - (isHigh ? 2 : 0));
  return {
    single: [at(column, row)],
    alongX: [at(nextColumn, row), at(column, row)],
    alongY: [at(column, nextRow), at(column, row)],
    diagonal: [at(nextColumn, nextRow), at(column, row)],
    edges: [...edges].filter((block) => block !== at(column, row)),
    edgeBlocks: x * rows - inner,
  };
}

/** Blocks side by side in the middle of a grid, at most so many, in as many rows as columns. */
export function middlePatch([x, y, z]: Grid, most: number): readonly number[] {
  const rows = y * z;
  const side = Math.min(rows, Math.max(1, Math.floor(Math.sqrt(most))));
  const wide = Math.min(x, Math.max(1, Math.floor(most / side)));
  const high = Math.min(rows, Math.max(1, Math.floor(most / wide)));
  const [left, top] = [(x - wide) >> 1, (rows - high) >> 1];
  return Array.from(
    { length: wide * high },
    (_, at) => (top + Math.floor(at / wide)) * x + left + (at % wide),
  );
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

/** Sectors that one block in the middle loads first, by who loads them too. */
export interface Sharing {
  /** Also the block beside it: the rows of a product's left matrix, the rims of a stencil's tile. */
  readonly alongX: number;
  /** Also the block below it. */
  readonly alongY: number;
  /** Every block. */
  readonly common: number;
  readonly own: number;
}

/** Sharing from the first touches of one block and of its pairs with neighbours. */
export function sharingOf(
  first: Readonly<Record<"single" | "alongX" | "alongY" | "diagonal", number>>,
): Sharing {
  const inBoth = (pair: number): number => Math.min(first.single, Math.max(0, 2 * first.single - pair));
  const common = Math.min(inBoth(first.diagonal), inBoth(first.alongX), inBoth(first.alongY));
  const alongX = inBoth(first.alongX) - common;
  const alongY = Math.min(inBoth(first.alongY) - common, first.single - common - alongX);
  return { alongX, alongY, common, own: first.single - common - alongX - alongY };
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

/** Distinct sectors that so many blocks load first, taken in the order of their numbers. */
function distinctSectors(sharing: Sharing, [x]: Grid): (blocks: number) => number {
  return (blocks) =>
    sharing.alongX * Math.ceil(blocks / x) +
    sharing.alongY * Math.min(x, blocks) +
    sharing.own * blocks +
    sharing.common;
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
  const unbounded = distinctSectors(sharing, grid);
  const distinct = (count: number): number => Math.min(footprint, unbounded(count));
  const ofWave = distinct(together);
  const ofAll = distinct(blocks);
  const asked = distinct(1) * blocks;
  const loaded = Math.min(asked, Math.max(ofAll, (ofWave * blocks) / together));
  const otherBlocks = Array.from({ length: reuseClasses }, () => 0);
  otherBlocks[0] = asked - loaded;
  const again = reuseClassOf(ofWave);
  otherBlocks[again] = (otherBlocks[again] ?? 0) + loaded - ofAll;
  const { sameBlock } = counters.loadReuse;
  return { ...counters, loadReuse: { first: ofAll, sameBlock, otherBlocks } };
}
