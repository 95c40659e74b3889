import { verdictText } from "../dialogue/verdict-text";
import { type SharedContext, type StandingCandidate, isStanding } from "../strategy";
import type { Past } from "./past";

/**
 * The version that a conversation works on where a session goes on from another one's candidate: that
 * candidate, once it was found correct. Undefined for all others.
 */
export function continuedStart({
  continued,
}: Pick<SharedContext, "continued">): StandingCandidate | undefined {
  return continued !== undefined && isStanding(continued) ? continued : undefined;
}

/**
 * What a model is told of the candidate that its scratch copy holds at the beginning; empty where the copy,
 * made from `scratchParent`, holds other files.
 */
export function continuedText(
  { continued, past }: Pick<SharedContext, "continued" | "past">,
  scratchParent: string,
): string {
  if (continued === undefined || continued.candidate.id !== scratchParent) return "";
  const { candidate, treeId, accepted, reason, verdict } = continued;
  const then = nameInPast(past, treeId);
  const state = accepted ? "it became the best" : "it was dropped";
  const found = verdict.kind === "correct" ? `: ${reason}. ` : ". ";
  return [
    `The user wants you to go on from a candidate of an earlier session${then === undefined ? "" : ` (${then} in the table of earlier sessions)`}. Your scratch copy holds its files. Its idea: ${candidate.hypothesis}`,
    `Here it was judged as ${candidate.id}, and ${state}${found}${verdictText(verdict)}`,
  ].join("\n");
}

/** `p1/c3`, as the table of earlier sessions names it. */
function nameInPast({ sessions }: Past, treeId: string): string | undefined {
  for (const [index, { candidates }] of sessions.entries()) {
    const same = candidates.find(({ tree }) => tree === treeId);
    if (same !== undefined) return `p${index + 1}/${same.id}`;
  }
  return undefined;
}
