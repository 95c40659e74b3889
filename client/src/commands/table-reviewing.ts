import type { Command } from "./command";
import { acceptAll, rejectAll } from "./review/decide-all";
import { acceptFile, rejectFile } from "./review/decide-file";
import { acceptHunk, rejectHunk } from "./review/decide-hunk";
import { endReview } from "./review/end-review";
import { explainHunk } from "./review/explain-hunk";
import { resolveConflict } from "./review/resolve-conflict";
import { reviewProposal } from "./review/review-proposal";
import { showDiff } from "./review/show-diff";
import { nextHunk, previousHunk } from "./review/step-hunk";
import { restoreCheckpoint } from "./sessions/restore-checkpoint";
import { undoReject } from "./review/undo-reject";

/** Commands about proposals under review. */
export const reviewing: readonly Command[] = [
  reviewProposal,
  acceptHunk,
  rejectHunk,
  acceptFile,
  rejectFile,
  acceptAll,
  rejectAll,
  nextHunk,
  previousHunk,
  resolveConflict,
  undoReject,
  restoreCheckpoint,
  showDiff,
  explainHunk,
  endReview,
];
