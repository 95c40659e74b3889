import { cancel } from "./running/cancel";
import { check } from "./running/check";
import { collectDiagnostics } from "./product/collect-diagnostics";
import type { Command } from "./command";
import { doctor } from "./product/doctor";
import { optimize } from "./starting/optimize";
import { raiseBudget } from "./running/raise-budget";
import { continueRun, pause, sendMessage, takeBest } from "./running/steer-run";
import { profile } from "./running/profile";
import { showPerformance } from "./product/show-performance";
import { restartServer } from "./product/restart-server";
import { resume } from "./running/resume";
import { listen } from "./sessions/listen";
import { whatNext } from "./sessions/what-next";
import { showLog } from "./product/show-log";

/** Commands about kernels, runs and the server. */
export const running: readonly Command[] = [
  optimize,
  check,
  profile,
  showPerformance,
  cancel,
  sendMessage,
  takeBest,
  pause,
  continueRun,
  raiseBudget,
  listen,
  whatNext,
  resume,
  doctor,
  collectDiagnostics,
  restartServer,
  showLog,
];
