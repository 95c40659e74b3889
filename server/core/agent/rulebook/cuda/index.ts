import type { Rule } from "../rule";
import { expandPower } from "./arithmetic/expand-power";
import { singlePrecision } from "./arithmetic/single-precision";
import { accumulateInRegister } from "./elements/accumulate-in-register";
import { interleaveThreadItems } from "./elements/interleave-thread-items";
import { vectorizeItems } from "./elements/vectorize-items";
import { vectorizeThreads } from "./elements/vectorize-threads";
import { wholeWarpBlocks } from "./launch/whole-warp-blocks";
import { aggregateAtomics } from "./reductions/aggregate-atomics";
import { sequentialTree } from "./reductions/sequential-tree";
import { shuffleTreeReduction } from "./reductions/shuffle-tree-reduction";
import { keepRowInRegisters } from "./rows/keep-row-in-registers";
import { reuseKeptExpression } from "./rows/reuse-kept-expression";
import { warpPerRow } from "./rows/warp-per-row";
import { stageReusedRow } from "./rows/stage-reused-row";
import { enlargeSharedTile } from "./tiles/enlarge-shared-tile";
import { padSharedTile } from "./tiles/pad-shared-tile";
import { swapThreadAxes } from "./tiles/swap-thread-axes";
import { swizzleSharedTile } from "./tiles/swizzle-shared-tile";

/** The rules for CUDA kernels, in the order in which equal gains are tried. */
export const cudaRules: readonly Rule[] = [
  warpPerRow,
  accumulateInRegister,
  swapThreadAxes,
  padSharedTile,
  swizzleSharedTile,
  interleaveThreadItems,
  vectorizeItems,
  vectorizeThreads,
  keepRowInRegisters,
  reuseKeptExpression,
  stageReusedRow,
  enlargeSharedTile,
  wholeWarpBlocks,
  sequentialTree,
  shuffleTreeReduction,
  aggregateAtomics,
  singlePrecision,
  expandPower,
];
