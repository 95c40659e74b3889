import type { Rule } from "../rule";
import { arithmeticRules } from "./arithmetic/index";
import { digitRules } from "./digits/index";
import { namingRules } from "./causes/index";
import { elementRules } from "./elements/index";
import { launchRules } from "./launch/index";
import { occupancyRules } from "./occupancy/index";
import { tensorProduct } from "./products/tensor-product";
import { reductionRules } from "./reductions/index";
import { rowRules } from "./rows/index";
import { stageStructures } from "./structures/stage-structures";
import { tileRules } from "./tiles/index";
import { sumRules } from "./sums/index";
import { walkRules } from "./walks/index";
import { windowRules } from "./windows/index";

/** The rules for CUDA kernels, in the order in which equal gains are tried. */
export const cudaRules: readonly Rule[] = [
  tensorProduct,
  ...tileRules,
  ...elementRules,
  stageStructures,
  ...windowRules,
  ...rowRules,
  ...walkRules,
  ...launchRules,
  ...sumRules,
  ...occupancyRules,
  ...reductionRules,
  ...digitRules,
  ...arithmeticRules,
  ...namingRules,
];
