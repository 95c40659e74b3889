import { at } from "../../../../core/base/known";
import type { Extents } from "../../../../core/workload/probe/observation";
import { type FittedBuffer, misfit, type Probes } from "../../../../core/workload/probe/judge-probe";
import {
  probeSettings,
  type Setting,
  type SettingOptions,
  settled,
  type TiedSizes,
} from "../../../../core/workload/probe/settings";
import type { LaunchShape } from "../../../../core/language/launch-evaluation";
import type { SizeExpression } from "../../../../core/workload/spec";
import { fittedBuffers, type GridSearch, settingsOf } from "./grid-search";
import { findTiles, type Tiles } from "./find-tiles";
import { type Bound, boundsOf } from "./grid-bounds";
import { gridOf, type PlannedLaunch, type ProbeSession } from "./probe-session";
import { freeNames, saidExtents, saidGrids } from "./said-grid";

/** A launch that was tried. */
export interface TriedLaunch {
  readonly block: Extents;
  readonly grid: readonly SizeExpression[];
  /** Sizes that are no parameters: numbers of blocks. */
  readonly counts: readonly string[];
  /** How it is launched under its settings. */
  readonly planned: PlannedLaunch;
  /** The launch stands in the text and is read from there. */
  readonly isInText: boolean;
  /** A comment tells it. */
  readonly isSaid?: boolean;
  readonly step: number;
  readonly dynamicSharedBytes: number;
  readonly buffers: readonly FittedBuffer[];
  readonly probes: Probes;
  /** The kernel's own guards say how many blocks there are: with fewer of them something is left out. */
  readonly isBound: boolean;
  /** 0 when it explains everything; see `misfit`. */
  readonly misfit: number;
}

const axisNames = ["blocks", "blocks_y", "blocks_z"];
/** A launch that fits as well as this is taken at once. */
export const goodFit = 4;
/** One that fits as well as this is not tried at multiples of something. */
const wellFit = 1;
const perfectFit = 0.1;
/** Settings that hypotheses are compared under; the best of them is then tried under all. */
const screeningCount = 2;
/** With fewer, two of three sizes that are whole tiles are always the same. */
const tiledCount = 3;
/** What a size that is no parameter and sizes that are multiples of something add to a misfit. */
const [countCost, stepCost] = [1.5, 0.3];
/** What a size adds that would say how many blocks there are, where it never said more than one. */
const narrowCost = 3;
const mostHypotheses = 40;

/**
 * Finds the grid for a block. What a comment tells comes first, where it explains all. Where a block computes
 * a tile of the output, its tiles have to cover it. Else a roomy grid shows by which sizes the kernel's
 * threads are held back; along an axis on which they are not, every size is tried, and a number of blocks of
 * its own. The best of them by `misfit`.
 */
export async function findGrid(search: GridSearch, block: Extents): Promise<TriedLaunch | undefined> {
  const told = await saidGrid(search, block);
  if (told !== undefined) return told;
  // Blocks of known spans have guards, as a rule: how far they get tells the grid with fewer instructions.
  const tiles = search.spans === undefined ? await findTiles(search, block) : undefined;
  const tiled = tiles && (await bestOf(search, { block, bounds: tiles.bounds, isSmall: false, tiles }));
  if (tiled !== undefined && tiled.misfit < goodFit) return tiled;
  let best: TriedLaunch | undefined;
  for (const { isSmall, sized } of inSizes(search)) {
    const settings = probeSettings(search.names, { step: 1, isSmall, ...settingsOf(sized) });
    const bounds = await boundsOf(sized, block, settings);
    if (bounds === undefined) continue;
    best = betterOf(best, await bestOf(sized, { block, bounds, isSmall }));
    // What was not tried any more may suit: with smaller sizes there is enough for all.
    if (best !== undefined && (best.misfit < goodFit || !search.session.isSpent)) return best;
    search.session.renew();
  }
  return best;
}

/** The search with large sizes, and then with smaller ones. */
function inSizes(search: GridSearch): readonly { readonly isSmall: boolean; readonly sized: GridSearch }[] {
  const { isPatient } = search.session;
  const ordered = isPatient ? (["tiny", "small"] as const) : (["large", "small", "tiny"] as const);
  return ordered.map((size) => ({
    isSmall: size !== "large",
    sized: { ...search, isTiny: size === "tiny" || search.isTiny === true },
  }));
}

/** The launch that a comment tells with such a block; undefined where it does not explain what is touched. */
async function saidGrid(search: GridSearch, block: Extents): Promise<TriedLaunch | undefined> {
  const common = { block, isBound: true, isSaid: true, open: [], isTiled: false, steps: stepsFor(block) };
  for (const grid of saidGrids(search, block)) {
    for (const { isSmall, sized } of inSizes(search)) {
      const tried = await tryGrid(sized, { ...common, grid, isSmall });
      search.session.renew();
      if (tried !== undefined && tried.misfit < goodFit) return tried;
    }
  }
  return undefined;
}

interface Hypotheses {
  readonly block: Extents;
  readonly bounds: readonly Bound[];
  readonly isSmall: boolean;
  readonly tiles?: Tiles;
}

async function bestOf(
  search: GridSearch,
  { block, bounds, isSmall, tiles }: Hypotheses,
): Promise<TriedLaunch | undefined> {
  const lists = bounds.map((bound, axis) => choices(bound, axis, { search, block, tiles }));
  const grids = combinations(lists).slice(0, mostHypotheses);
  const [only] = grids;
  const isBound = bounds.every((bound) => bound !== undefined);
  const open = bounds.map((bound) => bound === undefined);
  const common = { block, isSmall, isBound, open, isTiled: tiles !== undefined };
  const steps = tiles === undefined ? stepsFor(block) : [1, tiles.step];
  if (only !== undefined && grids.length === 1) return tryGrid(search, { ...common, grid: only, steps });
  let best: TriedLaunch | undefined;
  const ownStep = search.isTiny === true ? 1 : Math.max(...block);
  const screening =
    tiles === undefined ? { step: ownStep, count: screeningCount } : { step: tiles.step, count: tiledCount };
  let { step } = screening;
  for (const grid of grids) {
    let tried = await tryAt(search, { ...common, ...screening, step, grid });
    // Multiples of a block may be more work than a probe has time for, which speaks for no other grid.
    if (tried === undefined && step > 1 && tiles === undefined) {
      step = 1;
      tried = await tryAt(search, { ...common, ...screening, step, grid });
    }
    best = betterOf(best, tried);
    if (!isPerfect(tried)) continue;
    // The others cost probes, and one that explains all is seldom beaten; two settings may fit by chance.
    const upTo = steps.filter((each) => each <= step);
    const whole = await tryGrid(search, { ...common, grid, steps: upTo });
    if (whole !== undefined && whole.misfit < wellFit) return whole;
  }
  return best && tryGrid(search, { ...common, grid: best.grid, steps });
}

function isPerfect(tried: TriedLaunch | undefined): boolean {
  return tried !== undefined && tried.misfit < perfectFit + (tried.step > 1 ? stepCost : 0);
}

/** The launch that explains more; the first of two equal ones. */
function betterOf(one: TriedLaunch | undefined, other: TriedLaunch | undefined): TriedLaunch | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.misfit < one.misfit ? other : one;
}

/** What the grid may be along one axis, best first. */
function choices(
  bound: Bound,
  axis: number,
  {
    search,
    block,
    tiles,
  }: {
    readonly search: GridSearch;
    readonly block: Extents;
    readonly tiles?: Tiles | undefined;
  },
): readonly SizeExpression[] {
  if (bound !== undefined) return [bound];
  const tiled = tiles?.grids[axis] ?? [];
  if (tiled.length > 0) return tiled;
  const names = search.names.filter((name) => search.within?.has(name) !== true);
  const said = saidExtents(search, block, axis);
  const covered = search.spans ?? [block[axis as 0 | 1 | 2]];
  const covering = covered
    .filter((elements) => elements > 1)
    .flatMap((elements) => names.map((name) => `ceil_div(${name}, ${elements})`));
  return [...new Set([...said, ...covering, ...names, at(axisNames, axis)])];
}

function combinations(lists: readonly (readonly SizeExpression[])[]): readonly (readonly SizeExpression[])[] {
  return lists.reduce<readonly (readonly SizeExpression[])[]>(
    (all, list) => all.flatMap((chosen) => list.map((each) => [...chosen, each])),
    [[]],
  );
}

/** A grid to try. */
interface GridTrial {
  readonly block: Extents;
  readonly grid: readonly SizeExpression[];
  readonly isSmall: boolean;
  /** The grid follows from how far threads got; else sizes that nothing depends on speak against it. */
  readonly isBound: boolean;
  /** The axes along which nothing says how many blocks there are. */
  readonly open: readonly boolean[];
  /** A block computes a tile of a product: sizes are few tiles. */
  readonly isTiled: boolean;
  /** A comment tells it. */
  readonly isSaid?: boolean;
}

/** Probes a grid at odd sizes; where that faults or leaves gaps, at multiples of the further steps. */
async function tryGrid(
  search: GridSearch,
  trial: GridTrial & { readonly steps: readonly number[] },
): Promise<TriedLaunch | undefined> {
  let best: TriedLaunch | undefined;
  for (const step of trial.steps) {
    best = betterOf(best, await tryAt(search, { ...trial, step }));
    // A number of blocks of its own costs the same at each step.
    const counted = trial.isSaid === true ? 0 : countCost * (best?.counts.length ?? 0);
    if (best !== undefined && best.misfit - counted < wellFit) break;
  }
  return best;
}

/** What sizes may have to be multiples of: of vectors, of warps, of what a block does at once. */
function stepsFor([x, y, z]: Extents): readonly number[] {
  const steps = new Set([1, 4, 32, 64, 128, Math.max(x, 32), Math.max(x * y * z, 32)]);
  return [...steps].sort((left, right) => left - right);
}

/** A launch of the text for some sizes; undefined when it cannot be worked out for them. */
type ShapeInText = (sizes: Setting) => LaunchShape | undefined;

/** Probes a launch of the text, at odd sizes first. Undefined when it gives nothing. */
export async function tryInText(search: GridSearch, shapeOf: ShapeInText): Promise<TriedLaunch | undefined> {
  const sizes = Object.fromEntries(search.names.map((name) => [name, 1]));
  const block = shapeOf(sizes)?.block ?? [1, 1, 1];
  let best: TriedLaunch | undefined;
  for (const step of stepsFor(block)) {
    best = betterOf(best, await tryInTextAt(search, shapeOf, { step, isSmall: false }));
    if (best !== undefined && best.misfit < wellFit) break;
  }
  if (best !== undefined && best.misfit < goodFit) return best;
  // Each thread may have as much work as there are elements, or as the product of all sizes.
  for (const isLeast of [false, true]) {
    search.session.renew();
    const tried = await tryInTextAt(search, shapeOf, { step: 1, isSmall: true, isLeast });
    best = betterOf(best, tried);
    if (tried !== undefined) break;
  }
  return best;
}

async function tryInTextAt(
  search: GridSearch,
  shapeOf: ShapeInText,
  { step, isSmall, isLeast = false }: Pick<SettingOptions, "step" | "isSmall" | "isLeast">,
): Promise<TriedLaunch | undefined> {
  const { session, names } = search;
  const settings = probeSettings(names, { step, isSmall, isLeast, ...settingsOf(search) });
  const shapes = settings.map(shapeOf);
  const [first] = shapes;
  if (first === undefined || shapes.some((shape) => shape?.block.join() !== first.block.join()))
    return undefined;
  const { block, sharedBytes } = first;
  const planned: PlannedLaunch = {
    block,
    dynamicSharedBytes: sharedBytes,
    grid: (sizes) => (shapes[settings.indexOf(sizes)] ?? shapeOf(sizes))?.grid,
  };
  const probes = await session.series(planned, settings);
  if (!probes.ok) return undefined;
  const buffers = fittedBuffers(search, probes.value, block);
  return {
    block,
    grid: [],
    counts: [],
    planned,
    isInText: true,
    isBound: false,
    step,
    dynamicSharedBytes: sharedBytes,
    buffers,
    probes: probes.value,
    misfit: misfit(buffers, probes.value, { grid: names, names }) + (step > 1 ? stepCost : 0),
  };
}

/** How much larger a size is in the probe that shows what small ones hide, a second block among it. */
const enlarging = 16;
/** Blocks that a size is to be covered by in that probe, at least, where it never was by more than one. */
const fewBlocks = 2.5;

/**
 * Small sizes may all lie within one block, and so may sizes that are large beside a smaller block: one probe
 * more with larger ones, where that does not take too long.
 */
async function withLarger(
  session: ProbeSession,
  launch: PlannedLaunch,
  {
    few,
    grid,
    isSmall,
  }: { readonly few: Probes; readonly grid: readonly SizeExpression[]; readonly isSmall: boolean },
): Promise<Probes> {
  const [first] = few.settings;
  const narrow = grid.filter((extent) => isNarrow(extent, few.settings)).join(" ");
  if (first === undefined || few.observations.some(({ faults }) => faults.length > 0)) return few;
  if (narrow === "" && !isSmall) return few;
  const least = isSmall ? enlarging : 1;
  const wanted = fewBlocks * Math.max(...launch.block);
  const larger = Object.fromEntries(
    Object.entries(first).map(([name, value]) => {
      const covers = new RegExp(`\\b${name}\\b`).test(narrow);
      return [name, value * (covers ? Math.max(least, Math.ceil(wanted / value)) : least)];
    }),
  );
  const sizes = settled(session, larger);
  const seen = await session.once(launch, sizes);
  if (!seen.ok || seen.value.faults.length > 0) return few;
  return { settings: [...few.settings, sizes], observations: [...few.observations, seen.value] };
}

async function tryAt(
  search: GridSearch,
  {
    block,
    grid,
    isSmall,
    isBound,
    open,
    isTiled,
    isSaid = false,
    step,
    count,
  }: GridTrial & { readonly step: number; readonly count?: number },
): Promise<TriedLaunch | undefined> {
  const { session, names, dynamicSharedBytes } = search;
  const counts = freeNames(grid, names);
  const all = probeSettings([...counts, ...names], {
    step,
    isSmall,
    isTiled,
    counts: new Set(counts.filter((name) => grid.includes(name))),
    ...settingsOf(search),
  });
  const wanted = all.slice(0, count);
  const launch: PlannedLaunch = { block, dynamicSharedBytes, grid: (sizes: Setting) => gridOf(grid, sizes) };
  const few = await session.series(launch, wanted);
  if (!few.ok) return undefined;
  // With the smallest of sizes a probe is as much work as there is time for.
  const isWorth = isSmall && search.isTiny !== true;
  const probes = await withLarger(session, launch, { few: few.value, grid, isSmall: isWorth });
  const buffers = fittedBuffers(search, probes, block);
  const unexplained = misfit(buffers, probes, { grid, names: isBound ? [] : untold(names, session.tied) });
  const narrow = grid.filter((extent, axis) => open[axis] === true && isNarrow(extent, probes.settings));
  const costs =
    (isSaid ? 0 : countCost * counts.length) + narrowCost * narrow.length + (step > 1 ? stepCost : 0);
  return {
    block,
    grid,
    counts,
    planned: launch,
    isInText: false,
    isSaid,
    isBound,
    step,
    dynamicSharedBytes,
    buffers,
    probes,
    misfit: unexplained + costs,
  };
}

/** Names that no other size is computed from, nor are themselves. */
function untold(names: readonly string[], tied: TiedSizes): readonly string[] {
  const told = [...tied].flat().join(" ");
  return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(told));
}

/** Whether an expression was one block under all settings, so that any other would have done as well. */
function isNarrow(extent: SizeExpression, settings: readonly Setting[]): boolean {
  return typeof extent === "string" && settings.every((sizes) => gridOf([extent], sizes)?.[0] === 1);
}
