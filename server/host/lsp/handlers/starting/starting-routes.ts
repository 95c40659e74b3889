import type { Routes } from "../handler";
import { commandTargets } from "./command-targets";
import { optimize } from "./optimize";
import { optimizeCommand } from "./optimize-command";

/** The requests that begin a session. */
export const startingRoutes: Pick<
  Routes,
  "kernelwright/optimize" | "kernelwright/commandTargets" | "kernelwright/optimizeCommand"
> = {
  "kernelwright/optimize": optimize,
  "kernelwright/commandTargets": commandTargets,
  "kernelwright/optimizeCommand": optimizeCommand,
};
