import type { InferredSpec } from "../../../../../core/language/inference";
import { elementBytes, type Elements } from "../../../../../core/workload/probe/judge-probe";
import { settled } from "../../../../../core/workload/probe/settings";
import type { ProbeObservation } from "../../../../../core/workload/probe/observation";
import { evaluateSizeExpression } from "../../../../../core/workload/size-expression";
import type { KernelSpec, ShapeCase, SizeExpression, TensorSpec } from "../../../../../core/workload/spec";
import { measuredSize } from "../../entries/shape-plan";
import type { TriedLaunch } from "../find-grid";
import type { ProbeSession } from "../probe-session";
import type { ProbeResult } from "../spec/probe-result";
import { withOwnFields } from "../spec/own-fields";
import { probedWorkload } from "../spec/probed-spec";
import { withGrownShape } from "./grown-shape";

/** With fewer sizes an extent that fits all probes holds elsewhere too. */
const leastSizes = 2;

/** The spec that the probes of a kernel stand for, and where it is read farther, what its shapes read. */
export async function measuredSpec(session: ProbeSession, result: ProbeResult): Promise<InferredSpec> {
  const grown = await withGrownShape(session, result.launch, probedWorkload(result));
  const found = await withMeasuredExtents(session, result, grown);
  return withOwnFields(found, result);
}

/**
 * The spec with sizes of their own for the inputs that its shapes read farther into than the expressions say
 * that were fitted to the probes: quotients of two sizes, minima. Each shape has what its launch read.
 */
async function withMeasuredExtents(
  session: ProbeSession,
  { launch, elements }: Pick<ProbeResult, "launch" | "elements">,
  found: InferredSpec,
): Promise<InferredSpec> {
  const [large, ...others] = found.spec.shapes;
  if (large === undefined || Object.keys(large.sizes).length < leastSizes) return found;
  // What is read farther shows with little work, too: only then the whole of each launch is worth its time.
  const brief = await launches(session, { launch, shapes: others, length: "brief" });
  const names = probedInputs(found.spec).filter((name) =>
    others.some((shape, index) => goesBeyond(found.spec, { name, shape, seen: brief[index], elements })),
  );
  if (names.length === 0) return found;
  const all = await launches(session, { launch, shapes: [large, ...others], length: "whole" });
  if (all.includes(undefined)) return found;
  const shapes = found.spec.shapes.map((shape, index) => ({
    ...shape,
    sizes: {
      ...shape.sizes,
      ...Object.fromEntries(names.map((name) => [measuredSize(name), endOf(name, all[index], elements)])),
    },
  }));
  return withSizes(found, { names, shapes, elements });
}

interface ShapeLaunches {
  readonly launch: TriedLaunch;
  readonly shapes: readonly ShapeCase[];
  readonly length: "brief" | "whole";
}

/** What launches with the sizes of shapes touched; undefined for those that show nothing. */
async function launches(
  session: ProbeSession,
  { launch, shapes, length }: ShapeLaunches,
): Promise<readonly (ProbeObservation | undefined)[]> {
  const seen: (ProbeObservation | undefined)[] = [];
  for (const { sizes } of shapes) {
    const one = await session.shape(launch.planned, settled(session, sizes), length);
    const isTold = one.ok && !one.value.isCut && one.value.faults.length === 0;
    seen.push(isTold ? one.value : undefined);
  }
  return seen;
}

/** Inputs whose extents are known from probes alone, and that the kernel only reads. */
function probedInputs({ inputs, outputs, origins = {} }: KernelSpec): readonly string[] {
  return Object.keys(inputs).filter(
    (name) => outputs[name] === undefined && origins[`inputs.${name}.shape`] === "probed",
  );
}

interface Beyond {
  readonly name: string;
  readonly shape: ShapeCase;
  readonly seen: ProbeObservation | undefined;
  readonly elements: Elements;
}

function goesBeyond({ inputs }: KernelSpec, { name, shape, seen, elements }: Beyond): boolean {
  const width = elements.get(name)?.type.width ?? 1;
  const numbers = (inputs[name]?.shape ?? []).reduce<number>((product, size) => {
    const value = evaluateSizeExpression(size, shape.sizes);
    return product * (value.ok ? value.value : 1);
  }, 1);
  return endOf(name, seen, elements) * width > numbers;
}

/** Elements up to the last one that was read; at least one. */
function endOf(name: string, seen: ProbeObservation | undefined, elements: Elements): number {
  const read = seen?.buffers.find((each) => each.name === name)?.read;
  return Math.max(1, Math.ceil((read?.to ?? 0) / elementBytes(elements, name)));
}

interface Sized {
  readonly names: readonly string[];
  readonly shapes: readonly ShapeCase[];
  readonly elements: Elements;
}

function withSizes({ spec, unknowns }: InferredSpec, { names, shapes, elements }: Sized): InferredSpec {
  const path = (name: string): string => `inputs.${name}.shape`;
  const sized = names.map((name): [string, TensorSpec] => {
    const width = elements.get(name)?.type.width ?? 1;
    const shape: SizeExpression[] = [measuredSize(name), ...(width > 1 ? [width] : [])];
    return [name, { dtype: "float32", ...spec.inputs[name], shape }];
  });
  const told = names.map((name) => ({
    path: path(name),
    sentence: `no expression gives how far ${name} is read; each shape has what a launch of it read.`,
  }));
  return {
    spec: {
      ...spec,
      inputs: { ...spec.inputs, ...Object.fromEntries(sized) },
      shapes,
      origins: { ...spec.origins, ...Object.fromEntries(names.map((name) => [path(name), "guessed"])) },
    },
    unknowns: [...told, ...unknowns],
  };
}
