import type { SourceTree } from "../../../core/judge/candidate";
import type { OracleJudgement } from "../evaluation/oracle-session";
import { areClose, summedExactly } from "../judging/rounding";
import type { ContentJudge } from "./content-judge";
import { type Matched, matchContents } from "./last-contents";
import type { ProgramRan, ProgramRuns } from "./program-run";

/** A candidate's program beside the one as it was. */
interface Compared {
  readonly before: ProgramRan;
  readonly now: ProgramRan;
  readonly about: Parameters<typeof matchContents>[2];
  readonly baseline: SourceTree;
  readonly runs: ProgramRuns;
  readonly contents: ContentJudge;
  readonly signal: AbortSignal;
}

/** A program that is right for the sums of the original without rounding. */
interface Summed {
  readonly judged: OracleJudgement;
  readonly original: ProgramRan;
  readonly matched: Matched;
  readonly remarks: readonly string[];
}

/**
 * What is right for the original's atomic sums without rounding, where its own are near but not equal.
 * Undefined where that says nothing for the candidate.
 */
export async function againstExactSums(
  { mismatch }: OracleJudgement,
  { before, now, about, baseline, runs, contents, signal }: Compared,
): Promise<Summed | undefined> {
  if (mismatch === undefined || !areClose(mismatch)) return undefined;
  const exact = await runs.run(baseline, signal, { exactSums: true, plain: true });
  if (exact.kind !== "ran") return undefined;
  const [sums, own] = [exact, before].map((ran) =>
    matchContents(ran.outcome.program.lastContents, now.outcome.program.lastContents, about),
  );
  if (sums?.ok !== true || own?.ok !== true) return undefined;
  const pairs = sums.value.pairs.map((pair, index) => ({
    ...pair,
    rounded: own.value.pairs[index]?.before.content ?? pair.before.content,
  }));
  const matched = { ...sums.value, pairs };
  const judged = await contents.judge(matched, signal);
  return judged?.passed === true ? { judged, original: exact, matched, remarks: [summedExactly] } : undefined;
}
