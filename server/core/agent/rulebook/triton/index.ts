import type { Rule } from "../rule";
import { arithmeticRules } from "./arithmetic/index";
import { atomicRules } from "./atomics/index";
import { contiguousPrograms } from "./contiguous-programs";
import { enlargeDotTile } from "./enlarge-dot-tile";
import { fewerWarps } from "./fewer-warps";
import { fillGpuWithPrograms } from "./fill-gpu";
import { fuseKernels } from "./fusing/fuse-kernels";
import { loopRules } from "./loops/index";
import { alongRows, transposeTile } from "./named-causes";
import { fuseRowPasses } from "./passes/fuse-row-passes";
import { productRules } from "./products/index";
import { raiseBlockSize } from "./raise-block-size";
import { severalRules } from "./several/index";
import { sweepRules } from "./sweeps/index";

/** The rules for Triton kernels, in the order in which equal gains are tried. */
export const tritonRules: readonly Rule[] = [
  fuseRowPasses,
  ...productRules,
  contiguousPrograms,
  raiseBlockSize,
  ...severalRules,
  fewerWarps,
  enlargeDotTile,
  ...sweepRules,
  fuseKernels,
  ...loopRules,
  ...arithmeticRules,
  alongRows,
  transposeTile,
  ...atomicRules,
  fillGpuWithPrograms,
];
