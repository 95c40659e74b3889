import type { Rule } from "../../rule";
import { enlargeSharedTile } from "./enlarge-shared-tile";
import { padSharedStructures } from "../banks/pad-shared-structures";
import { padSharedTile } from "../banks/pad-shared-tile";
import { severalOutputs } from "./several-outputs";
import { retileProduct, stageProduct } from "./stage-product";
import { swapThreadAxes } from "./swap-thread-axes";
import { swizzleSharedTile } from "../banks/swizzle-shared-tile";
import { transposeThroughShared } from "./transpose-through-shared";

/** Rules about blocks of two dimensions and shared tiles. */
export const tileRules: readonly Rule[] = [
  stageProduct,
  retileProduct,
  severalOutputs,
  swapThreadAxes,
  padSharedTile,
  padSharedStructures,
  swizzleSharedTile,
  enlargeSharedTile,
  transposeThroughShared,
];
