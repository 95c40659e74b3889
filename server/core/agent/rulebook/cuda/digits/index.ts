import type { Rule } from "../../rule";
import { allDigits } from "./all-digits";
import { everyOther } from "./every-other";

/** Rules about branches that a digit of the thread's number decides. */
export const digitRules: readonly Rule[] = [everyOther, allDigits];
