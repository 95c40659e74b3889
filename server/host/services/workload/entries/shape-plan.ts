import { isStrideName, strideFactor } from "../../../../core/workload/probe/range-names";
import type { ShapePlan } from "../../../../core/workload/probe/shapes/plan";
import type { SizeRelation } from "../../../../core/workload/probe/shapes/size-relations";
import { filterSizes } from "../../../../core/workload/probe/shapes/usual-sizes";
import { type FoundIndex, ledOf, rangesOf, tablesOf } from "../probing/find-indices";
import type { FoundOffsets } from "../probing/find-offsets";
import { totalOf } from "../probing/spec/probed-tensors";
import { statedSizes, withStated } from "../../../../core/workload/probe/stated-sizes";
import type { FoundWorkload } from "../finders";
import type { FoundCalls } from "./find-domains";

/** Elements of a buffer whose extent no expression gives: a size that is measured for each shape. */
export function measuredSize(buffer: string): string {
  return `${buffer}_elements`;
}

/** What shapes are proposed for, by what calls have shown. */
export function shapePlan({
  calls,
  indices,
  starts,
  nearest,
  offsets,
  text: source,
  passed,
}: {
  readonly calls: FoundCalls;
  readonly indices: readonly FoundIndex[];
  /** Buffers that say where rows begin. */
  readonly starts: readonly FoundIndex[];
  readonly nearest: (name: string, value: number) => number;
  readonly offsets: readonly FoundOffsets[];
  /** The source, whose comments may speak of sizes. */
  readonly text: string;
  readonly passed: ShapePlan["passed"];
}): ShapePlan {
  const names = [...calls.domains.keys()];
  // A buffer that no call touches limits no size.
  const extents = calls.buffers.flatMap(({ extent }) => (extent === 0 ? [] : (extent ?? [])));
  const rows = rangesOf(indices);
  const tables = tablesOf(indices, calls.buffers);
  const tableExtents = [...tables].map(([name, row]) => `${name} * (${row})`);
  const rowExtents = offsets.flatMap((each) =>
    [...each.into.values()].map(({ row }) => `${totalOf(each)} * (${row})`),
  );
  const text = extents.join(" ");
  const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
  const isUnfit = calls.buffers.some(({ extent }) => extent === undefined);
  const relations = [...calls.relations, ...(isUnfit ? longStrides(names, isUsed) : [])];
  const sizes = names.filter((name) => (isUsed(name) || isUnfit) && !rows.includes(name));
  return {
    sizes,
    others: names.filter((name) => !sizes.includes(name) && !rows.includes(name)),
    ranges: rows,
    tables,
    step: 1,
    nearest,
    ...(relations.length === 0 ? {} : { relations }),
    extents: [...extents, ...tableExtents, ...rowExtents],
    grid: [],
    threadsPerBlock: 1,
    ...{ hasRows: offsets.length > 0, led: ledOf(starts), stated: statedSizes(source, names, "cuda").sizes },
    ...(passed && { passed }),
  };
}

/**
 * What is called a stride, and no extent says what it leads over, leads over all of each other size: shorter
 * ones lay a row over the next.
 */
function longStrides(names: readonly string[], isUsed: (name: string) => boolean): readonly SizeRelation[] {
  const filters = filterSizes(names);
  const isStride = (name: string): boolean => isStrideName(name) && !filters.has(name);
  const lengths = names.filter((name) => !isStride(name));
  return names
    .filter((name) => isStride(name) && !isUsed(name))
    .flatMap((name) =>
      lengths.map((length) => ({ kind: "least" as const, name, value: `${strideFactor(name)} * ${length}` })),
    );
}

/** A workload with what comments of its source say of sizes. */
export function withSaidSizes(found: FoundWorkload, source: string, names: readonly string[]): FoundWorkload {
  return withStated(found, statedSizes(source, names, "cuda"));
}
