import type { Rule } from "../../rule";
import { steadyWork } from "./steady-work";
import { testFirst } from "./test-first";

/** Rules about when in a kernel work is done. */
export const orderRules: readonly Rule[] = [testFirst, steadyWork];
