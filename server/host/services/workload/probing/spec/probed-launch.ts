import { at } from "../../../../../core/base/known";
import { fitExtent } from "../../../../../core/workload/probe/fit";
import { contention } from "../../../../../core/workload/probe/judge-probe";
import type { LaunchSpec, SizeExpression } from "../../../../../core/workload/spec";
import { inFreeSizes, placeOf, specArguments } from "../arguments/argument-layout";
import { goodFit } from "../find-grid";
import type { PlannedArgument } from "../arguments/planned-argument";
import type { ProbeResult } from "./probe-result";
import { type ProbeFacts, guess } from "./probed-tensors";
import type { tableRows } from "./table-rows";

/** The launch that probes have found, with what is told of it. */
export function launchOf(
  result: ProbeResult,
  facts: ProbeFacts,
  rows: ReturnType<typeof tableRows>,
): LaunchSpec {
  const { launch, layout, tied = new Map() } = result;
  const passed = specArguments(layout, result.planned, tied, rows);
  for (const each of result.planned) {
    const why = each.kind === "value" ? whyFixed(each) : undefined;
    if (why !== undefined) guess(facts, `launch.arguments.${placeOf(layout, each.name)}`, why);
  }
  sayCalled(result, facts);
  const common = { arguments: passed, ...instanceOf(result, facts) };
  if (launch.isInText && launch.grid.length === 0) return common;
  // Where its own guards tell the launch, that threads write the same elements is the kernel's doing.
  const own = launch.isBound ? contention(launch.buffers) : 0;
  const explained = launch.misfit - own < goodFit;
  const what = `grid ${launch.grid.join(" × ")}, block ${launch.block.join(" × ")}`;
  if (explained || launch.isInText) {
    facts.origins["launch.grid"] = launch.isInText ? "inferred" : "probed";
    facts.origins["launch.block"] = launch.isInText ? "inferred" : "probed";
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

/** Says which numbers are made up as the quantities that they are called. */
function sayCalled({ planned, layout }: ProbeResult, { unknowns }: ProbeFacts): void {
  const called = planned.flatMap((each) => (each.kind === "value" && each.isMadeUp === "called" ? each : []));
  const [first] = called;
  if (first === undefined) return;
  const values = called.map(({ name, value, of }) => `${name} = ${of ?? value}`).join(", ");
  const sentence = `what numbers are passed is made up, as their names are understood: ${values}. Others may be written.`;
  unknowns.push({ path: `launch.arguments.${placeOf(layout, first.name)}`, sentence });
}

/** What is told of the names of a comment's launch that are no parameters. */
function saidNames({ counts }: ProbeResult["launch"]): ProbeFacts["unknowns"] {
  if (counts.length === 0) return [];
  const [are, any] = counts.length === 1 ? ["is no parameter", "a size"] : ["are no parameters", "sizes"];
  const sentence = `the launch is the one that the text tells; ${counts.join(", ")} ${are} of the kernel and taken for ${any} of its own.`;
  return [{ path: "launch.grid", sentence }];
}

/** Why a number is the same in every shape; undefined where any other would do. */
function whyFixed({
  name,
  value,
  isFixed,
  isMadeUp,
  end,
}: Extract<PlannedArgument, { kind: "value" }>): string | undefined {
  if (isMadeUp === "apart")
    return `${name} = ${value} is a guess: with numbers that are all alike some loop ended at once.`;
  if (isMadeUp === "chosen")
    return `${name} is always ${value}: it is taken for the number of one of a few ways that the code tells apart. Others may be written.`;
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
  const isNamed = launch.isInText && launch.grid.length === 0;
  if (instanceRemark === undefined) return isNamed || instance.length === 0 ? {} : { instance };
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
