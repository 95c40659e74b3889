import { cudaRules } from "./cuda/index";
import type { Rule } from "./rule";
import { tritonRules } from "./triton/index";

/**
 * Every rule. A new one is a file, an entry of rules.json, a case, and a line in the index of its dialect.
 */
export const rules: readonly Rule[] = [...cudaRules, ...tritonRules];
