import type { Rule } from "../../rule";
import { convertInRegisters } from "../conversions/convert-in-registers";
import { constantDivisors } from "./constant-divisors";
import { expandPowerTriton } from "./expand-power";
import { narrowIndexTriton } from "./narrow-index";
import { singlePrecisionTriton } from "./single-precision";

/** Rules for what a kernel computes, and in what type. */
export const arithmeticRules: readonly Rule[] = [
  convertInRegisters,
  constantDivisors,
  expandPowerTriton,
  narrowIndexTriton,
  singlePrecisionTriton,
];
