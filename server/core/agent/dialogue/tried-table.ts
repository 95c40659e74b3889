import { chosenAttempts, ideaOf, resultOf } from "../memory/attempts";
import type { TriedCandidate } from "../../trajectory/state";
import type { StrategyContext } from "../strategy";

const rowsAtMost = 40;
const head = ["| candidate | made from | what it did | idea |", "| --- | --- | --- | --- |"];

/**
 * What was tried in this session and what it did, one row for each candidate, the newest last. Of many it
 * has those that became the best, those that are `wanted`, and the newest.
 */
export function triedTable(
  { candidates }: Pick<StrategyContext, "candidates">,
  wanted: readonly string[] = [],
): string {
  if (candidates.length === 0) return "Nothing was tried yet.";
  const shown = chosenAttempts(candidates, rowsAtMost, new Set(wanted));
  const left = candidates.length - shown.length;
  const more = left > 0 ? [`(${left} candidates are left out; \`recall\` with call "tried" gives all)`] : [];
  return [...more, ...head, ...shown.map(rowOf)].join("\n");
}

/** The same with every candidate. */
export function wholeTriedTable({ candidates }: Pick<StrategyContext, "candidates">): string {
  return [...head, ...candidates.map(rowOf)].join("\n");
}

function rowOf(tried: TriedCandidate): string {
  return `| ${tried.id} | ${tried.parent ?? ""} | ${resultOf(tried)} | ${ideaOf(tried)} |`;
}
