import type { Rule } from "../../rule";
import { orderRules } from "../order/index";
import { factorBehindLoop } from "./factor-behind-loop";
import { shareUniformSum } from "./share-uniform-sum";
import { splitSum } from "./split-sum";
import { splitTurns } from "./split-turns";

/** Rules for sums that loops make. */
export const sumRules: readonly Rule[] = [
  shareUniformSum,
  splitSum,
  splitTurns,
  factorBehindLoop,
  ...orderRules,
];
