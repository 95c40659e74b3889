import type { Rule } from "../../rule";
import { loosenLaunchBounds } from "./loosen-launch-bounds";
import { shrinkSharedTile } from "./shrink-shared-tile";

/** Rules for what a multiprocessor shares among its blocks. */
export const occupancyRules: readonly Rule[] = [shrinkSharedTile, loosenLaunchBounds];
