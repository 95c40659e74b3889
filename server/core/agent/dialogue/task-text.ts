import { invariant } from "../../base/assert";
import { known } from "../../base/known";
import { describeSizes } from "../../words/describe";
import { describeBytes, describeCount, describeNanoseconds } from "../../words/quantities";
import type { CorrectVerdict } from "../../judge/verdict";
import type { PromptTexts } from "../../prompts/names";
import { fenced, renderPrompt } from "../../prompts/render";
import { clockGigahertz, commonLimits, limitsOf, modelConstants } from "../../timing/gpu-model";
import { costText, gpuOf } from "./cost-text";
import { counterTable } from "./counter-table";
import { rooflineOf } from "./roofline";
import { memoryText } from "../memory/memory-text";
import type { CorrectCandidate, StrategyContext } from "../strategy";
import { budgetText, feedbackText, verdictText } from "./verdict-text";

const wholeSourceLines = 500;

/**
 * The first message of the user: everything that the model may know about the task. `start`: the version that
 * it works on; its costs, lines and source are shown.
 */
export function taskText(context: StrategyContext, prompts: PromptTexts, start = context.baseline): string {
  const { spec, file, baseline } = context;
  const { verdict } = start;
  const source = known(start.candidate.tree[file], "the kernel's file in a candidate");
  const before = start === baseline ? {} : { before: { id: "baseline", verdict: baseline.verdict } };
  const short = source.split("\n").length <= wholeSourceLines;
  return renderPrompt(prompts["refine-task"], {
    kernel: spec.kernel,
    dialect: spec.dialect,
    file,
    target: verdict.evidence.target,
    editable: context.editable.join(", "),
    budget: budgetText(context.budget),
    spec: fenced(visibleSpec(context)),
    gpu: gpuText(verdict),
    gap: describeNanoseconds(modelConstants.launchGapNanoseconds),
    roofline: rooflineText(context),
    start: start === baseline ? "The baseline" : `You start from ${start.candidate.id}`,
    verdict: verdictText(verdict),
    costs: costText({ spec, baseline: baseline.verdict, verdict, ...before }),
    sizes: describeSizes(verdict.evidence.sizes),
    counters: counterTable(verdict, start.candidate.tree),
    source: short
      ? `The file:\n\n${fenced(source, spec.dialect === "cuda" ? "cuda" : "python")}`
      : "The file is long: read the part around the kernel with `read_file`.",
    past: memoryText(context),
  }).trimEnd();
}

/** The answer to a submitted candidate; `before` was the best one when it was submitted. */
export function verdictNote(context: StrategyContext, before: CorrectCandidate): string {
  const { feedback, budget, spec, baseline } = context;
  invariant(feedback, "a submitted candidate gets feedback before the next proposal is asked for");
  return `${feedbackText(feedback, { spec, baseline, before })}\nBudget left: ${budgetText(budget)}.`;
}

/** One line for each part: short, and as exact as the spec itself. */
function visibleSpec({ spec }: StrategyContext): string {
  const { run, inputs, outputs, shapes, reference, tolerance, objective } = spec;
  const parts = {
    run,
    inputs,
    outputs,
    shapes: shapes.map((shape) => shape.sizes),
    reference,
    tolerance,
    objective,
  };
  return Object.entries(parts)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${name}: ${JSON.stringify(part)}`)
    .join("\n");
}

/** What one has to know of the GPU to fill it. */
function gpuText(verdict: CorrectVerdict): string {
  const gpu = gpuOf(verdict);
  const limits = limitsOf(`sm_${gpu.capability.replace(".", "")}`);
  const { registersPerSm, registersPerThread, threadsPerBlock } = commonLimits;
  const rates = Object.entries(limits.rates).map(([pipe, lanes]) => `${pipe} ${lanes}`);
  return [
    `${gpu.name}: ${gpu.multiprocessors} multiprocessors at ${clockGigahertz(gpu).toFixed(2)} GHz, DRAM ${gpu.memoryGigabytesPerSecond} GB/s, L2 ${gpu.secondLevelMegabytes} MiB, ${gpu.floatTeraflops} TFLOPS in fp32 and ${gpu.tensorTeraflops} on the tensor cores in 16 bits.`,
    `Each multiprocessor: ${limits.warpsPerSm} warps and ${limits.blocksPerSm} blocks at once, ${registersPerSm} registers, ${describeBytes(limits.sharedBytesPerSm)} of shared memory, lanes a clock: ${rates.join(", ")}.`,
    `Each block: ${threadsPerBlock} threads, ${registersPerThread} registers a thread, ${describeBytes(limits.sharedBytesPerBlock)} of shared memory, above ${describeBytes(commonLimits.staticSharedBytes)} by cudaFuncSetAttribute.`,
  ].join(" ");
}

function rooflineText({ spec, baseline }: StrategyContext): string {
  const { verdict } = baseline;
  const least = rooflineOf(spec, verdict, gpuOf(verdict));
  const time = describeNanoseconds;
  const work =
    least.operations === 0
      ? "The baseline does no floating-point operations."
      : `The baseline does ${describeCount(least.operations)} floating-point operations: ${time(least.plainNanoseconds)} on the fp32 units at their peak, ${time(least.tensorNanoseconds)} on the tensor cores in 16 bits.`;
  return `${describeBytes(least.bytes)} to read and to write once: ${time(least.memoryNanoseconds)} over DRAM. ${work} One wait for memory is ${time(modelConstants.memoryLatencyNanoseconds)}, so that the floor is ${time(least.floorNanoseconds)}.`;
}
