import { at } from "../../../../../core/base/known";
import type { InferredSpec } from "../../../../../core/language/inference";
import { baselineUnknown } from "../../../../../core/language/spec-draft";
import { fitExtent } from "../../../../../core/workload/probe/fit";
import { contention } from "../../../../../core/workload/probe/judge-probe";
import type { ShapePlan } from "../../../../../core/workload/probe/shapes/plan";
import { proposeProbedShapes } from "../../../../../core/workload/probe/shapes/proposed";
import { statedSizes, withStated } from "../../../../../core/workload/probe/stated-sizes";
import type { KernelSpec, LaunchSpec, SizeExpression } from "../../../../../core/workload/spec";
import { inFreeSizes, placeOf, specArguments } from "../arguments/argument-layout";
import { goodFit } from "../find-grid";
import type { PlannedArgument } from "../arguments/planned-argument";
import type { ProbeResult } from "./probe-result";
import { probedPlan } from "./probed-plan";
import { type ProbeFacts, guess, tensorsOf } from "./probed-tensors";

/** What a launch and its probes stand for. */
interface ProbedWorkload {
  /** The spec, with a sentence for all that stays a guess. */
  readonly inferred: InferredSpec;
  /** What its shapes were proposed for. */
  readonly plan: ShapePlan;
}

/** The workload that a launch and its probes stand for. */
export function probedWorkload(result: ProbeResult): ProbedWorkload {
  const facts: ProbeFacts = { origins: {}, unknowns: [] };
  const { tied = new Map() } = result;
  const { inputs, outputs } = tensorsOf(result, facts);
  const launch = launchOf(result, facts);
  const extents = [...Object.values(inputs), ...Object.values(outputs)].map(({ shape }) =>
    shape.length === 1 ? (shape[0] ?? 1) : shape.map((size) => `(${size})`).join(" * "),
  );
  const names = [
    ...result.planned.flatMap((each) => (each.kind === "size" && !tied.has(each.name) ? each.name : [])),
    ...result.launch.counts,
  ];
  const stated = statedSizes(result.text ?? "", names, result.dialect);
  const plan = probedPlan(result, { names, extents, launch, stated: stated.sizes });
  const spec: KernelSpec = {
    file: result.file,
    kernel: result.kernel,
    dialect: result.dialect,
    run: { kind: "launch", launch },
    inputs,
    outputs,
    shapes: proposeProbedShapes(plan),
    reference: { kind: "baseline" },
    objective: "modelled-bound",
    origins: facts.origins,
  };
  const inferred = withStated({ spec, unknowns: [...facts.unknowns, baselineUnknown] }, stated);
  return { inferred, plan };
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
    if (launch.isSaid === true) facts.unknowns.push(...saidNames(launch));
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

/** What is told of the names of a comment's launch that are no parameters. */
function saidNames({ counts }: ProbeResult["launch"]): ProbeFacts["unknowns"] {
  if (counts.length === 0) return [];
  const [are, any] = counts.length === 1 ? ["is no parameter", "a size"] : ["are no parameters", "sizes"];
  const sentence = `the launch is the one that a comment tells; ${counts.join(", ")} ${are} of the kernel and taken for ${any} of its own.`;
  return [{ path: "launch.grid", sentence }];
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
