import type { Rule } from "../rule";
import { contiguousPrograms } from "./contiguous-programs";
import { dotForSum } from "./dot-for-sum";
import { enlargeDotTile } from "./enlarge-dot-tile";
import { fewerWarps } from "./fewer-warps";
import { fuseRowPasses } from "./fuse-row-passes";
import { raiseBlockSize } from "./raise-block-size";
import { sweepWarps } from "./sweep-warps";
import { tensorCoreDot } from "./tensor-core-dot";
import { fillGpuWithPrograms } from "./fill-gpu";
import { fuseKernels } from "./fusing/fuse-kernels";
import { alongRows, scalarLoop, transposeTile } from "./named-causes";
import { sumFirst } from "./sum-first";

/** The rules for Triton kernels, in the order in which equal gains are tried. */
export const tritonRules: readonly Rule[] = [
  fuseRowPasses,
  tensorCoreDot,
  dotForSum,
  contiguousPrograms,
  raiseBlockSize,
  fewerWarps,
  enlargeDotTile,
  sweepWarps,
  fuseKernels,
  scalarLoop,
  alongRows,
  transposeTile,
  sumFirst,
  fillGpuWithPrograms,
];
