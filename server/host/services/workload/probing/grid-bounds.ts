import { at, entry } from "../../../../core/base/known";
import { fitExtent } from "../../../../core/workload/probe/fit";
import type { Extents, ProbeObservation } from "../../../../core/workload/probe/observation";
import type { Setting } from "../../../../core/workload/probe/settings";
import type { SizeExpression } from "../../../../core/workload/spec";
import type { GridSearch } from "./grid-search";
import { isSizeless } from "./probe-session";

const mostBlocks = 16_384;
/** Blocks of a grid with the product of two sizes along an axis: more would use up the budget of others. */
const mostOfProducts = 16_384;
/** Where a block covers a size alone, no axis is split into blocks. */
const coveredWhole = 1024;
/** Settings under which a roomy grid is tried. */
const roomySettings = 3;

const allAxes = [0, 1, 2] as const;
type Axis = (typeof allAxes)[number];

type RoomyLaunch = Pick<GridSearch, "session" | "dynamicSharedBytes" | "spans"> &
  Partial<Pick<GridSearch, "parts" | "strides">>;

/** What a grid may be along one axis; undefined: no size holds its threads back. */
export type Bound = SizeExpression | undefined;

/** Looks with a roomy grid at how far threads get. Undefined when the kernel cannot be run so. */
export async function boundsOf(
  { session, dynamicSharedBytes, spans, parts, strides }: RoomyLaunch,
  block: Extents,
  settings: readonly Setting[],
): Promise<readonly Bound[] | undefined> {
  const { gridAxes: axes } = session.kernel;
  if (isSizeless(session.planned)) {
    const fixed = await fixedBounds({ session, dynamicSharedBytes }, block);
    if (fixed !== undefined) return fixed;
  }
  const tried = settings.slice(0, roomySettings);
  const unbound = allAxes.map(() => undefined);
  const rooms: Room[] = allAxes.map(() => "size");
  const roomy: Room = namesOf(tried, strides).length >= manySizes ? "product" : "numbers";
  let known: readonly Bound[] = unbound;
  for (let attempt = 0; attempt <= 2 * axes; attempt += 1) {
    const grids = tried.map((sizes) =>
      roomyGrid(sizes, {
        covered: spans === undefined ? block : unitOf(spans),
        ...{ axes, rooms, numbers: numbersOf(sizes, { parts, strides }) },
      }),
    );
    if (rooms.includes("product") && grids.some((grid) => volumeOf(grid) > mostOfProducts)) return known;
    const probes = await session.series(
      { block, dynamicSharedBytes, grid: (sizes) => grids[tried.indexOf(sizes)] },
      tried,
    );
    // A grid with a block for each number may take too long: what the one before it showed still holds.
    if (!probes.ok) return attempt === 0 ? undefined : known;
    if (probes.value.observations.some(overrunsShared)) return undefined;
    const { settings: probed, observations: seen } = probes.value;
    const bounds = allAxes.map((axis) =>
      axis < axes ? boundOf(axis, { block, grids, settings: probed, seen, spans, parts }) : 1,
    );
    known = bounds;
    const open = bounds.findIndex((bound, axis) => bound === undefined && at(rooms, axis) !== roomy);
    if (open < 0 || axes === 1) return bounds;
    rooms[open] = at(rooms, open) === "size" ? "numbers" : "product";
  }
  return unbound;
}

/**
 * The same of a kernel without sizes, whose grid is three numbers: along each axis alone far more blocks than
 * it asks for, most of which have nothing to do. Undefined where nothing holds threads back along one.
 */
async function fixedBounds(
  { session, dynamicSharedBytes }: RoomyLaunch,
  block: Extents,
): Promise<readonly Bound[] | undefined> {
  const bounds: Bound[] = [1, 1, 1];
  for (const axis of allAxes.slice(0, session.kernel.gridAxes)) {
    const grid: Extents = [
      axis === 0 ? mostBlocks : 1,
      axis === 1 ? mostBlocks : 1,
      axis === 2 ? mostBlocks : 1,
    ];
    const probes = await session.series({ block, dynamicSharedBytes, grid: () => grid }, [{}]);
    if (!probes.ok || probes.value.observations.some(overrunsShared)) return undefined;
    const { settings, observations: seen } = probes.value;
    const bound = boundOf(axis, { ...{ block, grids: [grid], settings, seen }, spans: undefined });
    if (bound === undefined) return undefined;
    bounds[axis] = bound;
  }
  return bounds;
}

function volumeOf([x, y, z]: Extents): number {
  return x * y * z;
}

/** Whether threads left a block's shared memory: it is for fewer of them. */
function overrunsShared({ faults }: ProbeObservation): boolean {
  return faults.some(({ message }) => message.includes("of shared memory"));
}

/** What a block of unknown spans covers at least. */
function unitOf(spans: readonly number[]): Extents {
  const least = Math.min(...spans, coveredWhole);
  return [least, least, least];
}

/**
 * Blocks along one of several axes: enough to cover any size, one for each number of a size, or one for each
 * of the product of two of them, as of all heads of a batch.
 */
type Room = "size" | "numbers" | "product";

/** Of fewer sizes no two make up one axis: another axis has the rest of them. */
const manySizes = 3;

/**
 * A grid with more blocks than any size asks for; `covered`: what a block covers along each axis. With
 * several axes only some have more than it takes to cover a size: else the grid would be too large.
 */
function roomyGrid(
  sizes: Setting,
  {
    covered,
    axes,
    rooms,
    numbers,
  }: {
    readonly covered: Extents;
    readonly axes: number;
    readonly rooms: readonly Room[];
    /** Blocks of an axis that has one for each number of a size, the most first. */
    readonly numbers: readonly number[];
  },
): Extents {
  const values = Object.values(sizes);
  const most = Math.max(1, ...values);
  const product = values.reduce((left, right) => left * right, 1);
  if (axes === 1)
    return [Math.min(mostBlocks, Math.max(most + 3, Math.ceil(product / covered[0]) + 2)), 1, 1];
  const [largest = 1, second = 1] = numbers;
  const along = (axis: Axis): number => {
    if (axis >= axes) return 1;
    switch (at(rooms, axis)) {
      case "size":
        return (covered[axis] === 1 ? largest : Math.ceil(most / covered[axis])) + 2;
      case "numbers":
        return largest + 3;
      case "product":
        return Math.min(mostBlocks, largest * second + 3);
    }
  };
  return [along(0), along(1), along(2)];
}

/**
 * The numbers of each size, the most first: parts of one that is divided by a constant; no blocks are told by
 * a stride.
 */
function numbersOf(
  sizes: Setting,
  { parts = new Map(), strides = new Set() }: Pick<RoomyLaunch, "parts" | "strides">,
): readonly number[] {
  const numbers = namesOf([sizes], strides).map((name) => {
    const split = parts.get(name);
    const value = entry(sizes, name);
    return split === undefined || split.rest < 0 ? value : Math.ceil(value / split.of);
  });
  return numbers.sort((one, other) => other - one);
}

/** Names that are no strides, where not all of them are. */
function namesOf(
  [sizes = {}]: readonly Setting[],
  strides: ReadonlySet<string> = new Set(),
): readonly string[] {
  const names = Object.keys(sizes);
  return strides.size < names.length ? names.filter((name) => !strides.has(name)) : names;
}

interface Roomy {
  readonly block: Extents;
  readonly grids: readonly Extents[];
  readonly settings: readonly Setting[];
  readonly seen: readonly ProbeObservation[];
  readonly spans: GridSearch["spans"];
  readonly parts?: GridSearch["parts"];
}

/** The grid along an axis whose threads something holds back, by how far loads and stores reach. */
function boundOf(axis: Axis, { block, grids, settings, seen, spans, parts = new Map() }: Roomy): Bound {
  const threads = block[axis];
  if (seen.some(({ isCut }) => isCut)) return undefined;
  const reaches = (["loadReach", "storeReach"] as const).map((kind) => seen.map((each) => each[kind][axis]));
  const held = reaches.filter((reach) =>
    reach.every((end, index) => {
      const blocks = at(grids, index)[axis];
      return end > 0 && Math.ceil(end / threads) < blocks;
    }),
  );
  if (held.length === 0) return undefined;
  const reach = settings.map((_, index) => Math.max(...held.map((each) => at(each, index))));
  if (spans !== undefined) return spannedBound(threads, { reach, settings, spans });
  const isWhole = reach.every((end) => end % threads === 0);
  const blocks = settings.map((sizes, index) => ({ sizes, value: at(reach, index) / threads }));
  const divide = [...[...parts.values()].map(({ of }) => of), threads];
  const whole = isWhole ? fitExtent(blocks, divide) : undefined;
  if (whole !== undefined) return whole;
  const ends = fitExtent(settings.map((sizes, index) => ({ sizes, value: at(reach, index) })));
  if (typeof ends === "number") return Math.ceil(ends / threads);
  if (ends !== undefined) return `ceil_div(${ends}, ${threads})`;
  const rounded = fitExtent(
    settings.map((sizes, index) => ({ sizes, value: Math.ceil(at(reach, index) / threads) })),
    divide,
  );
  // One block for all settings, with ends that differ, says no more than that the settings were small.
  return typeof rounded === "number" ? undefined : rounded;
}

interface SpannedReach {
  readonly reach: readonly number[];
  readonly settings: readonly Setting[];
  readonly spans: readonly number[];
}

/** The grid where a block's threads share what it covers: only how many blocks get there counts. */
function spannedBound(threads: number, { reach, settings, spans }: SpannedReach): Bound {
  const blocks = settings.map((sizes, index) => ({ sizes, value: Math.ceil(at(reach, index) / threads) }));
  const quotients = Object.keys(at(settings, 0)).flatMap((name) =>
    spans.map((span) => ({ name, span, text: `ceil_div(${name}, ${span})` })),
  );
  const covers = (of: readonly (typeof quotients)[number][]): boolean =>
    blocks.every(
      ({ sizes, value }) =>
        of.reduce((product, { name, span }) => product * Math.ceil(entry(sizes, name) / span), 1) === value,
    );
  if (blocks.every(({ value }) => value === at(blocks, 0).value)) return undefined;
  const alone = quotients.find((each) => covers([each]));
  if (alone !== undefined) return alone.text;
  for (const [index, one] of quotients.entries())
    for (const other of quotients.slice(index + 1))
      if (one.name !== other.name && covers([one, other])) return `${one.text} * ${other.text}`;
  const fitted = fitExtent(blocks, spans);
  return typeof fitted === "number" ? undefined : fitted;
}
