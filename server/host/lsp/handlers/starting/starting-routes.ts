import type { Routes } from "../handler";
import { commandTargets } from "./command-targets";
import { optimize } from "./optimize";
import { optimizeCommand } from "./optimize-command";
import { targetState } from "./target-state";

/** The requests that begin a session, and about what it is judged on. */
export const startingRoutes: Pick<
  Routes,
  | "kernelwright/optimize"
  | "kernelwright/commandTargets"
  | "kernelwright/optimizeCommand"
  | "kernelwright/targetState"
> = {
  "kernelwright/optimize": optimize,
  "kernelwright/commandTargets": commandTargets,
  "kernelwright/optimizeCommand": optimizeCommand,
  "kernelwright/targetState": targetState,
};
