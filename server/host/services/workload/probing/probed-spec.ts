import type { InferredSpec } from "../../../../core/language/inference";
import { baselineUnknown } from "../../../../core/language/spec-draft";
import type { ProbedKernel } from "../../../../core/ports/prober";
import { evaluateSizeExpression } from "../../../../core/workload/size-expression";
import { fitExtent } from "../../../../core/workload/probe/fit";
import type { Elements, FittedBuffer } from "../../../../core/workload/probe/judge-probe";
import { proposeProbedShapes } from "../../../../core/workload/probe/shapes";
import type {
  ArgumentSpec,
  Distribution,
  KernelSpec,
  LaunchSpec,
  SizeExpression,
  TensorSpec,
} from "../../../../core/workload/spec";
import type { UnknownPart } from "../../../../core/workload/spec-write";
import { goodFit, type TriedLaunch } from "./find-grid";
import type { FoundIndex } from "./find-indices";
import type { PlannedArgument } from "./probe-session";

/** All that the probes of a kernel have told. */
export interface ProbeResult {
  /** Relative to the folder of the spec. */
  readonly file: string;
  readonly kernel: string;
  readonly planned: readonly PlannedArgument[];
  readonly elements: Elements;
  readonly launch: TriedLaunch;
  readonly indices: readonly FoundIndex[];
  readonly compiled: Pick<ProbedKernel, "sharedBytes" | "instance" | "instanceRemark">;
  /** What the text alone proposes. */
  readonly proposal: KernelSpec | undefined;
}

type Origins = Record<string, "probed" | "guessed" | "inferred">;

/** The spec that a launch and its probes stand for, with a sentence for all that stays a guess. */
export function probedSpec(result: ProbeResult): InferredSpec {
  const facts: Facts = { origins: {}, unknowns: [] };
  const { inputs, outputs } = tensorsOf(result, facts);
  const launch = launchOf(result, facts);
  const extents = [...Object.values(inputs), ...Object.values(outputs)].flatMap(({ shape }) => shape);
  const grid = launch.grid ?? [];
  const used = [...extents, ...grid, launch.sharedBytes ?? ""].join(" ");
  const names = [
    ...result.planned.flatMap((each) => (each.kind === "size" ? each.name : [])),
    ...result.launch.counts,
  ];
  const ranges = result.indices.map(({ rows }) => rows);
  const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(used);
  const [x, y, z] = result.launch.block;
  const spec: KernelSpec = {
    file: result.file,
    kernel: result.kernel,
    dialect: "cuda",
    run: { kind: "launch", launch },
    inputs,
    outputs,
    shapes: proposeProbedShapes({
      sizes: names.filter((name) => isUsed(name) && !ranges.includes(name)),
      others: names.filter((name) => !isUsed(name) && !ranges.includes(name)),
      ranges: [...new Set(ranges)],
      step: result.launch.step,
      extents,
      grid,
      threadsPerBlock: x * y * z,
    }),
    reference: { kind: "baseline" },
    objective: "modelled-bound",
    origins: facts.origins,
  };
  return { spec, unknowns: [...facts.unknowns, baselineUnknown] };
}

/** Where facts come from, and what to say about the ones that are guesses. */
interface Facts {
  readonly origins: Origins;
  readonly unknowns: UnknownPart[];
}

function guess({ origins, unknowns }: Facts, path: string, sentence: string): void {
  origins[path] = "guessed";
  unknowns.push({ path, sentence });
}

type Tensors = Record<string, TensorSpec>;

function tensorsOf(
  result: ProbeResult,
  facts: Facts,
): { readonly inputs: Tensors; readonly outputs: Tensors } {
  const [inputs, outputs]: [Tensors, Tensors] = [{}, {}];
  for (const argument of result.planned) {
    if (argument.kind !== "buffer") continue;
    const fitted = result.launch.buffers.find(({ name }) => name === argument.name);
    if (fitted === undefined) continue;
    const isPartial = fitted.isWritten && fitted.coverage < 1;
    const side = fitted.isWritten ? "outputs" : "inputs";
    const tensor = {
      dtype: argument.type.dtype,
      shape: [
        ...shapeOf(result, fitted, { path: `${side}.${fitted.name}.shape`, facts }),
        ...(argument.type.width > 1 ? [argument.type.width] : []),
      ],
    };
    const isInput = fitted.isRead || isPartial || !fitted.isWritten;
    if (fitted.isWritten) outputs[fitted.name] = tensor;
    if (isInput)
      inputs[fitted.name] = { ...tensor, distribution: distributionOf(result, fitted, tensor.dtype) };
  }
  return { inputs, outputs };
}

function distributionOf(
  { indices }: ProbeResult,
  { name, isAtomic, isWritten }: FittedBuffer,
  dtype: TensorSpec["dtype"],
): Distribution {
  const index = indices.find((each) => each.index === name);
  if (index !== undefined) return index.distribution;
  if (isAtomic && isWritten) return { kind: "constant", value: 0 };
  return dtype.includes("float") ? "normal" : "integers";
}

/** What a launch without a guard touches: whole blocks. */
const roundedUp = /^(\d+) \* ceil_div\((.+), \1\)$/;

interface ShapeFacts {
  readonly path: string;
  readonly facts: Facts;
}

function shapeOf(
  result: ProbeResult,
  fitted: FittedBuffer,
  { path, facts }: ShapeFacts,
): readonly SizeExpression[] {
  const index = result.indices.find(({ into }) => into === fitted.name);
  if (index !== undefined) return indexedShape(index, fitted, { path, facts });
  const { extent, seen, name } = fitted;
  if (seen === 0) {
    guess(facts, path, `${name} was not touched in any probe; one element is a guess.`);
    return [1];
  }
  const width = result.elements.get(name)?.type.width ?? 1;
  const stated = width > 1 ? undefined : statedShape(result, fitted);
  if (extent === undefined) {
    const sizes = JSON.stringify(result.launch.probes.settings[0]);
    const sentence = `no expression gives how far ${name} is touched: with ${sizes} up to element ${seen}. Write its shape.`;
    guess(facts, path, sentence);
    return stated ?? [seen];
  }
  const rounded = result.launch.isInText ? roundedUp.exec(String(extent)) : null;
  if (rounded !== null) {
    const [, threads = "", size = ""] = rounded;
    const sentence = `${name} is taken to have ${size} elements; the kernel has no guard, and touches ${extent}. If ${size} is always a multiple of ${threads}, choose such shapes.`;
    guess(facts, path, sentence);
    return [size];
  }
  facts.origins[path] = "probed";
  if (/\+ \d+$/.test(String(extent)))
    facts.unknowns.push({
      path,
      sentence: `${name} is touched as far as ${extent} elements. If it has fewer, the kernel goes too far.`,
    });
  return stated ?? factorsOf(extent);
}

/** The shape of a buffer that the values of another one lead into. */
function indexedShape(
  index: FoundIndex,
  { name, isWritten }: FittedBuffer,
  { path, facts }: ShapeFacts,
): readonly SizeExpression[] {
  facts.origins[path] = "probed";
  if (index.isNew || isWritten)
    guess(
      facts,
      `inputs.${index.index}.distribution`,
      `${index.index} leads into ${name}: any number of its range, as often as it falls, is a guess. Its values may have to be in order, or each there once.`,
    );
  if (index.isNew)
    facts.unknowns.push({
      path,
      sentence: `${name} is indexed by the values of ${index.index}; its ${index.rows} rows are taken for as many as those values reach.`,
    });
  return index.row === 1 ? [index.rows] : [index.rows, index.row];
}

/** A product as one size for each factor. */
function factorsOf(extent: SizeExpression): readonly SizeExpression[] {
  return /^\w+(?: \* \w+)+$/.test(String(extent)) ? String(extent).split(" * ").map(numeral) : [extent];
}

/** The shape that the text implies, where it has as many elements as were touched. */
function statedShape(
  { proposal, launch }: ProbeResult,
  { name, extent }: FittedBuffer,
): readonly SizeExpression[] | undefined {
  const shape = (proposal?.outputs[name] ?? proposal?.inputs[name])?.shape;
  if (shape === undefined || extent === undefined) return undefined;
  const agrees = launch.probes.settings.every((sizes) => {
    const values = [...shape, extent].map((expression) => evaluateSizeExpression(expression, sizes));
    const numbers = values.map((value) => (value.ok ? value.value : Number.NaN));
    const wanted = numbers.at(-1);
    return numbers.slice(0, -1).reduce((product, size) => product * size, 1) === wanted;
  });
  return agrees ? shape : undefined;
}

function launchOf(result: ProbeResult, facts: Facts): LaunchSpec {
  const passed = result.planned.map((each): ArgumentSpec => {
    if (each.kind === "buffer") return each.name;
    return { value: each.kind === "size" ? each.name : each.value, dtype: each.dtype };
  });
  const { launch } = result;
  const common = { arguments: passed, ...instanceOf(result, facts) };
  if (launch.isInText) return common;
  const explained = launch.misfit < goodFit;
  const what = `grid ${launch.grid.join(" × ")}, block ${launch.block.join(" × ")}`;
  if (explained) {
    facts.origins["launch.grid"] = "probed";
    facts.origins["launch.block"] = "probed";
  } else {
    guess(
      facts,
      "launch.grid",
      `no launch was found that explains all that the kernel touches; ${what} comes nearest.`,
    );
    facts.origins["launch.block"] = "guessed";
  }
  const shared = sharedBytesOf(result);
  if (shared !== undefined) facts.origins["launch.sharedBytes"] = "probed";
  const axes = launch.grid.findLastIndex((extent) => extent !== 1) + 1;
  const across = launch.block.findLastIndex((extent) => extent !== 1) + 1;
  return {
    grid: launch.grid.slice(0, Math.max(1, axes)),
    block: launch.block.slice(0, Math.max(1, across)),
    ...(shared === undefined ? {} : { sharedBytes: shared }),
    ...common,
  };
}

/** The instance of a template, where the launch of the text does not name it. */
function instanceOf(
  { compiled: { instance, instanceRemark }, launch }: ProbeResult,
  { origins, unknowns }: Facts,
): Pick<LaunchSpec, "instance"> {
  if (instanceRemark === undefined) return launch.isInText || instance.length === 0 ? {} : { instance };
  origins["launch.instance"] = "inferred";
  unknowns.push({ path: "launch.instance", sentence: instanceRemark });
  return { instance };
}

/** Dynamic shared memory, by how much of it is touched. */
function sharedBytesOf({ launch, compiled }: ProbeResult): SizeExpression | undefined {
  if (launch.dynamicSharedBytes === 0) return undefined;
  const { settings, observations } = launch.probes;
  const samples = settings.map((sizes, index) => ({
    sizes,
    value: Math.max(0, (observations[index]?.sharedBytes ?? 0) - compiled.sharedBytes),
  }));
  const most = Math.max(...samples.map(({ value }) => value));
  return fitExtent(samples, launch.block) ?? most;
}

/** A factor of a product: a number, or a size. */
function numeral(factor: string): SizeExpression {
  return /^\d+$/.test(factor) ? Number(factor) : factor;
}
