import type { SourceTree } from "../../../core/judge/candidate";
import type { OracleJudgement } from "../evaluation/oracle-session";
import { mayTakeTurns } from "../judging/thread-order";
import { type ContentPair, type Matched, matchContents } from "./last-contents";
import type { ProgramRuns } from "./program-run";

/** What the original leaves where its blocks start from the last, by what it leaves else. */
export type Reordered = ReadonlyMap<ContentPair["before"], Uint8Array>;

/** The original, and what was matched with what its kernels leave. */
interface Compared {
  readonly baseline: SourceTree;
  readonly contents: readonly ContentPair["before"][];
  readonly about: Parameters<typeof matchContents>[2];
  readonly paired: Matched;
}

/**
 * The judgement of what was matched; where it is wrong, with what the original leaves in another order of its
 * blocks.
 */
export async function judgedInAnyOrder(
  runs: ProgramRuns,
  compared: Compared,
  {
    judge,
    signal,
  }: {
    readonly judge: (reordered?: Reordered) => Promise<OracleJudgement | undefined>;
    readonly signal: AbortSignal;
  },
): Promise<OracleJudgement | undefined> {
  const plain = await judge();
  if (plain?.passed !== false || compared.paired.shownAlone) return plain;
  const reordered = await reorderedContents(runs, compared, signal);
  return reordered === undefined ? plain : judge(reordered);
}

/** Undefined where no thread learns which others came before it, or the two orders cannot be matched. */
async function reorderedContents(
  runs: ProgramRuns,
  { baseline, contents, about }: Compared,
  signal: AbortSignal,
): Promise<Reordered | undefined> {
  if (!mayTakeTurns(baseline)) return undefined;
  const ran = await runs.run(baseline, signal, { blocks: "descending", plain: true });
  if (ran.kind !== "ran") return undefined;
  const matched = matchContents(contents, ran.outcome.program.lastContents, about);
  if (!matched.ok || matched.value.shownAlone) return undefined;
  return new Map(matched.value.pairs.map(({ before, now }) => [before, now.content]));
}
