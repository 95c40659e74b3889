import { clearFacts } from "./product/clear-facts";
import { listFacts } from "./product/list-facts";
import type { Command } from "./command";
import {
  compareWithCandidate,
  compareWithParent,
  openCandidate,
  openCandidateSource,
  proposeCandidate,
  showVerdict,
  showCandidatePerformance,
} from "./sessions/candidates";
import {
  clearSessionFilter,
  filterSessions,
  groupSessions,
  ungroupSessions,
} from "./sessions/arrange-sessions";
import { continueFromCandidate } from "./sessions/continue-from";
import { compareSessions } from "./sessions/compare-sessions";
import { exportTrajectory } from "./sessions/export-trajectory";
import { deleteSession, renameSession } from "./sessions/keep-session";
import { openEventLog } from "./sessions/open-event-log";
import { openTrajectory } from "./sessions/open-trajectory";
import { importSession } from "./sessions/import-session";
import { openReport } from "./sessions/open-report";
import { openWalkthrough } from "./product/open-walkthrough";
import { refreshSessions } from "./sessions/refresh-sessions";

/** Commands about facts, candidates and trajectories. */
export const editing: readonly Command[] = [
  clearFacts,
  listFacts,
  openCandidate,
  compareWithParent,
  compareWithCandidate,
  openCandidateSource,
  showCandidatePerformance,
  showVerdict,
  openTrajectory,
  proposeCandidate,
  continueFromCandidate,
  openReport,
  openEventLog,
  exportTrajectory,
  refreshSessions,
  filterSessions,
  clearSessionFilter,
  groupSessions,
  ungroupSessions,
  compareSessions,
  renameSession,
  deleteSession,
  importSession,
  openWalkthrough,
];
