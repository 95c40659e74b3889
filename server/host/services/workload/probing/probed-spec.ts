import { at } from "../../../../core/base/known";
import type { InferredSpec } from "../../../../core/language/inference";
import { baselineUnknown } from "../../../../core/language/spec-draft";
import type { ProbedKernel } from "../../../../core/ports/prober";
import { fitExtent } from "../../../../core/workload/probe/fit";
import { contention } from "../../../../core/workload/probe/judge-probe";
import { proposeProbedShapes, type ShapePlan } from "../../../../core/workload/probe/shapes";
import { statedSizes, withStated } from "../../../../core/workload/probe/stated-sizes";
import { workBySizes } from "../../../../core/workload/probe/work";
import type { Dialect, KernelSpec, LaunchSpec, SizeExpression } from "../../../../core/workload/spec";
import { type ArgumentLayout, inFreeSizes, placeOf, specArguments } from "./arguments/argument-layout";
import { goodFit, type TriedLaunch } from "./find-grid";
import { ledOf, rangesOf, tablesOf } from "./find-indices";
import type { PlannedArgument } from "./arguments/planned-argument";
import { type ProbeFacts, guess, type SeenTensors, tensorsOf } from "./probed-tensors";

/** All that the probes of a kernel have told. */
export interface ProbeResult extends SeenTensors {
  /** Relative to the folder of the spec. */
  readonly file: string;
  readonly kernel: string;
  readonly dialect: Dialect;
  readonly launch: TriedLaunch;
  readonly layout: ArgumentLayout;
  readonly compiled: Pick<ProbedKernel, "sharedBytes" | "instance" | "instanceRemark">;
  /** See `ShapePlan`. */
  readonly nearest?: ShapePlan["nearest"];
  /** See `ShapePlan`. */
  readonly parts?: ShapePlan["parts"];
  /** Sizes that are less than others. */
  readonly lesser?: ReadonlySet<string>;
  /** The source, whose comments may speak of sizes. */
  readonly text?: string;
  /** See `ShapePlan`. */
  readonly passed?: ShapePlan["passed"];
}

/** The spec that a launch and its probes stand for, with a sentence for all that stays a guess. */
export function probedSpec(result: ProbeResult): InferredSpec {
  const facts: ProbeFacts = { origins: {}, unknowns: [] };
  const { tied = new Map() } = result;
  const { inputs, outputs } = tensorsOf(result, facts);
  const launch = launchOf(result, facts);
  const extents = [...Object.values(inputs), ...Object.values(outputs)].map(({ shape }) =>
    shape.length === 1 ? (shape[0] ?? 1) : shape.map((size) => `(${size})`).join(" * "),
  );
  const grid = launch.grid ?? [];
  const used = [...extents, ...grid, launch.sharedBytes ?? ""].join(" ");
  const names = [
    ...result.planned.flatMap((each) => (each.kind === "size" && !tied.has(each.name) ? each.name : [])),
    ...result.launch.counts,
  ];
  const ranges = rangesOf(result.indices).filter((name) => !tied.has(name));
  // What is less than others is kept as small as what nothing depends on.
  const isUsed = (name: string): boolean =>
    result.lesser?.has(name) !== true && new RegExp(`\\b${name}\\b`).test(used);
  const [x, y, z] = result.launch.block;
  const { settings, observations } = result.launch.probes;
  const work = workBySizes(settings, observations, names);
  const stated = statedSizes(result.text ?? "", names, result.dialect);
  const spec: KernelSpec = {
    file: result.file,
    kernel: result.kernel,
    dialect: result.dialect,
    run: { kind: "launch", launch },
    inputs,
    outputs,
    shapes: proposeProbedShapes({
      sizes: names.filter((name) => isUsed(name) && !ranges.includes(name)),
      others: names.filter((name) => !isUsed(name) && !ranges.includes(name)),
      ranges,
      tables: tablesOf(result.indices, result.launch.buffers),
      step: result.launch.step,
      extents,
      grid,
      threadsPerBlock: x * y * z,
      ...(work && { work }),
      ...(result.nearest && { nearest: result.nearest }),
      ...(result.lesser && { lesser: result.lesser }),
      ...(result.parts && { parts: result.parts }),
      ...(settings[0] && { proven: settings[0] }),
      stated: stated.sizes,
      ...(result.passed && { passed: result.passed }),
      hasRows: result.offsets.length > 0,
      led: ledOf(result.indices),
    }),
    reference: { kind: "baseline" },
    objective: "modelled-bound",
    origins: facts.origins,
  };
  return withStated({ spec, unknowns: [...facts.unknowns, baselineUnknown] }, stated);
}

function launchOf(result: ProbeResult, facts: ProbeFacts): LaunchSpec {
  const { launch, layout, tied = new Map() } = result;
  const passed = specArguments(layout, result.planned, tied);
  for (const each of result.planned) {
    const why = each.kind === "value" ? whyFixed(each) : undefined;
    if (why !== undefined) guess(facts, `launch.arguments.${placeOf(layout, each.name)}`, why);
  }
  const common = { arguments: passed, ...instanceOf(result, facts) };
  if (launch.isInText) return common;
  // Where its own guards tell the launch, that threads write the same elements is the kernel's doing.
  const own = launch.isBound ? contention(launch.buffers) : 0;
  const explained = launch.misfit - own < goodFit;
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
    grid: launch.grid.slice(0, Math.max(1, axes)).map((extent) => inFreeSizes(extent, tied)),
    block: launch.block.slice(0, Math.max(1, across)),
    ...(shared === undefined ? {} : { sharedBytes: inFreeSizes(shared, tied) }),
    ...common,
  };
}

/** Why a number is the same in every shape; undefined where any other would do. */
function whyFixed({
  name,
  value,
  isFixed,
  end,
}: Extract<PlannedArgument, { kind: "value" }>): string | undefined {
  if (end !== undefined)
    return `${name} is always ${value}: it is taken for the beginning of a range up to ${end}.`;
  return isFixed === true
    ? `${name} is always ${value}: no launch was found that explains it as a size.`
    : undefined;
}

/** The instance of a template, where the launch of the text does not name it. */
function instanceOf(
  { compiled: { instance, instanceRemark }, launch }: ProbeResult,
  { origins, unknowns }: ProbeFacts,
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
    value: Math.max(0, at(observations, index).sharedBytes - compiled.sharedBytes),
  }));
  const most = Math.max(...samples.map(({ value }) => value));
  return fitExtent(samples, launch.block) ?? most;
}
