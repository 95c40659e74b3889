import type { Rule } from "../../rule";
import { fillGpu } from "./fill-gpu";
import { wholeWarpBlocks } from "./whole-warp-blocks";
import { widenBlock } from "./widen-block";

/** Rules about the size of blocks and grids. */
export const launchRules: readonly Rule[] = [wholeWarpBlocks, widenBlock, fillGpu];
