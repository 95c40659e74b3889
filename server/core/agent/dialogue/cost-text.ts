import type { CompiledFacts, CorrectVerdict, JudgedLaunch, ModelledBound } from "../../judge/verdict";
import { launchOccupancy, termOf } from "../../timing/bound";
import { type GpuModel, gpuOfTarget } from "../../timing/gpu-model";
import { parseTarget } from "../../timing/target";
import { describeShape } from "../../words/describe";
import { termNames } from "../../words/names/bound-words";
import { simulatedLimitWords } from "../../words/names/bound-words";
import { describeBytes, describeNanoseconds, describeShare, plural } from "../../words/quantities";
import type { KernelSpec } from "../../workload/spec";
import {
  type Roofline,
  isAtFloor,
  isBoundAtFloor,
  isLaunchAtFloor,
  operationsNanoseconds,
  profiledBound,
  rooflineOf,
} from "./roofline";

const launchesAtMost = 8;

/** A correct version and what it is compared with. */
interface ComparedCosts {
  readonly spec: KernelSpec;
  /** The first version that is correct: what its task takes at least. */
  readonly first: CorrectVerdict;
  readonly verdict: CorrectVerdict;
  /** Left out for the first version itself. */
  readonly before?: { readonly id: string; readonly verdict: CorrectVerdict };
}

/** The GPU that stands for the target of a verdict. */
export function gpuOf({ evidence }: CorrectVerdict): GpuModel {
  return gpuOfWritten(evidence.target);
}

/** The GPU that stands for a target as it is written: `vgpu:sm_80`. */
export function gpuOfWritten(target: string): GpuModel {
  const read = parseTarget(target);
  if (!read.ok) throw new RangeError(read.problem);
  return gpuOfTarget(read.value);
}

/** What the number is made of, how far it is from the least, and how the launches fill the GPU. */
export function costText(costs: ComparedCosts): string {
  const { verdict, before, first, spec } = costs;
  const gpu = gpuOf(verdict);
  const roofline = rooflineOf(spec, first, gpu);
  return [
    boundLine(verdict, before?.verdict),
    floorLine(verdict, roofline),
    `Terms in ns${before ? `, ${before.id} → now` : ""}: ${termsText(verdict.bound, before?.verdict.bound)}.`,
    ...shapeLines(verdict, before?.verdict),
    ...launchLines("Launches", verdict, gpu),
    ...(before ? launchLines(`Launches of ${before.id}`, before.verdict, gpu) : []),
    compilerLine(verdict.facts, before?.verdict.facts),
  ].join("\n");
}

function boundLine({ bound }: CorrectVerdict, before: CorrectVerdict | undefined): string {
  const change = before ? `${describeNanoseconds(before.bound.nanoseconds)} → ` : "";
  const binds = before && before.bound.binding !== bound.binding ? `${before.bound.binding} → ` : "";
  return `Modelled bound on ${bound.gpu}: ${change}${describeNanoseconds(bound.nanoseconds)}. What binds: ${binds}${bound.binding}.${simulatedText(bound, before?.bound)}`;
}

/** Time by simulation of the machine code, which decides between versions where it differs clearly. */
function simulatedText(bound: ModelledBound, before: ModelledBound | undefined): string {
  const [now, then] = [bound.simulatedNanoseconds, before?.simulatedNanoseconds];
  if (now === undefined) return "";
  const change = then === undefined ? "" : `${describeNanoseconds(then)} → `;
  const role =
    bound.fillsGpu === false
      ? "told and decides nothing, since launches do not fill the GPU"
      : "which decides where it differs by a fifth";
  return ` Simulated time of the machine code, ${role}: ${change}${describeNanoseconds(now)}.${limitText(bound)}`;
}

function limitText(bound: ModelledBound): string {
  const limit = simulatedLimitWords(bound);
  return limit === undefined
    ? ""
    : ` Most of it is spent on ${limit}, which the terms of the bound do not show.`;
}

function floorLine(verdict: CorrectVerdict, roofline: Roofline): string {
  const bound = profiledBound(verdict);
  const floor = `the memory floor is ${describeNanoseconds(roofline.floorNanoseconds)} (${describeBytes(roofline.bytes)} at least over DRAM, and one wait for memory)`;
  const sizes = describeShape({ sizes: verdict.evidence.sizes });
  if (isAtFloor(bound, roofline))
    return `At the floor on ${sizes}: ${floor}. No rewrite can lower the bound of this shape further.`;
  if (isBoundAtFloor(bound, roofline))
    return `The bound is at its floor on ${sizes}: ${floor}. The simulated time is not: a version with less of it wins.`;
  if (isLaunchAtFloor(bound, roofline))
    return `A launch is at its floor on ${sizes}: ${floor}. The gaps between launches of the program, ${describeNanoseconds(roofline.gapNanoseconds)} each, are not: fewer launches win.`;
  const times = Number((bound.nanoseconds / roofline.floorNanoseconds).toPrecision(3));
  return `On ${sizes} ${floor}: this is ${times} times as much.${operationsText(roofline)}`;
}

/** What as many operations as those of the first correct version take, where that is above the floor. */
function operationsText(roofline: Roofline): string {
  const least = operationsNanoseconds(roofline);
  if (least <= roofline.floorNanoseconds) return "";
  return ` That floor leaves operations out: as many as the first correct version does take ${describeNanoseconds(least)} on the ${roofline.units} at their peak, and no less without fewer of them.`;
}

/** Every term that says something, the greatest first, with what it was before. */
function termsText(bound: ModelledBound, before: ModelledBound | undefined): string {
  const value = (of: ModelledBound, name: string): number => Number(termOf(of, name).toPrecision(3));
  return [...termNames(bound, ...(before ? [before] : []))]
    .sort((a, b) => value(bound, b) - value(bound, a))
    .map((name) => `${name} ${before ? `${value(before, name)} → ` : ""}${value(bound, name)}`)
    .join(", ");
}

/** What each shape of the objective costs, where there are several. */
function shapeLines(
  { shapeBounds = [] }: CorrectVerdict,
  before: CorrectVerdict | undefined,
): readonly string[] {
  if (shapeBounds.length < 2) return [];
  const lines = shapeBounds.map(({ sizes, weight, bound }, index) => {
    const was = before?.shapeBounds?.[index];
    const change = was ? `${describeNanoseconds(was.bound.nanoseconds)} → ` : "";
    return `- ${describeShape({ sizes })}: ${change}${describeNanoseconds(bound.nanoseconds)} (${bound.binding}), weight ${weight}`;
  });
  return [`Shapes of the objective:`, ...lines];
}

function launchLines(title: string, { launches = [] }: CorrectVerdict, gpu: GpuModel): readonly string[] {
  if (launches.length === 0) return [];
  const shown = launches.slice(0, launchesAtMost).map((launch) => `- ${launchText(launch, gpu)}`);
  const left = launches.length - shown.length;
  return [`${title}:`, ...shown, ...(left > 0 ? [`- and ${plural(left, "other shape")} of launches`] : [])];
}

/**
 * `k: 64 blocks of 256 threads (2 times), 40 registers, 8 KiB shared; 5 blocks on a multiprocessor, occupancy
 * 62% (registers); 44 of 108 multiprocessors idle; 12.8 µs (issue)`.
 */
function launchText(launch: JudgedLaunch, gpu: GpuModel): string {
  const { blocks, threadsPerBlock, registersPerThread, sharedBytes, times, bound } = launch;
  const { blocksPerSm, fraction, limiter } = launchOccupancy(launch, gpu);
  return [
    `${launch.kernel === undefined ? "" : `${launch.kernel}: `}${plural(blocks, "block")} of ${plural(threadsPerBlock, "thread")}${times > 1 ? ` (${times} launches)` : ""}, ${registersPerThread} registers, ${describeBytes(sharedBytes)} shared`,
    `${plural(blocksPerSm, "block")} on a multiprocessor at once, occupancy ${describeShare(fraction)} (limited by ${limiter})`,
    fillText(blocks, Math.max(1, blocksPerSm), gpu.multiprocessors),
    `${describeNanoseconds(bound.nanoseconds)} (${bound.binding})`,
  ].join("; ");
}

/** How the blocks fill the GPU: idle multiprocessors, or rounds and how full the last one is. */
function fillText(blocks: number, blocksPerSm: number, multiprocessors: number): string {
  if (blocks < multiprocessors)
    return `${multiprocessors - blocks} of ${multiprocessors} multiprocessors idle`;
  const each = blocks / multiprocessors;
  const busiest = Math.ceil(each);
  const rounds = Math.ceil(blocks / (blocksPerSm * multiprocessors));
  return `${plural(rounds, "round")} of blocks, the busiest multiprocessor has ${busiest} (${describeShare(each / busiest)} of the GPU used)`;
}

/** Registers, spills and static shared memory of each kernel, with what they were. */
function compilerLine(facts: readonly CompiledFacts[], before: readonly CompiledFacts[] = []): string {
  const kernels = facts.map((each) => {
    const was = before.find(({ kernel }) => kernel === each.kernel) ?? each;
    const part = (now: number, old: number): string => (now === old ? `${now}` : `${old} → ${now}`);
    return `${each.kernel}: ${part(each.registers, was.registers)} registers, ${part(spillsOf(each), spillsOf(was))} bytes spilled, ${part(each.sharedBytes, was.sharedBytes)} bytes of static shared memory`;
  });
  return `Compiler: ${kernels.join("; ") || "nothing"}.`;
}

function spillsOf({ spillStoreBytes, spillLoadBytes }: CompiledFacts): number {
  return spillStoreBytes + spillLoadBytes;
}
