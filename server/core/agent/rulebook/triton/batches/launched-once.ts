import { modelConstants } from "../../../../timing/gpu-model";
import { evidenceFor } from "../../evidence";
import type { RuleInput } from "../../rule";

/** How often the kernel is launched. */
export function timesOf({ launches = [] }: RuleInput): number {
  return launches.reduce((sum, { times }) => sum + times, 0);
}

/** What one launch in the place of many would gain: the gaps between them. */
export function launchedOnce(
  input: RuleInput,
  entry: Parameters<typeof evidenceFor>[0],
  { line, times }: { readonly line: number; readonly times: number },
): { readonly gain: number; readonly evidence: ReturnType<typeof evidenceFor> } {
  const gap = modelConstants.launchGapNanoseconds * (times - 1);
  const gain = Math.min(1 - 1 / times, gap / Math.max(gap, input.bound.nanoseconds));
  const facts = { file: input.file, line, counter: "instructions" as const };
  return { gain, evidence: evidenceFor(entry, { ...facts, value: times, ideal: 1 }) };
}
