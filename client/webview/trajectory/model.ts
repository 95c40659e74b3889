import { describeNanoseconds } from "../../../server/core/words/quantities";
import type { StepKind, TimelineStep } from "../../../server/core/trajectory/timeline/step";
import type { StepLabel } from "../../../server/protocol/timeline-views";
import type { CandidateView, SessionView } from "../../../server/protocol/views";
import { keptIds, shownTime } from "../common/candidates";

/** What the user looks for. */
export interface Filter {
  /** Words that must all occur in a row, whatever their case; empty for every row. */
  readonly words: string;
  /** Kinds that are left out. */
  readonly hidden: ReadonlySet<StepKind>;
  /** Only rows with a label. */
  readonly labelled: boolean;
}

/** Rows that pass the filter, in their order. Labels are searched as well. */
export function shownSteps(
  steps: readonly TimelineStep[],
  { words, hidden, labelled }: Filter,
  labels: ReadonlyMap<number, StepLabel>,
): readonly TimelineStep[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return steps.filter((step) => {
    const label = labels.get(step.seq);
    if (hidden.has(step.kind) || (labelled && label === undefined)) return false;
    if (wanted.length === 0) return true;
    const text = [step.seq, step.title, step.text, step.candidate, label?.tag, label?.note]
      .join(" ")
      .toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** What a row says first; of a judged candidate with the time that its session shows. */
export function titleOf(step: TimelineStep, session: Pick<SessionView, "timeKind">): string {
  const time = shownTime(step, session);
  if (step.judged === undefined) return step.title;
  if (time === undefined) return step.judged;
  return `${step.judged}: ${describeNanoseconds(time)}`;
}

/** What is said to somebody who hears the page: the newest verdict, or the end, once all rows are there. */
export function newsOf(
  steps: readonly TimelineStep[],
  total: number,
  session: Pick<SessionView, "timeKind">,
): string {
  if (steps.length < total) return "";
  const newest = steps.findLast(
    ({ judged, ends, kind }) => judged !== undefined || ends === true || kind === "problem",
  );
  return newest === undefined ? "" : titleOf(newest, session);
}

/** A judged candidate on the chart. */
export interface ChartPoint {
  readonly seq: number;
  readonly candidate: string;
  /** As its session shows times, in nanoseconds. */
  readonly time: number;
  /** The least time of what was accepted up to here. */
  readonly best: number;
}

/** Correct candidates in the order in which they were judged, with the best so far. */
export function chartPoints(
  steps: readonly TimelineStep[],
  session: Pick<SessionView, "candidates" | "timeKind">,
): readonly ChartPoint[] {
  const kept = keptIds(session.candidates);
  let best = Infinity;
  return steps.flatMap((step) => {
    const { seq, candidate } = step;
    const time = shownTime(step, session);
    if (candidate === undefined || time === undefined) return [];
    if (kept.has(candidate) || best === Infinity) best = Math.min(best, time);
    return [{ seq, candidate, time, best }];
  });
}

/** A candidate in the tree of descent. */
export interface LineageRow {
  readonly candidate: CandidateView;
  /** 0 for one without a parent. */
  readonly depth: number;
}

/**
 * Every candidate once, each behind its parent and its earlier sisters. One whose parent is not there (a
 * damaged log), or that descends from itself, stands at the top.
 */
export function lineage(candidates: readonly CandidateView[]): readonly LineageRow[] {
  const known = new Set(candidates.map(({ id }) => id));
  const children = new Map<string, CandidateView[]>();
  const roots: CandidateView[] = [];
  for (const candidate of candidates) {
    const { parent } = candidate;
    if (parent === undefined || !known.has(parent)) roots.push(candidate);
    else children.set(parent, [...(children.get(parent) ?? []), candidate]);
  }
  const rows: LineageRow[] = [];
  const placed = new Set<string>();
  const place = (candidate: CandidateView, depth: number): void => {
    if (placed.has(candidate.id)) return;
    placed.add(candidate.id);
    rows.push({ candidate, depth });
    for (const child of children.get(candidate.id) ?? []) place(child, depth + 1);
  };
  for (const root of roots) place(root, 0);
  for (const candidate of candidates) place(candidate, 0);
  return rows;
}

/** Rows that are made above and below those in sight. */
export const rowMargin = 10;

/** Rows of a list of rows of equal height that the user sees, with some more on both sides. */
export function visibleRange(
  view: { readonly top: number; readonly height: number; readonly row: number },
  count: number,
): { readonly from: number; readonly to: number } {
  const first = Math.floor(view.top / view.row) - rowMargin;
  const last = Math.ceil((view.top + view.height) / view.row) + rowMargin;
  return { from: Math.max(0, Math.min(first, count)), to: Math.max(0, Math.min(last, count)) };
}
