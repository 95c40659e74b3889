import type { Rule } from "../rule";
import { contiguousPrograms } from "./contiguous-programs";
import { dotForSum } from "./dot-for-sum";
import { enlargeDotTile } from "./enlarge-dot-tile";
import { fewerWarps } from "./fewer-warps";
import { fuseRowPasses } from "./passes/fuse-row-passes";
import { loadBeforeLoop } from "./load-before-loop";
import { raiseBlockSize } from "./raise-block-size";
import { sweepWarps } from "./sweep-warps";
import { tensorCoreDot } from "./tensor-core-dot";
import { fillGpuWithPrograms } from "./fill-gpu";
import { fuseKernels } from "./fusing/fuse-kernels";
import { alongRows, transposeTile } from "./named-causes";
import { spreadRules } from "./spread/index";
import { sumFirst } from "./sum-first";

/** The rules for Triton kernels, in the order in which equal gains are tried. */
export const tritonRules: readonly Rule[] = [
  fuseRowPasses,
  tensorCoreDot,
  dotForSum,
  contiguousPrograms,
  raiseBlockSize,
  ...spreadRules,
  fewerWarps,
  enlargeDotTile,
  sweepWarps,
  fuseKernels,
  loadBeforeLoop,
  alongRows,
  transposeTile,
  sumFirst,
  fillGpuWithPrograms,
];
