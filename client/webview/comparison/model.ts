import { describeNanoseconds } from "../../../server/core/words/quantities";
import type { TimelineStep } from "../../../server/core/trajectory/timeline/step";
import type { SessionView } from "../../../server/protocol/views";
import { isKept, keptIds, shownTime, timeWords } from "../common/candidates";
import { clockText } from "../common/clock-text";
import { t } from "../common/localized";
import { runEnd } from "../common/run-end";
import { statusWord } from "../common/status-words";

/** One of the two sessions that are compared. */
export interface ComparedSession {
  readonly session: SessionView;
  /** All events. */
  readonly steps: readonly TimelineStep[];
}

/** The best modelled time of a session from one moment on. */
export interface CurvePoint {
  /** Milliseconds since the session began. */
  readonly at: number;
  /** Nanoseconds. */
  readonly best: number;
}

/**
 * The best time so far: the baseline's first, then after each accepted candidate that is better than all
 * before it, and once more at the end of the session. A candidate that was dropped does not count.
 */
export function bestCurve({ session, steps }: ComparedSession): readonly CurvePoint[] {
  const counted = keptIds(session.candidates);
  const curve: CurvePoint[] = [];
  for (const step of steps) {
    const time = shownTime(step, session);
    const { at, candidate } = step;
    if (time === undefined || candidate === undefined || !counted.has(candidate)) continue;
    const before = curve.at(-1);
    if (before === undefined || time < before.best) curve.push({ at, best: time });
  }
  const [last, end] = [curve.at(-1), runEnd(session.status, steps)];
  return last === undefined || end === undefined || end <= last.at
    ? curve
    : [...curve, { at: end, best: last.best }];
}

/** A row of the table: what is compared, and each session's value in words. */
interface ComparedRow {
  readonly title: string;
  readonly values: readonly string[];
}

/** Outcome, gain, candidates and cost of each session. */
export function comparedRows(sessions: readonly ComparedSession[]): readonly ComparedRow[] {
  const columns = sessions.map(columnOf);
  return [...(columns[0]?.keys() ?? [])].map((title) => ({
    title,
    values: columns.map((column) => column.get(title) ?? ""),
  }));
}

function columnOf(compared: ComparedSession): ReadonlyMap<string, string> {
  const { session, steps } = compared;
  const { candidates } = session;
  const curve = bestCurve(compared);
  const [first, last] = [curve[0], curve.at(-1)];
  const tried = candidates.filter(({ parent }) => parent !== undefined);
  const spent = steps.findLast(({ usd }) => usd !== undefined)?.usd;
  const percent = first && last ? Math.round((last.best / first.best - 1) * 100) : 0;
  return new Map([
    [t("Kernel"), t("{0} in {1}", session.kernel, session.file)],
    [t("Outcome"), statusWord(session.status)],
    [t("Reason"), session.reason],
    [t("Target"), session.target],
    [t("Strategy"), session.strategy],
    [t("What is compared"), timeWords(session)],
    [t("Baseline, modelled"), first ? describeNanoseconds(first.best) : t("no correct baseline")],
    [t("Best, modelled"), last ? describeNanoseconds(last.best) : t("none")],
    [t("Change"), first && last ? `${percent < 0 ? "−" : "+"}${Math.abs(percent)}%` : t("unknown")],
    [t("Candidates"), String(tried.length)],
    [t("Accepted"), String(tried.filter(isKept).length)],
    [t("Spent on models"), spent === undefined ? t("nothing, or not known") : `$${spent.toFixed(4)}`],
    [t("Time"), clockText(runEnd(session.status, steps) ?? 0)],
    [t("Events"), String(steps.length)],
  ]);
}
