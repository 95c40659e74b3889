import { retold, t } from "../../../core/base/localized";
import { candidateName } from "../../../core/words/names/names";
import type { ProgressView } from "../../../protocol/views";
import type { CandidateRecord, SessionState } from "../../../core/trajectory/reduce";
import { shownTimeKind, timeOfKind } from "../../../core/trajectory/proposal/shown-time";
import { baselineId } from "../../../core/trajectory/state";
import { allTokens } from "../../../core/trajectory/usage";
import { describeCount, describeMinutes, plural } from "../../../core/words/quantities";
import { candidateFigures } from "./convert-candidate";

/** Characters of a row that stand for the score over time. */
const sparkWidth = 16;
const blocks = "▁▂▃▄▅▆▇█";
/** Characters of the model's last answer that a row shows. */
const wordsLength = 200;

/**
 * How far a run has come, as its row shows it. Of one that ended without a word, its events say that
 * something goes on: `isRunning` tells.
 */
export function toProgressView(state: SessionState, isRunning: boolean): ProgressView {
  const best = state.candidates.find(({ id }) => id === (state.best ?? baselineId));
  const figure = best && candidateFigures(state.candidates)(best);
  return {
    ...(figure === undefined ? {} : { figure }),
    scores: sparkline(scoresOf(state.candidates)),
    stage: isRunning ? stageOf(state) : "",
    spent: spentTexts(state),
    ...(isRunning && timeLeft(state)),
    lastWords: lastWordsOf(state),
    began: state.began,
    ...(state.ended === undefined ? {} : { ended: state.ended }),
  };
}

/** The least modelled time after each verdict, the baseline's first, in nanoseconds. */
function scoresOf(candidates: readonly CandidateRecord[]): readonly number[] {
  const kind = shownTimeKind(candidates);
  const scores: number[] = [];
  for (const { id, accepted, verdict } of candidates) {
    const before = scores.at(-1);
    if (verdict?.kind === "correct" && (id === baselineId || accepted))
      scores.push(timeOfKind(verdict, kind) ?? verdict.bound.nanoseconds);
    else if (before !== undefined && verdict !== null) scores.push(before);
  }
  return scores;
}

/**
 * Values as block characters, relative to the greatest; the newest where there are too many. Empty for one.
 */
export function sparkline(values: readonly number[]): string {
  if (values.length < 2) return "";
  const most = Math.max(...values);
  const heightOf = (value: number): number => Math.round((value / most) * (blocks.length - 1));
  return values
    .slice(-sparkWidth)
    .map((value) => blocks.charAt(most > 0 ? heightOf(value) : 0))
    .join("");
}

/** What is done with a version, in this order. */
const doing = {
  compile: "compiling",
  check: "checking",
  profile: "profiling",
} as const;

/** `▰▰▱`: how far a version has come. */
function stageBar(kind: keyof typeof doing): string {
  const kinds = Object.keys(doing);
  const done = kinds.indexOf(kind) + 1;
  return "▰".repeat(done) + "▱".repeat(kinds.length - done);
}

/** What goes on now: the model is asked, a tool runs, or a candidate is judged. */
function stageOf({ jobs, openRequests, openCalls, usedTool, task }: SessionState): string {
  const job = jobs.at(-1);
  if (job !== undefined)
    return `${stageBar(job.kind)} ${retold(doing[job.kind])} ${candidateName(job.candidate)}`;
  if (openRequests.length > 0) return t`asking ${task?.model ?? t`the model`}`;
  return openCalls.length === 0 ? "" : t`using ${usedTool ?? t`a tool`}`;
}

/** As of the last count; who shows it knows how long ago that was. */
function timeLeft({ limits, used, usedAt }: SessionState): Pick<ProgressView, "timeLeft"> {
  if (limits === undefined) return {};
  return {
    timeLeft: { minutes: Math.max(0, limits.minutes - used.minutes), of: limits.minutes, asOf: usedAt },
  };
}

/** `7 of 24 candidates`, `12,300 tokens`, `0.92 of 1 US dollars left`. */
function spentTexts(state: SessionState): readonly string[] {
  const { candidates, limits, used, usage, task } = state;
  const tried = candidates.filter(({ id }) => id !== baselineId).length;
  const count =
    limits === undefined
      ? plural(tried, "candidate")
      : t`${tried} of ${plural(limits.candidates, "candidate")}`;
  if (limits === undefined) return [count];
  const run = [count, ...gpuText(state)];
  if (task?.model === undefined) return run;
  // Earlier versions did not count them with the rest of the budget.
  const tokens = describeCount(used.tokens ?? allTokens(usage));
  const left = Math.max(0, limits.usd - used.usd);
  return [
    ...run,
    limits.tokens === undefined
      ? t`${tokens} tokens`
      : t`${tokens} of ${describeCount(limits.tokens)} tokens`,
    t`${Number(left.toFixed(4))} of ${limits.usd} US dollars left`,
  ];
}

/** `2 min of the GPU`, `2 min of 5 min of the GPU`, where one is held or its time is limited. */
function gpuText({ limits, used }: SessionState): readonly string[] {
  const limit = limits?.gpuMinutes;
  if (limit === undefined && used.gpuMinutes === undefined) return [];
  const held = describeMinutes(used.gpuMinutes ?? 0);
  return [limit === undefined ? t`${held} of the GPU` : t`${held} of ${describeMinutes(limit)} of the GPU`];
}

/** The beginning of the newest answer of the model that has words, on one line. */
function lastWordsOf({ lastWords }: SessionState): string {
  const words = lastWords.replace(/\s+/g, " ").trim();
  return words.length > wordsLength ? `${words.slice(0, wordsLength - 1)}…` : words;
}
