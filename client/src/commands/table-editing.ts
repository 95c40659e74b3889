import { clearFacts } from "./product/clear-facts";
import type { Command } from "./command";
import { acceptAll, rejectAll } from "./review/decide-all";
import { acceptHunk, rejectHunk } from "./review/decide-hunk";
import { endReview } from "./review/end-review";
import { explainHunk } from "./review/explain-hunk";
import { compareWithParent, openCandidate, showVerdict } from "./sessions/candidates";
import { exportTrajectory } from "./sessions/export-trajectory";
import { openEventLog } from "./sessions/open-event-log";
import { openReport } from "./sessions/open-report";
import { openWalkthrough } from "./product/open-walkthrough";
import { refreshSessions } from "./sessions/refresh-sessions";
import { reviewProposal } from "./review/review-proposal";
import { showDiff } from "./review/show-diff";
import { nextHunk, previousHunk } from "./review/step-hunk";

/** Commands about proposals, facts and trajectories. */
export const editing: readonly Command[] = [
  reviewProposal,
  acceptHunk,
  rejectHunk,
  acceptAll,
  rejectAll,
  nextHunk,
  previousHunk,
  showDiff,
  explainHunk,
  endReview,
  clearFacts,
  openCandidate,
  compareWithParent,
  showVerdict,
  openReport,
  openEventLog,
  exportTrajectory,
  refreshSessions,
  openWalkthrough,
];
