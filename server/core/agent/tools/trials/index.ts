import type { Tool } from "../tool";
import { applyRule } from "./apply-rule";
import { showCode } from "./show-code";
import { sweep } from "./sweep";
import { compile, tryRun } from "./trial-runs";

/** What compiles or runs the scratch copy and costs no candidate. */
export const trialTools: readonly Tool[] = [applyRule, compile, tryRun, sweep, showCode];
