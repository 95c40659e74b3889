import { candidateName } from "../../../judge/candidate";
import { clockGigahertz, commonLimits, limitsOf, modelConstants } from "../../../timing/gpu-model";
import { describeBytes, describeCount, describeNanoseconds } from "../../../words/quantities";
import type { CorrectCandidate, StrategyContext } from "../../strategy";
import { gpuOf, gpuOfWritten } from "../cost-text";
import { rooflineOf } from "../roofline";

/** What one has to know of the GPU to fill it. */
export function gpuText(target: string): string {
  const gpu = gpuOfWritten(target);
  const limits = limitsOf(`sm_${gpu.capability.replace(".", "")}`);
  const { registersPerSm, registersPerThread, threadsPerBlock } = commonLimits;
  const rates = Object.entries(limits.rates).map(([pipe, lanes]) => `${pipe} ${lanes}`);
  return [
    `${gpu.name}: ${gpu.multiprocessors} multiprocessors at ${clockGigahertz(gpu).toFixed(2)} GHz, DRAM ${gpu.memoryGigabytesPerSecond} GB/s, L2 ${gpu.secondLevelMegabytes} MiB, ${gpu.floatTeraflops} TFLOPS in fp32 and ${gpu.tensorTeraflops} on the tensor cores in 16 bits.`,
    `Each multiprocessor: ${limits.warpsPerSm} warps and ${limits.blocksPerSm} blocks at once, ${registersPerSm} registers, ${describeBytes(limits.sharedBytesPerSm)} of shared memory, lanes a clock: ${rates.join(", ")}.`,
    `Each block: ${threadsPerBlock} threads, ${registersPerThread} registers a thread, ${describeBytes(limits.sharedBytesPerBlock)} of shared memory, above ${describeBytes(commonLimits.staticSharedBytes)} by cudaFuncSetAttribute.`,
  ].join(" ");
}

/** The least that the task takes, whatever version does it. */
export function rooflineText({ spec }: StrategyContext, { candidate, verdict }: CorrectCandidate): string {
  const name = candidateName(candidate.id);
  const does = `${name.charAt(0).toUpperCase()}${name.slice(1)} does`;
  const least = rooflineOf(spec, verdict, gpuOf(verdict));
  const time = describeNanoseconds;
  const work =
    least.operations === 0
      ? `${does} no floating-point operations.`
      : `${does} ${describeCount(least.operations)} floating-point operations: ${time(least.plainNanoseconds)} on the fp32 units at their peak, ${time(least.tensorNanoseconds)} on the tensor cores in 16 bits.`;
  return `${describeBytes(least.bytes)} to read and to write once: ${time(least.memoryNanoseconds)} over DRAM. ${work} One wait for memory is ${time(modelConstants.memoryLatencyNanoseconds)}, so that the memory floor is ${time(least.floorNanoseconds)}; how many operations the task needs is not known.`;
}
