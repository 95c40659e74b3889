import { reviewsOf } from "../../../core/judge/reviews";
import type { Verdict } from "../../../core/judge/verdict";
import { shown } from "../handshake/user-language";
import { retold, t } from "../../../core/base/localized";
import type { ClaimSubject } from "../../../core/review/claim";
import type { ProposalRecord } from "../../../core/trajectory/reduce";
import type { ClaimView, ReviewStatusView } from "../../../protocol/views";

/** What a review is about now, and what is being worked on for it. */
export interface ReviewSource {
  readonly proposal: ProposalRecord;
  readonly subject: ClaimSubject;
  /** Digest of the texts that the subject is about. */
  readonly digest: string | undefined;
  readonly isGrouping: boolean;
  readonly isChecking: boolean;
}

/**
 * What may be said of the changes and of the text as they are now. `verdict` is the line about the whole
 * proposal.
 */
export const toReviewStatus = shown((source: ReviewSource, verdict: string): ReviewStatusView => {
  return { grouping: groupingOf(source), claim: claimOf(source, verdict) };
});

function groupingOf({ proposal, isGrouping }: ReviewSource): ReviewStatusView["grouping"] {
  if (proposal.bounded) return "bounded";
  if (proposal.hunks.every((hunk) => hunk.needs !== null)) return "known";
  return isGrouping ? "running" : "unknown";
}

function claimOf({ proposal, subject, digest, isChecking }: ReviewSource, verdict: string): ClaimView {
  if (subject.kind === "proposal")
    return { state: "proposal", passed: true, text: togetherLine(proposal, verdict) };
  if (subject.kind === "conflict")
    return {
      state: "conflict",
      passed: null,
      text: t`Not checked: your edit at ${subject.file}:${subject.line + 1} stands in the way`,
    };
  const what = describeCombination(proposal);
  const { checked } = proposal;
  if (checked !== undefined && checked.digest === digest)
    return {
      state: "checked",
      passed: checked.outcome === "correct",
      text: `${what}: ${retold(checked.summary)}`,
    };
  return {
    state: isChecking ? "checking" : "unchecked",
    passed: null,
    text: t`${what}: not checked yet${isChecking ? t`, a check is running` : ""}`,
  };
}

/** The proposal's own verdict is that of all its changes together, never of one. */
function togetherLine({ hunks }: ProposalRecord, verdict: string): string {
  return hunks.length > 1 ? t`All ${hunks.length} changes together: ${verdict}` : verdict;
}

/** `Changes 1, 2 of 3 in your text`, or what accepting the open ones would give. */
function describeCombination({ hunks }: ProposalRecord): string {
  const numbers = (decision: "accepted" | "open"): readonly number[] =>
    hunks.flatMap((hunk, index) => (hunk.decision === decision ? [index + 1] : []));
  const accepted = numbers("accepted");
  const shown = accepted.length > 0 ? accepted : numbers("open");
  if (shown.length === 0) return t`Your text without the changes`;
  return `${countedChanges(shown, hunks.length)} ${accepted.length > 0 ? t`in your text` : t`with your edits`}`;
}

function countedChanges(numbers: readonly number[], all: number): string {
  if (all === 1) return t`The change`;
  if (numbers.length === all) return t`All ${all} changes`;
  return t`${numbers.length === 1 ? t`Change` : t`Changes`} ${numbers.join(", ")} of ${all}`;
}

/** What has to be looked at before a version is accepted, a sentence each. */
export function reviewWords(verdict: Verdict | null): readonly string[] {
  return reviewsOf(verdict).map(retold);
}
