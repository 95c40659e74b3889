import { clearFacts } from "./clear-facts";
import type { Command } from "./command";
import { acceptAll, rejectAll } from "./decide-all";
import { acceptHunk, rejectHunk } from "./decide-hunk";
import { endReview } from "./end-review";
import { explainHunk } from "./explain-hunk";
import { exportTrajectory } from "./export-trajectory";
import { openEventLog } from "./open-event-log";
import { openReport } from "./open-report";
import { openWalkthrough } from "./open-walkthrough";
import { refreshSessions } from "./refresh-sessions";
import { reviewProposal } from "./review-proposal";
import { showDiff } from "./show-diff";
import { nextHunk, previousHunk } from "./step-hunk";

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
  openReport,
  openEventLog,
  exportTrajectory,
  refreshSessions,
  openWalkthrough,
];
