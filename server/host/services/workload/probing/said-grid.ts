import type { Extents } from "../../../../core/workload/probe/observation";
import { parseSizeExpression, variablesOf } from "../../../../core/workload/size-expression";
import type { SizeExpression } from "../../../../core/workload/spec";
import { sizeIn } from "./arguments/counted-buffers";
import type { GridSearch } from "./grid-search";

/** The grids that comments tell whole for a block; a name that is no parameter is a size of its own. */
export function saidGrids(
  { said = [], ...search }: GridSearch,
  block: Extents,
): readonly (readonly SizeExpression[])[] {
  const { gridAxes: axes } = search.session.kernel;
  return said.flatMap((launch) => {
    if (launch.block.join() !== block.join() || launch.grid.length < axes) return [];
    const own = launch.grid.flatMap((extent) => inNames(extent, search) ?? []);
    const isWhole = own.length === launch.grid.length;
    // Blocks of which the kernel cannot tell one from another do all the same.
    const isMore = own.slice(axes).some((extent) => extent !== 1);
    return isWhole && !isMore ? [[0, 1, 2].map((axis) => own[axis] ?? 1)] : [];
  });
}

/** What comments say of an axis for a block, in the sizes of the search alone. */
export function saidExtents(
  { said = [], ...search }: GridSearch,
  block: Extents,
  axis: number,
): readonly SizeExpression[] {
  return said.flatMap((launch): SizeExpression[] => {
    if (launch.block.join() !== block.join()) return [];
    const own = inNames(launch.grid[axis], search);
    return own !== undefined && freeNames([own], search.names).length === 0 ? [own] : [];
  });
}

/** The names in extents of a grid that are none of the sizes of a search. */
export function freeNames(grid: readonly SizeExpression[], names: readonly string[]): readonly string[] {
  const used = grid.flatMap((extent) => {
    const parsed = parseSizeExpression(String(extent));
    return parsed.ok ? variablesOf(parsed.value) : [];
  });
  return [...new Set(used)].filter((name) => !names.includes(name));
}

/** An extent in the names of a search; undefined where it speaks of a parameter that is no size. */
function inNames(
  extent: SizeExpression | undefined,
  { names, session }: Pick<GridSearch, "names" | "session">,
): SizeExpression | undefined {
  if (extent === undefined || typeof extent === "number") return extent;
  const own = extent.replace(/\b[A-Za-z_]\w*\b(?!\s*\()/g, (word) =>
    names.includes(sizeIn(word)) ? sizeIn(word) : word,
  );
  const others = session.planned.flatMap(({ kind, name }) => (kind === "size" ? [] : name));
  return freeNames([own], names).some((name) => others.includes(name)) ? undefined : own;
}
