import { shareSetup } from "./setup/share-setup";
import type { Rule } from "../../rule";
import { hostRules } from "../hosts/index";
import { blocksSideBySide } from "./beside/blocks-side-by-side";
import { fillGpu } from "./filling/fill-gpu";
import { turnsInGrid } from "./filling/turns-in-grid";
import { fuseLaunches } from "./fusing/fuse-launches";
import { joinSteps } from "./steps/join-steps";
import { launchesInGrid } from "./steps/launches-in-grid";
import { gatherBlocks } from "./gather-blocks";
import { secondPass } from "../second-pass/second-pass";
import { wholeWarpBlocks } from "./whole-warp-blocks";
import { widenBlock } from "./widen-block";

/** Rules about blocks, grids and launches. */
export const launchRules: readonly Rule[] = [
  fuseLaunches,
  joinSteps,
  launchesInGrid,
  wholeWarpBlocks,
  gatherBlocks,
  blocksSideBySide,
  widenBlock,
  fillGpu,
  turnsInGrid,
  secondPass,
  ...hostRules,
  shareSetup,
];
