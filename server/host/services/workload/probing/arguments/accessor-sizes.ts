import { at, entry } from "../../../../../core/base/known";
import type { CudaLaunchFacts } from "../../../../../core/language/cuda/launch/launch-facts";
import { evaluateSizeExpression } from "../../../../../core/workload/size-expression";
import type { Extents } from "../../../../../core/workload/probe/observation";
import { fitExtent } from "../../../../../core/workload/probe/fit";
import { elementBytes, type Elements } from "../../../../../core/workload/probe/judge-probe";
import type { Probes } from "../../../../../core/workload/probe/judge-probe";
import type { Setting } from "../../../../../core/workload/probe/settings";
import type { SizeExpression } from "../../../../../core/workload/spec";
import type { FoundIndex } from "../find-indices";
import type { ArgumentLayout } from "./argument-layout";
import { accessorLayout, type ArgumentPlan, type PlannedAccessor, productOf } from "./plan-arguments";
import type { PlannedArgument } from "./planned-argument";
import type { ProbeSession } from "../probe-session";

/** What a size of a tensor is known to be: another name, or a number. */
type Known = ReadonlyMap<string, SizeExpression>;

/** What sizes of accessors are that were looked for. */
interface EqualSizes {
  readonly plan: ArgumentPlan;
  readonly sites: CudaLaunchFacts["sites"];
}

/**
 * By how much a stride leads over the next one, by the number of sizes: more than any size is while sizes
 * are looked for, so that the end of what is touched tells how far each index got.
 */
const radixes: readonly number[] = [1, 8192, 512, 64, 24, 12, 8];
const settings = 3;
/** Sizes are between these while they are looked for; the upper one is below the radix. */
const leastSize = 6;
const mostSize = 60;
/** Numbers besides the sizes are at most this. */
const mostNumber = 5;
/** No multiple of each other, so that each size differs from all others under one setting at least. */
const steps = [7, 11, 13];

/**
 * Finds sizes of accessors that are the same, and those that are numbers: each dimension is led over by a
 * stride of its own, so that how far each index gets is seen in one launch. What an index is held back by is
 * the size of its dimension. The plan with fewer sizes.
 */
export async function withEqualSizes(
  session: ProbeSession,
  plan: ArgumentPlan,
  {
    facts: { accessorSizes: told, sites },
    blocks,
    elements,
  }: {
    readonly facts: Pick<CudaLaunchFacts, "accessorSizes" | "sites">;
    readonly blocks: readonly Extents[];
    readonly elements: Elements;
  },
): Promise<EqualSizes> {
  const withKnown = (known: Known): EqualSizes => ({
    plan: reduced(plan, known),
    sites: sites.map((site) => ({ ...site, grid: site.grid.map((each) => String(inKnown(each, known))) })),
  });
  if (plan.accessors.length === 0) return { plan, sites };
  const site = sites.find(({ isInSizes }) => isInSizes === true);
  for (const block of blocks) {
    const probed = await probeApart(session, plan, { block, told, site });
    if (probed === undefined) continue;
    const known = joined(told, knownSizes(plan, probed, elements));
    if (known.size > 0) return withKnown(known);
  }
  return withKnown(told);
}

/** What the text tells, and of what probes have shown all that leads to no size of its own. */
function joined(told: Known, shown: Known): Known {
  const known = new Map(told);
  for (const [name, value] of shown) {
    const leads = wordsOf(inKnown(value, known)).includes(name);
    if (!known.has(name) && !leads) known.set(name, value);
  }
  return known;
}

/** An expression in the sizes that are left. */
function inKnown(expression: SizeExpression, known: Known): SizeExpression {
  let found = expression;
  for (let step = 0; step <= known.size && wordsOf(found).some((name) => known.has(name)); step += 1)
    found = known.get(String(found)) ?? replaced(String(found), known);
  return found;
}

function wordsOf(expression: SizeExpression): readonly string[] {
  return String(expression).match(/[A-Za-z_]\w*/g) ?? [];
}

function replaced(expression: string, known: Known): string {
  return expression.replace(/[A-Za-z_]\w*/g, (name) => {
    const value = String(known.get(name) ?? name);
    return /^\w+$/.test(value) ? value : `(${value})`;
  });
}

/** The shapes of the tensors that accessors are of. */
export function shapesTold(
  layout: ArgumentLayout,
  accessors: readonly PlannedAccessor[],
): ReadonlyMap<string, readonly SizeExpression[]> {
  return new Map(
    layout.flatMap((argument) => {
      const accessor =
        typeof argument === "string" ? undefined : accessors.find(({ name }) => name === argument.name);
      if (typeof argument === "string" || accessor === undefined) return [];
      const sizes = argument.fields.slice(1, 1 + accessor.sizes.length);
      return [[accessor.name, sizes.map((field) => ("value" in field ? field.value : 1))] as const];
    }),
  );
}

/** Indices into tensors whose sizes are told: such a size bounds them. */
export function boundByTold(
  indices: readonly FoundIndex[],
  told: ReadonlyMap<string, readonly SizeExpression[]>,
): readonly FoundIndex[] {
  return indices.map((index) => {
    const shape = told.get(index.into);
    if (shape === undefined) return index;
    const axis = shape.findIndex((_, each) => String(productOf(shape.slice(each + 1))) === String(index.row));
    const rows = shape[Math.max(0, axis)] ?? index.rows;
    const distribution = {
      kind: "range",
      low: 0,
      high: typeof rows === "number" ? rows - 1 : `${rows} - 1`,
    } as const;
    return { ...index, rows, isNew: false, distribution };
  });
}

/** Names of an axis of the grid, along which no size holds the threads back. */
const gridNames = ["grid x", "grid y", "grid z"];

interface Apart {
  readonly probes: Probes;
  /** Values of all sizes and of the grid. */
  readonly values: readonly Setting[];
}

async function probeApart(
  session: ProbeSession,
  plan: ArgumentPlan,
  {
    block,
    told,
    site,
  }: {
    readonly block: Extents;
    readonly told: Known;
    readonly site: CudaLaunchFacts["sites"][number] | undefined;
  },
): Promise<Apart | undefined> {
  const names = plan.planned.flatMap((each) => (each.kind === "size" ? each.name : []));
  const sizesOfTensors = new Set(plan.accessors.flatMap(({ sizes }) => sizes));
  const most = Math.min(mostSize, ...plan.accessors.map(({ sizes }) => radixOf(sizes.length) - 2));
  const { gridAxes, usesDynamicShared } = session.kernel;
  const values = Array.from({ length: settings }, (_, index) => {
    const value = (name: string, position: number): number => {
      // A number that is no size may be a radius: what it is added to has to stay below the radix.
      if (!sizesOfTensors.has(name) && names.includes(name)) return 1 + ((position + 2 * index) % mostNumber);
      return leastSize + ((position * at(steps, index) + 5 * index) % (most - leastSize + 1));
    };
    const all = site === undefined ? [...names, ...gridNames.slice(0, gridAxes)] : names;
    const apart = Object.fromEntries(all.map((name, position) => [name, value(name, position)]));
    return Object.fromEntries(all.map((name) => [name, valueIn(apart, inKnown(name, told))]));
  });
  session.arrange(plan.planned, apartLayout(plan));
  const probes = await session.series(
    {
      block,
      dynamicSharedBytes: usesDynamicShared ? 16_384 : 0,
      grid: (sizes) => {
        const extent = (axis: 0 | 1 | 2): number =>
          site === undefined ? along(sizes, axis, block) : valueIn(sizes, site.grid[axis] ?? 1);
        return [extent(0), extent(1), extent(2)];
      },
    },
    values,
  );
  session.arrange(plan.planned, plan.layout);
  const isWhole = probes.ok && probes.value.observations.length === settings;
  return isWhole && probes.value.observations.every(({ isCut }) => !isCut)
    ? { probes: probes.value, values }
    : undefined;
}

function valueIn(sizes: Setting, expression: SizeExpression): number {
  const value = evaluateSizeExpression(expression, sizes);
  return value.ok ? Math.max(1, value.value) : 1;
}

/** Blocks along an axis: enough for each size, or a number of their own where a block is one thread deep. */
function along(sizes: Setting, axis: 0 | 1 | 2, block: Extents): number {
  const own = sizes[at(gridNames, axis)] ?? 1;
  return block[axis] === 1 ? own : Math.max(own, Math.ceil(mostSize / block[axis]));
}

function radixOf(rank: number): number {
  return radixes[rank] ?? 6;
}

/** Every accessor with strides of powers of its radix. */
function apartLayout({ layout, accessors }: ArgumentPlan): ArgumentLayout {
  return layout.map((argument) => {
    const accessor =
      typeof argument === "string" ? undefined : accessors.find(({ name }) => name === argument.name);
    if (accessor === undefined) return argument;
    const { sizes } = accessor;
    return accessorLayout(accessor, sizes, (axis) => radixOf(sizes.length) ** (sizes.length - 1 - axis));
  });
}

/** How far each index of an accessor got under each setting: 0 where nothing was touched. */
function reaches(
  { name, sizes }: PlannedAccessor,
  { probes }: Apart,
  elements: Elements,
): readonly (readonly number[])[] {
  const radix = radixOf(sizes.length);
  const ends = probes.observations.map(({ buffers }) => {
    const seen = buffers.find((each) => each.name === name);
    return Math.max(0, seen?.read?.to ?? 0, seen?.written?.to ?? 0) / elementBytes(elements, name);
  });
  return sizes.map((_, axis) => {
    const stride = radix ** (sizes.length - 1 - axis);
    return ends.map((end) => {
      const last = Math.ceil(end) - 1;
      const index = Math.floor(last / stride);
      return last < 0 ? 0 : 1 + (axis === 0 ? index : index % radix);
    });
  });
}

function knownSizes(plan: ArgumentPlan, apart: Apart, elements: Elements): Known {
  const { values } = apart;
  const names = Object.keys(at(values, 0));
  const known = new Map<string, SizeExpression>();
  const ofGrid = new Map<string, string>();
  for (const accessor of plan.accessors)
    for (const [axis, reach] of reaches(accessor, apart, elements).entries()) {
      const own = at(accessor.sizes, axis);
      const first = at(reach, 0);
      const same = names.find((name) => values.every((each, index) => entry(each, name) === reach[index]));
      const target = same !== undefined && gridNames.includes(same) ? ofGrid.get(same) : same;
      if (same !== undefined && target === undefined) ofGrid.set(same, own);
      const isFixed = same === undefined && first > 1 && reach.every((each) => each === first);
      const value = isFixed
        ? first
        : (target ?? (same === undefined ? byNumber(plan, values, reach) : undefined));
      // Two sizes that hold each other's index back are one.
      if (value !== undefined && value !== own && known.get(String(value)) !== own) known.set(own, value);
    }
  return known;
}

/** A size that follows from one number that is no size of a tensor: `2 * radius + 1`. */
function byNumber(
  { planned, accessors }: ArgumentPlan,
  values: readonly Setting[],
  reach: readonly number[],
): string | undefined {
  const sizes = new Set(accessors.flatMap((accessor) => accessor.sizes));
  const numbers = planned.flatMap((each) => (each.kind === "size" && !sizes.has(each.name) ? each.name : []));
  for (const name of numbers) {
    const fitted = fitExtent(
      values.map((each, index) => ({ sizes: { [name]: entry(each, name) }, value: at(reach, index) })),
    );
    if (typeof fitted === "string" && /^(?:\d+ \* )?\w+ [+-] \d+$/.test(fitted)) return fitted;
  }
  return undefined;
}

/** The plan without the sizes that are others or numbers. */
function reduced(plan: ArgumentPlan, known: Known): ArgumentPlan {
  const accessors = plan.accessors;
  return {
    accessors,
    planned: plan.planned.filter((each: PlannedArgument) => each.kind !== "size" || !known.has(each.name)),
    layout: plan.layout.map((argument) => {
      const accessor =
        typeof argument === "string" ? undefined : accessors.find(({ name }) => name === argument.name);
      if (accessor === undefined) return argument;
      const sizes = accessor.sizes.map((size) => inKnown(size, known));
      return accessorLayout(accessor, sizes, (axis) => productOf(sizes.slice(axis + 1)));
    }),
  };
}
