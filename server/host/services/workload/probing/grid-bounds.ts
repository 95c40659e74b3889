import { at } from "../../../../core/base/known";
import { fitExtent } from "../../../../core/workload/probe/fit";
import type { Extents, ProbeObservation } from "../../../../core/workload/probe/observation";
import type { Setting } from "../../../../core/workload/probe/settings";
import type { SizeExpression } from "../../../../core/workload/spec";
import type { ProbeSession } from "./probe-session";

const mostBlocks = 16_384;
/** Settings under which a roomy grid is tried. */
const roomySettings = 3;

const allAxes = [0, 1, 2] as const;
type Axis = (typeof allAxes)[number];

interface RoomyLaunch {
  readonly session: ProbeSession;
  readonly dynamicSharedBytes: number;
}

/** What a grid may be along one axis; undefined: no size holds its threads back. */
export type Bound = SizeExpression | undefined;

/** Looks with a roomy grid at how far threads get. Undefined when the kernel cannot be run so. */
export async function boundsOf(
  { session, dynamicSharedBytes }: RoomyLaunch,
  block: Extents,
  settings: readonly Setting[],
): Promise<readonly Bound[] | undefined> {
  const { gridAxes: axes } = session.kernel;
  const tried = settings.slice(0, roomySettings);
  const unbound = allAxes.map(() => undefined);
  const raised = new Set<number>();
  for (let attempt = 0; attempt <= axes; attempt += 1) {
    const grids = tried.map((sizes) => roomyGrid(sizes, { block, axes, raised }));
    const probes = await session.series(
      { block, dynamicSharedBytes, grid: (sizes) => grids[tried.indexOf(sizes)] },
      tried,
    );
    if (!probes.ok) return attempt === 0 ? undefined : unbound;
    if (probes.value.observations.some(overrunsShared)) return undefined;
    const { settings: probed, observations: seen } = probes.value;
    const bounds = allAxes.map((axis) =>
      axis < axes ? boundOf(axis, { block, grids, settings: probed, seen }) : 1,
    );
    const open = bounds.findIndex((bound, axis) => bound === undefined && !raised.has(axis));
    if (open < 0 || axes === 1) return bounds;
    raised.add(open);
  }
  return unbound;
}

/** Whether threads left a block's shared memory: it is for fewer of them. */
function overrunsShared({ faults }: ProbeObservation): boolean {
  return faults.some(({ message }) => message.includes("of shared memory"));
}

/**
 * A grid with more blocks than any size asks for. With several axes only the raised ones have a block for
 * each number up to the largest size: with all of them the grid would be too large.
 */
function roomyGrid(
  sizes: Setting,
  {
    block,
    axes,
    raised,
  }: { readonly block: Extents; readonly axes: number; readonly raised: ReadonlySet<number> },
): Extents {
  const values = Object.values(sizes);
  const most = Math.max(1, ...values);
  const product = values.reduce((left, right) => left * right, 1);
  if (axes === 1) return [Math.min(mostBlocks, Math.max(most + 3, Math.ceil(product / block[0]) + 2)), 1, 1];
  const along = (axis: Axis): number => {
    if (axis >= axes) return 1;
    return raised.has(axis) ? most + 3 : Math.ceil(most / block[axis]) + 2;
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
function boundOf(axis: Axis, { block, grids, settings, seen }: Roomy): Bound {
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
