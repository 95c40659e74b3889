import { at, entry } from "../../../../core/base/known";
import { endsOf } from "../../../../core/workload/probe/judge-probe";
import type { Extents } from "../../../../core/workload/probe/observation";
import { probeSettings, type Setting } from "../../../../core/workload/probe/settings";
import type { SizeExpression } from "../../../../core/workload/spec";
import type { GridSearch } from "./grid-search";
import type { Bound } from "./grid-bounds";

/** What a block of a kernel without guards computes: a tile of its output. */
export interface Tiles {
  /** What the grid may be along each axis, by how far one block more gets; none where that tells nothing. */
  readonly grids: readonly (readonly SizeExpression[])[];
  /** No size holds back what has no guard; the grid has no further axes. */
  readonly bounds: readonly Bound[];
  /** Sizes that are multiples of this are multiples of every tile. */
  readonly step: number;
}

/** Sizes of the probes are multiples of this, and so are those of all usual tiles its divisors. */
const wholeTile = 128;
/** Of a kernel that holds back blocks behind its sizes, these are for a block more. */
const moreTiles = 2 * wholeTile;
const probeCount = 3;
const axes = [0, 1] as const;

/**
 * Launches one block, and one more along x and along y: how much farther the output is then written tells
 * the tile of a block, in elements of a row or in rows. Undefined where nothing is told.
 */
export async function findTiles(search: GridSearch, block: Extents): Promise<Tiles | undefined> {
  if (search.session.kernel.gridAxes > axes.length) return undefined;
  const first = await tilesWith(search, block, wholeTile);
  if (!first.isHeldBack) return first.tiles;
  const larger = await tilesWith(search, block, moreTiles);
  // Twice the sizes are up to eight times the work, which is none of the search for the grid.
  search.session.renew();
  return larger.tiles ?? first.tiles;
}

interface TilesOfSizes {
  readonly tiles: Tiles | undefined;
  /** A block more wrote nothing under some of the sizes: a guard holds it back. */
  readonly isHeldBack: boolean;
}

async function tilesWith(search: GridSearch, block: Extents, whole: number): Promise<TilesOfSizes> {
  const { gridAxes } = search.session.kernel;
  const { parts, lesser } = search;
  const all = probeSettings(search.names, {
    ...{
      step: whole,
      isSmall: false,
      isTiled: true,
      tied: search.session.tied,
      relations: search.session.relations,
    },
    ...(parts && { parts }),
    ...(lesser && { lesser }),
  });
  const settings = all.slice(0, probeCount);
  const alone = await endsWith(search, block, { grid: [1, 1, 1], settings });
  if (alone === undefined) return { tiles: undefined, isHeldBack: false };
  const steps: number[] = [];
  const grids: (readonly SizeExpression[])[] = [];
  let isHeldBack = false;
  for (const axis of axes.slice(0, gridAxes)) {
    const more = await endsWith(search, block, { grid: axis === 0 ? [2, 1, 1] : [1, 2, 1], settings });
    const tile = more && tileOf(search.names, settings, { alone, more });
    if (tile !== undefined) steps.push(tile.step);
    isHeldBack ||= more?.some((ends, index) => ends.some((end, at) => end === alone[index]?.[at])) === true;
    grids.push(tile === undefined ? [] : tile.along.map((name) => `ceil_div(${name}, ${tile.step})`));
  }
  const threads = block[0] * block[1] * block[2];
  // A tile of no more elements than threads is what a grid of one thread an element covers.
  const isTiled =
    steps.some((step) => step > 1) && steps.reduce((product, step) => product * step, 1) > threads;
  if (!isTiled) return { tiles: undefined, isHeldBack };
  const bounds = [0, 1, 2].map((axis) => (axis < gridAxes ? undefined : 1));
  return { tiles: { grids, bounds, step: Math.max(...steps) }, isHeldBack };
}

interface OneMore {
  readonly grid: Extents;
  readonly settings: readonly Setting[];
}

/** How far each written buffer is touched under each setting. */
async function endsWith(
  { session, elements, dynamicSharedBytes }: GridSearch,
  block: Extents,
  { grid, settings }: OneMore,
): Promise<readonly (readonly number[])[] | undefined> {
  const probes = await session.series({ block, dynamicSharedBytes, grid: () => grid }, settings);
  if (!probes.ok || probes.value.settings.length < settings.length) return undefined;
  const [first] = probes.value.observations;
  const written = (first?.buffers ?? []).filter((buffer) => buffer.written !== undefined);
  return written.map(({ name }) => endsOf(probes.value, name, elements));
}

interface Ends {
  readonly alone: readonly (readonly number[])[];
  readonly more: readonly (readonly number[])[];
}

/** What one block more adds to an output: elements of a row, or rows of a size. */
function tileOf(
  names: readonly string[],
  settings: readonly Setting[],
  { alone, more }: Ends,
): { readonly step: number; readonly along: readonly string[] } | undefined {
  for (const [index, ends] of more.entries()) {
    const added = ends.map((end, position) => end - (alone[index]?.[position] ?? end));
    const elements = at(added, 0);
    if (elements <= 0) continue;
    if (added.every((each) => each === elements)) return { step: elements, along: names };
    for (const name of names) {
      const rows = added.map((each, position) => each / entry(at(settings, position), name));
      const step = at(rows, 0);
      if (!Number.isInteger(step) || rows.some((each) => each !== step)) continue;
      const others = names.filter((other) => other !== name);
      return { step, along: [...others, name] };
    }
  }
  return undefined;
}
