import type { Rule } from "../rule";
import { expandPower } from "./arithmetic/expand-power";
import { singlePrecision } from "./arithmetic/single-precision";
import { namingRules } from "./causes/index";
import { elementRules } from "./elements/index";
import { fillGpu } from "./launch/fill-gpu";
import { wholeWarpBlocks } from "./launch/whole-warp-blocks";
import { widenBlock } from "./launch/widen-block";
import { reductionRules } from "./reductions/index";
import { rowRules } from "./rows/index";
import { stageStructures } from "./structures/stage-structures";
import { tileRules } from "./tiles/index";
import { stageWindow } from "./windows/stage-window";
import { windowOutputs } from "./windows/window-outputs";

/** The rules for CUDA kernels, in the order in which equal gains are tried. */
export const cudaRules: readonly Rule[] = [
  ...tileRules,
  stageStructures,
  windowOutputs,
  stageWindow,
  ...elementRules,
  ...rowRules,
  wholeWarpBlocks,
  widenBlock,
  fillGpu,
  ...reductionRules,
  singlePrecision,
  expandPower,
  ...namingRules,
];
