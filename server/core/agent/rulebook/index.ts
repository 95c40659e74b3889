import { enlargeSharedTile } from "./cuda/enlarge-shared-tile";
import { interleaveThreadItems } from "./cuda/interleave-thread-items";
import { keepRowInRegisters } from "./cuda/keep-row-in-registers";
import { padSharedTile } from "./cuda/pad-shared-tile";
import { reuseKeptExpression } from "./cuda/reuse-kept-expression";
import { shuffleTreeReduction } from "./cuda/shuffle-tree-reduction";
import { stageReusedRow } from "./cuda/stage-reused-row";
import { swapThreadAxes } from "./cuda/swap-thread-axes";
import { swizzleSharedTile } from "./cuda/swizzle-shared-tile";
import { vectorizeItems } from "./cuda/vectorize-items";
import { vectorizeThreads } from "./cuda/vectorize-threads";
import { wholeWarpBlocks } from "./cuda/whole-warp-blocks";
import type { Rule } from "./rule";
import { tritonRules } from "./triton/index";

const cudaRules: readonly Rule[] = [
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
  shuffleTreeReduction,
];

/**
 * Every rule, in the order in which equal gains are tried. A new rule is a file, an entry of rules.json and a
 * line here or in triton/index.ts.
 */
export const rules: readonly Rule[] = [...cudaRules, ...tritonRules];
