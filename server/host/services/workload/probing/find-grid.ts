import { at } from "../../../../core/base/known";
import type { ProbeObservation, Extents } from "../../../../core/workload/probe/observation";
import { fitExtent } from "../../../../core/workload/probe/fit";
import {
  type Elements,
  type FittedBuffer,
  fitBuffers,
  misfit,
  type Probes,
} from "../../../../core/workload/probe/judge-probe";
import { probeSettings, type Setting } from "../../../../core/workload/probe/settings";
import type { LaunchShape } from "../../../../core/language/launch-evaluation";
import type { SizeExpression } from "../../../../core/workload/spec";
import { gridOf, type PlannedLaunch, type ProbeSession } from "./probe-session";

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
  readonly step: number;
  readonly dynamicSharedBytes: number;
  readonly buffers: readonly FittedBuffer[];
  readonly probes: Probes;
  /** 0 when it explains everything; see `misfit`. */
  readonly misfit: number;
}

export interface GridSearch {
  readonly session: ProbeSession;
  /** Names of the parameters that may be sizes. */
  readonly names: readonly string[];
  readonly elements: Elements;
  readonly dynamicSharedBytes: number;
}

const axisNames = ["blocks", "blocks_y", "blocks_z"];
const mostBlocks = 16_384;
/** A launch that fits as well as this is taken at once. */
export const goodFit = 4;
/** One that fits as well as this is not tried at multiples of something. */
const wellFit = 1;
const perfectFit = 0.1;
/** Settings that hypotheses are compared under; the best of them is then tried under all. */
const screeningCount = 2;
/** What a size that is no parameter and sizes that are multiples of something add to a misfit. */
const [countCost, stepCost] = [1.5, 0.3];
const mostHypotheses = 40;

/**
 * Finds the grid for a block: a roomy grid shows by which sizes the kernel's threads are held back; along an
 * axis on which they are not, every size is tried, and a number of blocks of its own. The best of them by
 * `misfit`.
 */
export async function findGrid(search: GridSearch, block: Extents): Promise<TriedLaunch | undefined> {
  for (const isSmall of [false, true]) {
    const settings = probeSettings(search.names, { step: 1, isSmall });
    const bounds = await boundsOf(search, block, settings);
    if (bounds === undefined) continue;
    const found = await bestOf(search, { block, bounds, isSmall });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a grid may be along one axis; undefined: no size holds its threads back. */
type Bound = SizeExpression | undefined;

/** Looks with a roomy grid at how far threads get. Undefined when the kernel cannot be run so. */
async function boundsOf(
  { session, dynamicSharedBytes }: GridSearch,
  block: Extents,
  settings: readonly Setting[],
): Promise<readonly Bound[] | undefined> {
  const { gridAxes: axes } = session.kernel;
  const tried = settings.slice(0, 3);
  const raised = [false, false, false];
  for (let attempt = 0; attempt <= axes; attempt += 1) {
    const grids = tried.map((sizes) => roomyGrid(sizes, { block, axes, raised }));
    const probes = await session.series(
      { block, dynamicSharedBytes, grid: (sizes) => grids[tried.indexOf(sizes)] },
      tried,
    );
    if (!probes.ok) return attempt === 0 ? undefined : [undefined, undefined, undefined];
    if (probes.value.observations.some(overrunsShared)) return undefined;
    const bounds = [0, 1, 2].map((axis) =>
      axis >= axes
        ? 1
        : boundOf(axis, { block, grids, settings: probes.value.settings, seen: probes.value.observations }),
    );
    const open = bounds.findIndex((bound, axis) => bound === undefined && axes > 1 && raised[axis] === false);
    if (open < 0) return bounds;
    raised[open] = true;
  }
  return [undefined, undefined, undefined];
}

/** Whether threads left a block's shared memory: it is for fewer of them. */
function overrunsShared({ faults }: ProbeObservation): boolean {
  return faults.some(({ message }) => message.includes("of shared memory"));
}

/**
 * A grid with more blocks than any size asks for; with several axes only the raised ones have one a number.
 */
function roomyGrid(
  sizes: Setting,
  {
    block,
    axes,
    raised,
  }: { readonly block: Extents; readonly axes: number; readonly raised: readonly boolean[] },
): Extents {
  const values = Object.values(sizes);
  const most = Math.max(1, ...values);
  const product = values.reduce((left, right) => left * right, 1);
  if (axes === 1) return [Math.min(mostBlocks, Math.max(most + 3, Math.ceil(product / block[0]) + 2)), 1, 1];
  const along = (axis: 0 | 1 | 2): number => {
    if (axis >= axes) return 1;
    return raised[axis] === true ? most + 3 : Math.ceil(most / block[axis]) + 2;
  };
  return [along(0), along(1), along(2)];
}

interface Roomy {
  readonly block: Extents;
  readonly grids: readonly Extents[];
  readonly settings: readonly Setting[];
  readonly seen: readonly ProbeObservation[];
}

/** The grid along an axis whose threads something holds back, by how far loads and stores reach. */
function boundOf(axis: number, { block, grids, settings, seen }: Roomy): Bound {
  const threads = block[axis as 0 | 1 | 2];
  if (seen.some(({ isCut }) => isCut)) return undefined;
  const reaches = (["loadReach", "storeReach"] as const).map((kind) =>
    seen.map((each) => each[kind][axis as 0 | 1 | 2]),
  );
  const held = reaches.filter((reach) =>
    reach.every((end, index) => {
      const blocks = at(grids, index)[axis as 0 | 1 | 2];
      return end > 0 && Math.ceil(end / threads) < blocks;
    }),
  );
  if (held.length === 0) return undefined;
  const reach = settings.map((_, index) => Math.max(...held.map((each) => at(each, index))));
  const isWhole = reach.every((end) => end % threads === 0);
  const blocks = settings.map((sizes, index) => ({ sizes, value: at(reach, index) / threads }));
  const whole = isWhole ? fitExtent(blocks, [threads]) : undefined;
  if (whole !== undefined) return whole;
  const ends = fitExtent(settings.map((sizes, index) => ({ sizes, value: at(reach, index) })));
  if (typeof ends === "number") return Math.ceil(ends / threads);
  if (ends !== undefined) return `ceil_div(${ends}, ${threads})`;
  const rounded = fitExtent(
    settings.map((sizes, index) => ({ sizes, value: Math.ceil(at(reach, index) / threads) })),
  );
  // One block for all settings, with ends that differ, says no more than that the settings were small.
  return typeof rounded === "number" ? undefined : rounded;
}

interface Hypotheses {
  readonly block: Extents;
  readonly bounds: readonly Bound[];
  readonly isSmall: boolean;
}

async function bestOf(
  search: GridSearch,
  { block, bounds, isSmall }: Hypotheses,
): Promise<TriedLaunch | undefined> {
  const lists = bounds.map((bound, axis) => choices(bound, axis, { block, names: search.names }));
  const grids = combinations(lists).slice(0, mostHypotheses);
  const [only] = grids;
  const isBound = bounds.every((bound) => bound !== undefined);
  if (only !== undefined && grids.length === 1)
    return tryGrid(search, { block, grid: only, isSmall, isBound });
  let best: TriedLaunch | undefined;
  const screening = { isSmall, isBound, step: Math.max(...block), count: screeningCount };
  for (const grid of grids) {
    const tried = await tryAt(search, { block, grid, ...screening });
    if (tried !== undefined && (best === undefined || tried.misfit < best.misfit)) best = tried;
    if (best !== undefined && best.misfit < perfectFit) break;
  }
  return best && tryGrid(search, { block, grid: best.grid, isSmall, isBound });
}

/** What the grid may be along one axis, best first. */
function choices(
  bound: Bound,
  axis: number,
  { block, names }: { readonly block: Extents; readonly names: readonly string[] },
): readonly SizeExpression[] {
  if (bound !== undefined) return [bound];
  const threads = block[axis as 0 | 1 | 2];
  const covering = threads === 1 ? [] : names.map((name) => `ceil_div(${name}, ${threads})`);
  return [...covering, ...names, axisNames[axis] ?? "blocks"];
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
}

/**
 * Probes a grid at odd sizes; where that faults or leaves gaps, at multiples of 4, of 32 and of the block.
 */
export async function tryGrid(search: GridSearch, trial: GridTrial): Promise<TriedLaunch | undefined> {
  const [threads] = trial.block;
  let best: TriedLaunch | undefined;
  for (const step of [1, 4, 32, ...(threads > 32 ? [threads] : [])]) {
    const tried = await tryAt(search, { ...trial, step });
    if (tried !== undefined && (best === undefined || tried.misfit < best.misfit)) best = tried;
    if (best !== undefined && best.misfit < wellFit) break;
  }
  return best;
}

/** Probes a launch of the text: its shape for some sizes. Undefined when it gives nothing. */
export async function tryInText(
  { session, names, elements }: GridSearch,
  shapeOf: (sizes: Setting) => LaunchShape | undefined,
): Promise<TriedLaunch | undefined> {
  const settings = probeSettings(names, { step: 1, isSmall: false });
  const shapes = settings.map(shapeOf);
  const [first] = shapes;
  if (first === undefined || shapes.some((shape) => shape?.block.join() !== first.block.join()))
    return undefined;
  const { block, sharedBytes } = first;
  const planned: PlannedLaunch = {
    block,
    dynamicSharedBytes: sharedBytes,
    grid: (sizes) => shapes[settings.indexOf(sizes)]?.grid,
  };
  const probes = await session.series(planned, settings);
  if (!probes.ok) return undefined;
  const buffers = fitBuffers(probes.value, elements, [block[0]]);
  const ill = misfit(buffers, probes.value, { grid: names, names });
  return {
    block,
    grid: [],
    counts: [],
    planned,
    isInText: true,
    step: 1,
    dynamicSharedBytes: sharedBytes,
    buffers,
    probes: probes.value,
    misfit: ill,
  };
}

/** How much larger a size is in the probe that shows what small ones hide, a second block among it. */
const enlarging = 16;

/**
 * Small sizes may all lie within one block: one probe more with larger ones, where that does not take too
 * long.
 */
async function withLarger(session: ProbeSession, launch: PlannedLaunch, few: Probes): Promise<Probes> {
  const [first] = few.settings;
  if (first === undefined || few.observations.some(({ faults }) => faults.length > 0)) return few;
  const sizes = Object.fromEntries(Object.entries(first).map(([name, value]) => [name, enlarging * value]));
  const seen = await session.once(launch, sizes);
  if (!seen.ok || seen.value.faults.length > 0) return few;
  return { settings: [...few.settings, sizes], observations: [...few.observations, seen.value] };
}

async function tryAt(
  { session, names, elements, dynamicSharedBytes }: GridSearch,
  {
    block,
    grid,
    isSmall,
    isBound,
    step,
    count,
  }: GridTrial & { readonly step: number; readonly count?: number },
): Promise<TriedLaunch | undefined> {
  const counts = axisNames.filter((name) => grid.includes(name));
  const all = probeSettings([...counts, ...names], { step, isSmall, counts: new Set(counts) });
  const wanted = all.slice(0, count);
  const launch: PlannedLaunch = { block, dynamicSharedBytes, grid: (sizes: Setting) => gridOf(grid, sizes) };
  const few = await session.series(launch, wanted);
  if (!few.ok) return undefined;
  const probes = isSmall ? await withLarger(session, launch, few.value) : few.value;
  const buffers = fitBuffers(probes, elements, [block[0]]);
  const ill = misfit(buffers, probes, { grid, names: isBound ? [] : names });
  const costs = countCost * counts.length + (step > 1 ? stepCost : 0);
  return {
    block,
    grid,
    counts,
    planned: launch,
    isInText: false,
    step,
    dynamicSharedBytes,
    buffers,
    probes,
    misfit: ill + costs,
  };
}
