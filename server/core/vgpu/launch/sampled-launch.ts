import type { LaunchSample } from "../../timing/execution/launch-model";
import type { Sharing } from "../../timing/sample/representative";
import type { CompiledKernel } from "../compile-kernel";
import { launch } from "./launch";
import { countRepresentative, type SampleBudget } from "./representative";
import type { LaunchOutcome, LaunchRequest } from "./state/types";

type Completed = Extract<LaunchOutcome, { kind: "completed" }>;

/** Which launches are counted in part, and how large that part is, in warp-level instructions. */
export interface SampleLimits {
  /** Of a launch that is counted whole, and of one with few blocks. */
  readonly whole: number;
  readonly wholeOfFew: number;
  /** Of the sample; as large as for a simulation when left out. */
  readonly budget?: SampleBudget;
}

/** A counted launch of which some blocks ran, or all. */
export type SampledOutcome = Completed & { readonly sharing?: Sharing; readonly sample?: LaunchSample };

/** Few blocks differ more, so that a part of them says little of the others. */
const fewBlocks = 256;
/** For a simulation of each launch: some seconds for the largest. */
const simulatedLimits: SampleLimits = { whole: 10_000_000, wholeOfFew: 20_000_000 };

/** Warp-level instructions that a launch may take to be counted whole. */
export function wholeLimit([x, y, z]: LaunchRequest["grid"], limits: SampleLimits): number {
  return x * y * z <= fewBlocks ? limits.wholeOfFew : limits.whole;
}

/**
 * Counts a launch whole where that takes no longer than the limits say, else by representative blocks. What a
 * sampled launch leaves in memory is of no use. For kernels compiled with counters.
 */
export function sampledLaunch(
  kernel: CompiledKernel,
  request: LaunchRequest,
  limits: SampleLimits = simulatedLimits,
): LaunchOutcome | SampledOutcome {
  const instructionBudget = Math.min(request.instructionBudget, wholeLimit(request.grid, limits));
  const whole = launch(kernel, { ...request, instructionBudget });
  if (whole.kind !== "budget-exceeded" || instructionBudget === request.instructionBudget) return whole;
  return sampleOnly(kernel, request, limits);
}

/** Counts a launch by representative blocks. */
export function sampleOnly(
  kernel: CompiledKernel,
  request: LaunchRequest,
  { budget }: SampleLimits,
): LaunchOutcome | SampledOutcome {
  const [x, y, z] = request.grid;
  const blocks = x * y * z;
  const counted = countRepresentative(kernel, request, budget);
  if (counted.kind !== "counted") return counted;
  const { counters, countedBlocks, sharing, executed, error } = counted.result;
  return {
    kind: "completed",
    counters,
    findings: [],
    warpInstructions: Math.round((counters.totals.instructions * countedBlocks) / blocks),
    ...(sharing && { sharing }),
    ...(executed && { executed }),
    ...(countedBlocks < blocks && { sample: { blocks: countedBlocks, of: blocks, error } }),
  };
}
