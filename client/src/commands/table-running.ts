import { cancel } from "./cancel";
import { check } from "./check";
import { collectDiagnostics } from "./collect-diagnostics";
import type { Command } from "./command";
import { createSpec } from "./create-spec";
import { doctor } from "./doctor";
import { optimize } from "./optimize";
import { profile } from "./profile";
import { restartServer } from "./restart-server";
import { resume } from "./resume";
import { selectStrategy } from "./select-strategy";
import { selectTarget } from "./select-target";
import { setModelKey } from "./set-model-key";
import { showLog } from "./show-log";

/** Commands about kernels, runs and the server. */
export const running: readonly Command[] = [
  optimize,
  check,
  profile,
  createSpec,
  cancel,
  resume,
  selectTarget,
  selectStrategy,
  setModelKey,
  doctor,
  collectDiagnostics,
  restartServer,
  showLog,
];
