import type { Rule } from "../../rule";
import { copyRules } from "../conversions/index";
import { constantDivisors } from "./constant-divisors";
import { expandPowerTriton } from "./expand-power";
import { narrowIndexTriton } from "./narrow-index";
import { singlePrecisionTriton } from "./single-precision";

/** Rules for what a kernel computes, and in what type. */
export const arithmeticRules: readonly Rule[] = [
  ...copyRules,
  constantDivisors,
  expandPowerTriton,
  narrowIndexTriton,
  singlePrecisionTriton,
];
