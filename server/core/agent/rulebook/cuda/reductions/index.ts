import type { Rule } from "../../rule";
import { sharedPrefix } from "../scans/shared-prefix";
import { serialScan } from "../scans/serial-scan";
import { stepScan } from "../scans/step-scan";
import { addForWarp } from "../atomics/add-for-warp";
import { aggregateAtomics } from "./aggregate-atomics";
import { ownAtomics } from "./own-atomics";
import { privatizeHistogram } from "./privatize-histogram";
import { serialReduction } from "./serial/serial-reduction";
import { warpBranch } from "./serial/warp-branch";
import { sequentialTree } from "./sequential-tree";
import { shuffleTreeReduction } from "./shuffle-tree-reduction";
import { spreadCounters } from "./spread-counters";
import { voteBits } from "./vote-bits";
import { treeBehindLoop } from "./tree-behind-loop";

/** Rules about values that threads put together. */
export const reductionRules: readonly Rule[] = [
  treeBehindLoop,
  sequentialTree,
  serialReduction,
  warpBranch,
  serialScan,
  sharedPrefix,
  stepScan,
  shuffleTreeReduction,
  ownAtomics,
  aggregateAtomics,
  addForWarp,
  voteBits,
  privatizeHistogram,
  spreadCounters,
];
