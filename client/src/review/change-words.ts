import { l10n } from "vscode";
import type { ReviewedHunk } from "../../../server/core/review/hunk";
import type { ProposalView } from "../../../server/protocol/views";

/** One-based places of hunks in their proposal, for people: `1, 3`. */
export function ordinalsOf(proposal: ProposalView, hunks: readonly { readonly id: string }[]): string {
  const wanted = new Set(hunks.map((hunk) => hunk.id));
  return proposal.hunks.flatMap((hunk, index) => (wanted.has(hunk.id) ? [index + 1] : [])).join(", ");
}

/** More are no longer named one by one where it is all of them: a lens is cut at the end of the window. */
const namedAtMost = 2;

/**
 * `needs change 2`, `needs changes 2, 3`; empty for a hunk that stands alone or of which that is not known.
 */
export function needsWords(proposal: ProposalView, hunk: ReviewedHunk): string {
  const others = (hunk.needs ?? []).map((id) => ({ id }));
  if (others.length === 0) return "";
  if (others.length > namedAtMost && others.length === proposal.hunks.length - 1)
    return l10n.t("needs all others");
  return others.length === 1
    ? l10n.t("needs change {0}", ordinalsOf(proposal, others))
    : l10n.t("needs changes {0}", ordinalsOf(proposal, others));
}

/** What is known about taking this hunk without the others; empty when it may be taken alone. */
export function groupWords(proposal: ProposalView, hunk: ReviewedHunk): string {
  if (hunk.needs === null)
    return proposal.review.grouping === "running"
      ? l10n.t("Whether this change works without the others is being found out.")
      : l10n.t("Whether this change works without the others is not known.");
  const needs = needsWords(proposal, hunk);
  if (needs === "") return "";
  return proposal.review.grouping === "bounded"
    ? l10n.t("This change {0}, as far as could be found out in time: they are accepted as one.", needs)
    : l10n.t("This change {0}: they are accepted as one.", needs);
}
