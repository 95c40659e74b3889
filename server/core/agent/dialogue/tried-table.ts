import { oneLine } from "../../base/text";
import { describeNanoseconds } from "../../words/quantities";
import { describeScore } from "../../words/score";
import type { VerdictSummary } from "../../judge/verdict-summary";
import type { TriedCandidate } from "../../trajectory/state";
import type { StrategyContext } from "../strategy";

const rowsAtMost = 40;
const hypothesisLength = 160;

/** What was tried in this session and what it did, one row for each candidate, the newest last. */
export function triedTable({ candidates }: Pick<StrategyContext, "candidates">): string {
  if (candidates.length === 0) return "Nothing was tried yet.";
  const shown = candidates.slice(-rowsAtMost);
  const left = candidates.length - shown.length;
  const head = ["| candidate | made from | what it did | idea |", "| --- | --- | --- | --- |"];
  const more = left > 0 ? [`(${left} older candidates are left out)`] : [];
  return [...more, ...head, ...shown.map(rowOf)].join("\n");
}

function rowOf({ id, parent = "", hypothesis, verdict, accepted }: TriedCandidate): string {
  const result = `${resultOf(verdict)}${accepted ? ", became the best" : ""}`;
  const idea = oneLine(hypothesis).slice(0, hypothesisLength).replaceAll("|", "\\|");
  return `| ${id} | ${parent} | ${result} | ${idea} |`;
}

function resultOf(verdict: VerdictSummary): string {
  if (verdict.kind === "scored") return describeScore(verdict.score);
  if (verdict.kind !== "correct") return verdict.kind;
  const { nanoseconds, simulatedNanoseconds, binding } = verdict.bound;
  const simulated =
    simulatedNanoseconds === undefined ? "" : `, ${describeNanoseconds(simulatedNanoseconds)} simulated`;
  return `${describeNanoseconds(nanoseconds)} (${binding})${simulated}`;
}
