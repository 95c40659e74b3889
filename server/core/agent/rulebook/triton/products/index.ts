import type { Rule } from "../../rule";
import { narrowDot, tensorCoreDot } from "../tensor-core-dot";
import { dotForSum, floatDotForSum } from "../dot-for-sum";
import { dotForOuter } from "./dot-for-outer";
import { floatTensorDot } from "./float-tensor-dot";
import { longerSums } from "./longer-sums";
import { roundOperands } from "./round-operands";

/** Rules that bring products of matrices to the tensor cores. */
export const productRules: readonly Rule[] = [
  tensorCoreDot,
  narrowDot,
  roundOperands,
  dotForSum,
  floatDotForSum,
  floatTensorDot,
  dotForOuter,
  longerSums,
];
