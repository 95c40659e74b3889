import { entry } from "../../core/base/known";
import type { ProbeArgument, ProbeField, ProbeLaunch, Prober } from "../../core/ports/prober";
import type { BufferObservation, Extents, TouchedSpan } from "../../core/workload/probe/observation";
import { itemBytes } from "../../core/workload/item-bytes";
import { evaluateSizeExpression } from "../../core/workload/size-expression";
import type {
  ArgumentSpec,
  FieldsArgument,
  KernelSpec,
  ShapeCase,
  StructureField,
  SizeExpression,
  TensorSpec,
} from "../../core/workload/spec";
import { type JudgeServiceOptions, judgeTree } from "./judge-service";
import type { FoundSpec, PreviewService, TouchedBuffer } from "./services";
import { buildSettingsOf, readSourceTree } from "./sources/source-tree";

interface PreviewServiceOptions extends JudgeServiceOptions {
  readonly prober: Prober;
}

/** Warp-level instructions of the launch that shows what is touched. */
const instructionBudget = 20_000_000;
/**
 * What buffers hold there, as in other probes: floating values, and whole numbers that are likely indices.
 */
const contents = { floating: 0.75, whole: 0 };

/** Runs a spec once, with its smallest shape, to show what it means. */
export function createPreviewService(options: PreviewServiceOptions): PreviewService {
  return {
    run: async (source, { target, signal }) => {
      const whole = await options.specs.parse(source);
      const shape = smallestShape(whole.spec);
      const found: FoundSpec = { ...whole, spec: { ...whole.spec, shapes: [shape] } };
      const build = await buildSettingsOf(options.builds, found);
      const tree = await readSourceTree(options.files, found, build);
      const { spec, specFolder } = found;
      const task = { spec, specFolder, target, baseline: tree, build };
      const { verdict, launches } = await judgeTree(options, { task, tier: "quick" }, signal);
      const told = { spec, shape, verdict, launches, touched: [] };
      const launch = launchOf(spec, shape);
      if (launch === undefined) return told;
      const file = specFolder === "" ? spec.file : `${specFolder}/${spec.file}`;
      const kernel = spec.kernel.replace(/^.*::/, "");
      const probe = { tree, file, build, kernel, instance: launch.instance, target, signal };
      const opened = await options.prober.open(probe);
      const seen = opened.ok ? await opened.value.run(launch) : opened;
      if (!seen.ok) return told;
      const { grid, block } = launch;
      return { ...told, grid, block, touched: touchedOf(spec, shape, seen.value.buffers) };
    },
  };
}

/** What was touched of each buffer, in elements. */
function touchedOf(
  { inputs, outputs }: KernelSpec,
  shape: ShapeCase,
  buffers: readonly BufferObservation[],
): readonly TouchedBuffer[] {
  return buffers.flatMap(({ name, read, written }): TouchedBuffer[] => {
    const tensor = outputs[name] ?? inputs[name];
    const elements = tensor && product(tensor.shape, shape);
    if (tensor === undefined || elements === undefined) return [];
    const bytes = itemBytes[tensor.dtype];
    const inElements = ({ from, to }: TouchedSpan): readonly [number, number] => [
      Math.floor(from / bytes),
      Math.ceil(to / bytes),
    ];
    return [
      {
        name,
        elements,
        ...(read && { read: inElements(read) }),
        ...(written && { written: inElements(written) }),
      },
    ];
  });
}

/** The visible shape with the fewest elements. */
function smallestShape(spec: KernelSpec): ShapeCase {
  const tensors = [...Object.values(spec.inputs), ...Object.values(spec.outputs)];
  const sizeOf = (shape: ShapeCase): number =>
    tensors.reduce((sum, tensor) => sum + (product(tensor.shape, shape) ?? 0), 0);
  const visible = spec.shapes.filter(({ heldOut }) => heldOut !== true);
  return visible.reduce((least, shape) => (sizeOf(shape) < sizeOf(least) ? shape : least));
}

interface PreviewLaunch extends ProbeLaunch {
  readonly instance: readonly string[];
}

/** The launch of a spec that states all of it in plain values; undefined for any other. */
function launchOf({ run, inputs, outputs }: KernelSpec, shape: ShapeCase): PreviewLaunch | undefined {
  if (run.kind !== "launch") return undefined;
  const { grid, block, sharedBytes = 0, symbols = [], instance = [] } = run.launch;
  if (grid === undefined || block === undefined || symbols.length > 0) return undefined;
  const passed = run.launch.arguments.map((each) => argumentOf(each, { ...inputs, ...outputs }, shape));
  const [blocks, threads, shared] = [
    extents(grid, shape),
    extents(block, shape),
    product([sharedBytes], shape),
  ];
  if (passed.includes(undefined) || !blocks || !threads || shared === undefined) return undefined;
  return {
    grid: blocks,
    block: threads,
    dynamicSharedBytes: shared,
    arguments: passed.filter((each) => each !== undefined),
    instructionBudget,
    instance,
  };
}

function argumentOf(
  argument: ArgumentSpec,
  tensors: Readonly<Record<string, TensorSpec>>,
  shape: ShapeCase,
): ProbeArgument | undefined {
  if (typeof argument === "string") {
    const { dtype } = entry(tensors, argument);
    const value = dtype.includes("float") ? contents.floating : contents.whole;
    return { kind: "buffer", name: argument, dtype, content: { kind: "constant", value } };
  }
  if ("fields" in argument) return structureOf(argument, tensors, shape);
  if (!("value" in argument)) return undefined;
  const { value, dtype } = argument;
  if (typeof value === "number") return { kind: "scalar", value, dtype };
  const number = shape.values?.[value] ?? product([value], shape);
  return number === undefined ? undefined : { kind: "scalar", value: number, dtype };
}

/** Undefined where one of its numbers does not work out. */
function structureOf(
  { fields, byteLength, count }: FieldsArgument,
  tensors: Readonly<Record<string, TensorSpec>>,
  shape: ShapeCase,
): ProbeArgument | undefined {
  const placed = fields.flatMap((field): ProbeField | readonly [] => {
    const argument = fieldOf(field, tensors, shape);
    return argument === undefined || argument.kind === "structure" ? [] : { at: field.at, argument };
  });
  return placed.length === fields.length
    ? { kind: "structure", byteLength, fields: placed, isPointed: count !== undefined }
    : undefined;
}

function fieldOf(
  field: StructureField,
  tensors: Readonly<Record<string, TensorSpec>>,
  shape: ShapeCase,
): ProbeArgument | undefined {
  if (!("each" in field)) return argumentOf("buffer" in field ? field.buffer : field, tensors, shape);
  const { dtype } = entry(tensors, field.each);
  return { kind: "scalar", value: dtype.includes("float") ? contents.floating : contents.whole, dtype };
}

function extents(sizes: readonly SizeExpression[], shape: ShapeCase): Extents | undefined {
  const [x, y = 1, z = 1] = sizes.map((size) => product([size], shape));
  return x === undefined ? undefined : [x, y, z];
}

/** Undefined where an expression does not work out. */
function product(sizes: readonly SizeExpression[], { sizes: names }: ShapeCase): number | undefined {
  let result = 1;
  for (const size of sizes) {
    const outcome = evaluateSizeExpression(size, names);
    if (!outcome.ok) return undefined;
    result *= outcome.value;
  }
  return result;
}
