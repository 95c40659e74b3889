import type { Rule } from "../../rule";
import { constantDivisors } from "./constant-divisors";
import { expandPowerTriton } from "./expand-power";
import { narrowIndexTriton } from "./narrow-index";
import { singlePrecisionTriton } from "./single-precision";

/** Rules for what a kernel computes, whatever it moves. */
export const arithmeticRules: readonly Rule[] = [
  constantDivisors,
  expandPowerTriton,
  narrowIndexTriton,
  singlePrecisionTriton,
];
