import type { ShapePlan } from "../../../../../core/workload/probe/shapes/plan";
import { workBySizes } from "../../../../../core/workload/probe/work";
import type { LaunchSpec, SizeExpression } from "../../../../../core/workload/spec";
import { ledOf, rangesOf, tablesOf } from "../find-indices";
import type { ProbeResult } from "./probe-result";

interface Sized {
  /** Of all sizes. */
  readonly names: readonly string[];
  /** Of each buffer. */
  readonly extents: readonly SizeExpression[];
  readonly launch: LaunchSpec;
  readonly stated: ShapePlan["stated"];
}

/** What the shapes of a kernel are proposed for, by what its probes have told. */
export function probedPlan(result: ProbeResult, { names, extents, launch, stated }: Sized): ShapePlan {
  const { tied = new Map() } = result;
  const { block, probes, buffers, step } = result.launch;
  const grid = launch.grid ?? [];
  const used = [...extents, ...grid, launch.sharedBytes ?? ""].join(" ");
  const ranges = rangesOf(result.indices).filter((name) => !tied.has(name));
  // What is less than others is kept as small as what nothing depends on.
  const isUsed = (name: string): boolean =>
    result.lesser?.has(name) !== true && new RegExp(`\\b${name}\\b`).test(used);
  const [x, y, z] = block;
  const [proven] = probes.settings;
  const work = workBySizes(probes.settings, probes.observations, names);
  return {
    sizes: names.filter((name) => isUsed(name) && !ranges.includes(name)),
    others: names.filter((name) => !isUsed(name) && !ranges.includes(name)),
    ranges,
    tables: tablesOf(result.indices, buffers),
    ...{ step, extents, grid },
    threadsPerBlock: x * y * z,
    ...(work && { work }),
    ...(result.nearest && { nearest: result.nearest }),
    ...(result.lesser && { lesser: result.lesser }),
    ...(result.parts && { parts: result.parts }),
    ...(result.relations && { relations: result.relations }),
    ...(proven && { proven }),
    ...(stated && { stated }),
    ...(result.passed && { passed: result.passed }),
    hasRows: result.offsets.length > 0,
    led: ledOf(result.indices),
  };
}
