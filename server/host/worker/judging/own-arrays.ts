import type { Finding } from "../../../core/judge/verdict";
import { describeFinding } from "../../../core/words/describe";
import type { ResolvedShape } from "../evaluation/case-shapes";
import type { FailedRun } from "../evaluation/failed-run";
import type { BaselineCases } from "./baseline-cases";

/** What a run of a shape says of an access outside of an array of the kernel's own, where there is one. */
export async function leavesOwnArray(
  baseline: BaselineCases,
  shape: ResolvedShape,
  signal: AbortSignal,
): Promise<string | undefined> {
  return (await seenOf(baseline, shape, signal)).find(isOfOwnArray)?.message;
}

/**
 * What a run of a shape finds, with its line, where that is no access out of bounds: how far buffers reach is
 * found by probes.
 */
export async function firstFinding(
  baseline: BaselineCases,
  shape: ResolvedShape,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = await seenOf(baseline, shape, signal);
  return found.some(({ kind }) => kind === "out-of-bounds") ? undefined : found.map(describeFinding)[0];
}

/** Whether a run of a shape ends and nothing is found in it. */
export async function runsClean(
  baseline: BaselineCases,
  shape: ResolvedShape,
  signal: AbortSignal,
): Promise<boolean> {
  const seen = await baseline.withInputs({ shape, variant: "declared" }, signal, async ({ inputs }) => {
    const run = await baseline.session.run({ shape, inputs, counters: false, detectors: true, signal });
    return run.kind === "ran" && run.findings.length === 0;
  });
  return seen === true;
}

async function seenOf(
  baseline: BaselineCases,
  shape: ResolvedShape,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const seen = await baseline.withInputs({ shape, variant: "declared" }, signal, async ({ inputs }) => {
    const run = await baseline.session.run({ shape, inputs, counters: false, detectors: true, signal });
    return run.kind === "ran" ? run.findings : findingsOf(run);
  });
  return "kind" in seen ? findingsOf(seen.failed) : seen;
}

function findingsOf(failed: FailedRun): readonly Finding[] {
  return failed.kind === "did-not-run" ? failed.findings : [];
}

/** An access outside of an array in shared or local memory. */
function isOfOwnArray({ kind, message }: Finding): boolean {
  return kind === "out-of-bounds" && /\b(?:shared|local) memory\b/.test(message);
}
