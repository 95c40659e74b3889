import { oneLine } from "../../base/text";
import type { TriedCandidate } from "../../trajectory/state";
import { describeNanoseconds } from "../../words/quantities";
import { describeScore } from "../../words/score";

/** A judged candidate, of this session or an earlier one, as tables tell of it. */
export type Attempt = Pick<TriedCandidate, "id" | "hypothesis" | "accepted" | "reason" | "verdict">;

const textLength = 160;
/** The share of a table that is for versions worth keeping at most; the rest is for the newest. */
const keptShare = 0.75;

/**
 * The rows that a table has room for, in their order: those that are `wanted`, those that became the best,
 * and the newest of all others.
 */
export function chosenAttempts<Row extends Attempt>(
  attempts: readonly Row[],
  most: number,
  wanted: ReadonlySet<string> = new Set(),
): readonly Row[] {
  if (attempts.length <= most) return attempts;
  const newest = attempts.toReversed();
  const kept = [
    ...newest.filter(({ id }) => wanted.has(id)),
    ...newest.filter(({ id, accepted }) => accepted && !wanted.has(id)),
  ].slice(0, Math.ceil(most * keptShare));
  const others = newest.filter((row) => !kept.includes(row));
  const chosen = new Set([...kept, ...others.slice(0, most - kept.length)]);
  return attempts.filter((row) => chosen.has(row));
}

/** What the judge found, with the time that decides, and why a candidate was dropped. */
export function resultOf({ verdict, accepted, reason }: Attempt): string {
  const found = foundOf(verdict);
  return accepted ? `${found}, became the best` : cellOf(`${found}; ${reason}`);
}

/** The idea in one line, as a cell of a table. */
export function ideaOf({ hypothesis }: Attempt): string {
  return cellOf(hypothesis);
}

function foundOf(verdict: Attempt["verdict"]): string {
  if (verdict.kind === "scored") return describeScore(verdict.score);
  if (verdict.kind !== "correct") return verdict.kind;
  const { nanoseconds, simulatedNanoseconds, binding } = verdict.bound;
  const simulated =
    simulatedNanoseconds === undefined ? "" : `, ${describeNanoseconds(simulatedNanoseconds)} simulated`;
  return `${describeNanoseconds(nanoseconds)} (${binding})${simulated}`;
}

function cellOf(text: string): string {
  return oneLine(text).slice(0, textLength).replaceAll("|", "\\|");
}
