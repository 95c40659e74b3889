import type { Rule } from "../../rule";
import { fillGpu } from "./fill-gpu";
import { fuseLaunches } from "./fusing/fuse-launches";
import { secondPass } from "../second-pass/second-pass";
import { wholeWarpBlocks } from "./whole-warp-blocks";
import { widenBlock } from "./widen-block";

/** Rules about blocks, grids and launches. */
export const launchRules: readonly Rule[] = [fuseLaunches, wholeWarpBlocks, widenBlock, fillGpu, secondPass];
