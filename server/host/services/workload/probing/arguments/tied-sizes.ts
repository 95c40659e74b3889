import type { CudaLaunchFacts } from "../../../../../core/language/cuda/launch/launch-facts";
import {
  constantNumbers,
  type TiedNumbers,
  tiedNumbers,
} from "../../../../../core/language/cuda/launch/tied-numbers";
import type { TiedSizes } from "../../../../../core/workload/probe/settings";
import type { Distribution, TensorSpec } from "../../../../../core/workload/spec";
import { type ArgumentLayout, inFreeSizes } from "./argument-layout";
import type { PlannedArgument } from "./planned-argument";

interface Arranged {
  readonly planned: readonly PlannedArgument[];
  readonly layout: ArgumentLayout;
}

/** The sizes that the launch of the text computes from others; of several launches, what all compute so. */
export function tiedSizes(
  { planned, layout }: Arranged,
  { parameters, sites }: Pick<CudaLaunchFacts, "parameters" | "sites">,
): TiedNumbers | undefined {
  const numbers = sizesAmong({ planned, layout }, parameters);
  const [first, ...others] = sites.map((site) => tiedNumbers(site, numbers));
  if (first === undefined) return undefined;
  const values = [...first.values].filter(([name, value]) =>
    others.every((each) => each.values.get(name) === value),
  );
  return values.length === 0 ? undefined : { values: new Map(values), lesser: first.lesser };
}

/** What the launch of the text passes for sizes, where that is a constant: sizes that are meant. */
export function launchedSizes(
  arranged: Arranged,
  { parameters, sites: [site] }: Pick<CudaLaunchFacts, "parameters" | "sites">,
): Readonly<Record<string, number>> {
  return site === undefined ? {} : constantNumbers(site, sizesAmong(arranged, parameters));
}

/** The names of parameters that are sizes, in their order; undefined for others. */
function sizesAmong(
  { planned, layout }: Arranged,
  parameters: CudaLaunchFacts["parameters"],
): readonly (string | undefined)[] {
  const sizes = new Set(planned.flatMap((each) => (each.kind === "size" ? each.name : [])));
  return parameters.map(({ name }) => (sizes.has(name) && layout.includes(name) ? name : undefined));
}

/** Tensors with shapes and values in sizes that follow from no other. */
export function tensorsInFreeSizes(
  tensors: Readonly<Record<string, TensorSpec>>,
  tied: TiedSizes,
): Readonly<Record<string, TensorSpec>> {
  if (tied.size === 0) return tensors;
  return Object.fromEntries(
    Object.entries(tensors).map(([name, tensor]) => {
      const { shape, distribution } = tensor;
      const told = distribution === undefined ? {} : { distribution: distributionIn(distribution, tied) };
      return [name, { ...tensor, shape: shape.map((size) => inFreeSizes(size, tied)), ...told }];
    }),
  );
}

function distributionIn(distribution: Distribution, tied: TiedSizes): Distribution {
  if (typeof distribution === "string") return distribution;
  const { kind } = distribution;
  if (kind === "range" || kind === "skewed")
    return {
      ...distribution,
      low: inFreeSizes(distribution.low, tied),
      high: inFreeSizes(distribution.high, tied),
    };
  return kind === "offsets"
    ? { ...distribution, total: inFreeSizes(distribution.total, tied) }
    : distribution;
}
