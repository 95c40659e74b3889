import type { Rule } from "../../rule";
import { bitInstructions } from "../bits/bit-instructions";
import { tableOfValues } from "../tables/table-of-values";
import { compareForRemainder } from "../remainders/compare-for-remainder";
import { reciprocalOfDivisor } from "../remainders/reciprocal-of-divisor";
import { carryPower } from "./carry-power";
import { carryRemainder } from "./carry-remainder";
import { constantBase } from "./constant-base";
import { expandPower } from "./expand-power";
import { fastMath } from "./fast-math";
import { generalPower } from "./general-power";
import { sineAndCosine } from "./sine-and-cosine";
import { singlePrecision } from "./single-precision";

/** Rules about what is computed of each element. */
export const arithmeticRules: readonly Rule[] = [
  singlePrecision,
  expandPower,
  constantBase,
  carryPower,
  tableOfValues,
  generalPower,
  sineAndCosine,
  fastMath,
  carryRemainder,
  compareForRemainder,
  reciprocalOfDivisor,
  bitInstructions,
];
